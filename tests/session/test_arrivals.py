"""Where the process stands is one place of the program, also at the jumps by which gcc joins branches."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

BRANCHES = """\
#include <stdlib.h>
struct node { int key; struct node *next; };
static void push(struct node **list, int key)
{
    struct node *fresh = malloc(sizeof *fresh);
    fresh->key = key;
    fresh->next = *list;
    *list = fresh;
}
static void drop(struct node **list)
{
    struct node *first = *list;
    free(first);
}
int main(void)
{
    static const int keys[] = { 3, 5, -1, 7 };
    struct node *list = NULL;
    int i = -1;
    while (++i < 4) {
        if (keys[i] > 0) {
            push(&list, keys[i]);
        } else if (keys[i] < 0 && i > 0) {
            if (keys[i] < -9 || list == NULL)
                push(&list, 0);
            else
                drop(&list);
        } else if (keys[i] == 0) {
            i += 5;
        }
    }
    return 0;
}
"""


@pytest.mark.thorough
def test_behind_a_call_in_a_branch_the_process_goes_on_behind_the_if(play: Callable[..., Played]) -> None:
    session = play(BRANCHES)
    session("break drop\nrun\nfinish")
    session("change list n1\nrepair --no-question")
    assert session.last(results.Repaired).applied == "native"
    session("next")
    assert session.last(results.Stopped).text == "if (keys[i] > 0) {"
    assert session.places()["main::i"] == 3


BLOCKS = """\
#include <stdlib.h>
struct node { int key; struct node *next; };
static struct node *find(struct node *at, int key)
{
    while (at != NULL && at->key != key)
        at = at->next;
    return at;
}
static struct node *node(int key)
{
    struct node *fresh = malloc(sizeof *fresh);
    fresh->key = key;
    fresh->next = NULL;
    return fresh;
}
static void append(struct node *at, struct node *fresh)
{
    while (at->next != NULL)
        at = at->next;
    at->next = fresh;
}
int main(void)
{
    static const int keys[] = { 3, 5, -1 };
    struct node *list = node(9);
    int i = -1;
    while (++i < 3) {
        struct node *old = find(list, keys[i]);
        if (keys[i] > 0 && list->key == 9) {
            struct node *at = find(list, 9);
            if (at && !old)
                append(at, node(keys[i]));
        } else if (old && old != list) {
            list->next = NULL;
        }
    }
    return 0;
}
"""


@pytest.mark.thorough
def test_behind_the_last_call_of_a_block_the_process_goes_on_behind_the_else(
    play: Callable[..., Played],
) -> None:
    session = play(BLOCKS)
    session("break append\nrun\nfinish")
    assert session.last(results.Stopped).text == "while (++i < 3) {"
    session("continue\nfinish")
    session("change n3->key 6\nspec\nrepair --no-question")
    assert session.last(results.Repaired).applied == "native"


NESTED = """\
#include <stdlib.h>
struct node { int key; struct node *next; };
static struct node *spare, *used;
static void give_back(void)
{
    struct node *first = used;
    used = first->next;
    first->next = spare;
}
int main(void)
{
    static const char todo[] = { 'n', 'g', 'n', 'k' };
    int i;
    for (i = 0; i < 4; i++) {
        if (todo[i] == 'k') {
            continue;
        } else if (todo[i] == 'g' || todo[i] == 'n') {
            if (todo[i] == 'g' && used != NULL)
                give_back();
            else if (todo[i] == 'n') {
                struct node *fresh = spare ? spare : malloc(sizeof *fresh);
                spare = spare ? spare->next : NULL;
                fresh->key = i;
                fresh->next = used;
                used = fresh;
            }
        } else {
            spare = NULL;
        }
    }
    return 0;
}
"""


def test_where_the_branches_of_an_inner_if_meet_its_condition_is_not_asked_again(
    play: Callable[..., Played],
) -> None:
    session = play(NESTED)
    session("break give_back\nrun\nfinish")
    assert session.last(results.Stopped).text == "for (i = 0; i < 4; i++) {"
    assert "does not follow" not in session.texts()
    session("change spare n1\nspec\nrepair --no-question")
    assert session.last(results.Repaired).applied == "native"


HEADS = """\
int main(void)
{
    int sum = 0;
    for (
        int i = 0;
        i < 2;
        i++
    )
        sum += i;
    while (
        sum > 0
    )
        sum--;
    return sum;
}
"""


def test_the_head_of_a_loop_may_take_several_lines(play: Callable[..., Played]) -> None:
    session = play(HEADS)
    session("start")
    for line in (5, 6, 9, 7, 6, 9, 7, 6, 11, 13, 11, 14):
        session("next")
        assert session.line() == line
    assert "model" not in session.texts()


LONG = """\
#include <stdlib.h>
struct node { int key; struct node *next; };
static int sum(int a, int b)
{
    return a
        + b;
}
static int positive(struct node *at)
{
    return at->key > 0;
}
int main(void)
{
    struct node *list = malloc(sizeof *list);
    int k;
    list->key = 1;
    list->next = NULL;
    k = sum(list->key,
            2)
        + sum(1,
              list->key);
    while (list != NULL
           && positive(list)
           && k > 0)
        k = k - 4;
    free(list);
    return 0;
}
"""


def _stepped(session: Played, verb: str, count: int) -> list[int]:
    return [[session(verb), session.line()][1] for _ in range(count)]


def test_statements_and_conditions_of_several_lines_are_one_stop(play: Callable[..., Played]) -> None:
    session = play(LONG)
    session("break 18\nrun")
    assert _stepped(session, "next", 6) == [22, 25, 22, 25, 22, 26]
    assert "does not follow" not in session.texts()


def test_step_goes_into_every_call_of_a_statement_of_several_lines(play: Callable[..., Played]) -> None:
    session = play(LONG)
    session("break 18\nrun")
    assert _stepped(session, "step", 10) == [5, 7, 5, 7, 18, 22, 10, 11, 22, 25]
    assert "does not follow" not in session.texts()


def test_behind_a_finished_call_the_rest_of_a_long_statement_is_one_step(play: Callable[..., Played]) -> None:
    session = play(LONG)
    session("break sum\nrun\nfinish\ndelete")
    assert _stepped(session, "next", 2) == [22, 25]
    assert "does not follow" not in session.texts()


def test_a_breakpoint_on_a_later_line_of_a_condition_is_met_in_front_of_it(
    play: Callable[..., Played],
) -> None:
    session = play(LONG)
    session("break 24\nbreak 22\nrun\ncontinue")
    assert session.last(results.Stopped).reason == "breakpoint"
    assert session.line() == 22
    session("next")
    assert session.line() == 25
    assert "does not follow" not in session.texts()


def test_the_source_text_of_a_stop_has_all_lines_of_its_condition(play: Callable[..., Played]) -> None:
    session = play(LONG, json=False)
    session("break 22\nrun")
    assert session.last(results.Stopped).text == "while (list != NULL && positive(list) && k > 0)"
