"""What is used before it has a value is told, also of functions that have returned; it stays without one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

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
