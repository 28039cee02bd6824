"""What is used before it has a value is told, also of functions that have returned; it stays without one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wolverine.core.graph import UNINITIALISED
from wolverine.session import results

DEPTH = """\
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
struct node { int key; struct node *next; };
int largest(struct node *n)
{
    int max;
    for (; n != NULL; n = n->next)
        if (n->key > max)
            max = n->key;
    return max + 1;
}
struct node *behind(struct node *first, int key)
{
    struct node *at = first, *before;
    while (at != NULL && at->key != key)
        before = at, at = at->next;
    before->next = at->next;
    free(at);
    return first;
}
int later(void)
{
    time_t now;
    time(&now);
    return now > 0;
}
int main(void)
{
    struct node *second = malloc(sizeof *second), *first = malloc(sizeof *first);
    *second = (struct node){-2000000000, NULL};
    *first = (struct node){-2000000001, second};
    int more = largest(first);
    first = behind(first, -2000000000);
    if (more > 0 && later())
        puts("more");
    free(first);
    return 0;
}
"""


def test_what_decides_in_a_function_is_told_when_the_program_ends(play: Callable[..., Any]) -> None:
    session = play(DEPTH)
    session("run")
    assert session.texts() == (
        "largest::max is used before it has a value, by line 9 in largest: if (n->key > max)"
    )


def test_what_was_used_is_unset_until_something_sets_it(play: Callable[..., Any]) -> None:
    session = play(DEPTH)
    session("break 9; run; next; next")
    assert "max is used before it has a value, by line 9" in session.texts()
    assert session.places()["largest::max"] == {"uninitialised": True}


PUSHED = """\
#include <stdio.h>
#include <stdlib.h>
struct node { int v; struct node *next; };
static void push(struct node **top, int v)
{
    struct node *n = malloc(sizeof *n);
    n->v = v;
    *top = n;
}
static int sum(struct node *at, int from)
{
    int all = from;
    while (at != NULL) {
        all += at->v;
        at = at->next;
    }
    return all;
}
int main(int argc, char **argv)
{
    struct node *top = NULL;
    for (int i = 1; i < argc; i++)
        push(&top, atoi(argv[i]));
    printf("%d", sum(top, 0));
    return 0;
}
"""


@pytest.mark.thorough
def test_a_parameter_that_takes_what_nothing_has_set_was_given_something(play: Callable[..., Any]) -> None:
    session = play(PUSHED, arguments=["1", "2", "3"])
    session("run\nrepair --no-question")
    assert "+    n->next = *top;" in session.last(results.Repaired).patch
    session("continue")
    assert session.output().endswith("6")


MENU = """\
#include <stdio.h>
int rounds;
int ask(void)
{
    int answer;
    while (1) {
        rounds++;
        answer = rounds;
        if (answer > 2)
            break;
    }
    return answer;
}
int main(void)
{
    int choice, *at;
    while (1) {
        puts("menu");
        choice = ask();
        at = &choice;
        if (*at == 3)
            break;
    }
    return 0;
}
"""
NOTHING = {"uninitialised": True}


def test_at_the_beginning_of_a_loop_without_an_end_locals_hold_nothing(play: Callable[..., Any]) -> None:
    session = play(MENU)
    session("start; spec")
    assert (session.places()["main::choice"], session.places()["main::at"]) == (NOTHING, NOTHING)
    asserted = session.session.execution.path[-1].asserted[-1]
    assert {place.object.name for place, _ in asserted.cells} == {"rounds"}


def test_so_it_is_where_the_trace_begins_at_the_entry_of_a_function(play: Callable[..., Any]) -> None:
    session = play(MENU)
    session("break 9; run; spec")
    entry = session.session.execution.path[session.session.execution.start].graph
    held = {place.object.name: value for place, value in entry.cells.items() if place.object.name == "answer"}
    assert held == {"answer": UNINITIALISED}


def test_a_condition_may_stop_at_a_later_round_of_the_loop_that_main_begins_with(
    play: Callable[..., Any],
) -> None:
    session = play(MENU.replace("*at == 3", "*at == 4"))
    session("break 18 if rounds == 3; run")
    assert session.places()["rounds"] == 3
    assert session.places()["main::choice"] == 3


WALKED_UNSET = """\
#include <stdio.h>
#include <stdlib.h>
struct node { int v; struct node *next; };
static void *left_behind(void *known)
{
    void *kept[2] = { known, known };
    return kept[0];
}
static int count(struct node *first)
{
    int n = 0;
    struct node *p;
    while (p != NULL) {
        n += first != NULL;
        p = p->next;
    }
    return n;
}
int main(int argc, char **argv)
{
    struct node *one = calloc(1, sizeof *one);
    left_behind(argc > 1 ? one : NULL);
    int n = count(one);
    printf("%d\\n", n);
    free(one);
    return argv == NULL;
}
"""


@pytest.mark.parametrize("arguments", [(), ("x",)])
@pytest.mark.parametrize("commands", ["run", "break 24; run"])
def test_what_comes_behind_a_test_of_what_nothing_has_set_is_not_told(
    play: Callable[..., Any], commands: str, arguments: tuple[str, ...]
) -> None:
    """The loop is not entered where memory happens to hold null: nobody but the process knows."""
    session = play(WALKED_UNSET, arguments=arguments)
    session(commands)
    told = [line for line in session.texts().splitlines() if ", by line" in line]
    assert told == ["count::p is used before it has a value, by line 13 in count: while (p != NULL) {"]
