"""Decisions forced at conditions whose evaluation would crash in a function that they call."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.errors import CommandError
from wolverine.session import results

WEIGHED = """\
#include <stddef.h>
struct box { int weight; };
static int weight(struct box *b)
{
    return b->weight;
}
int main(void)
{
    struct box full = { 3 }, *none = NULL;
    int lighter = 0, asked = 0;
    if (weight(none) < weight(&full))
        lighter = 1;
    while (asked++ == 0 && weight(none) > 0)
        lighter = 2;
    return lighter != 1 || asked != 1;
}
"""


def test_the_crash_does_not_come_and_a_repair_understands_it(play: Callable[..., Played]) -> None:
    session = play(WEIGHED)
    session("break 11; run; enter")
    assert session.line() == 12
    assert "crashes in weight (SIGSEGV)" in session.texts()
    assert session.places()["main::lighter"] == 0
    session("next; repair --no-question")
    assert session.last(results.Repaired).edits


def test_the_parts_that_were_evaluated_are_not_evaluated_again(play: Callable[..., Played]) -> None:
    session = play(WEIGHED)
    session("break 11; run; enter; next; leave")
    assert session.line() == 15
    assert session.places()["main::asked"] == 1
    session("continue")
    assert session.last(results.Exited).code == 0


def test_a_condition_further_out_is_forced_before_its_call(play: Callable[..., Played]) -> None:
    session = play(WEIGHED)
    session("run")
    with pytest.raises(
        CommandError, match=r"condition at line 11 in main.*`tbreak 11` and `run`, then `enter`"
    ):
        session("enter")
    session("break 11; run; next; up")
    with pytest.raises(CommandError, match=r"innermost frame.*`back`, then `leave`"):
        session("leave")
    session("back; leave")
    assert session.line() == 13


LAST = """\
#include <string.h>
struct item { const char *name; struct item *next; };
static int differs(const struct item *i)
{
    while (strcmp(i->name, "z") && i != NULL)
        i = i->next;
    return i != NULL;
}
int main(void)
{
    struct item one = { "a", NULL };
    return differs(&one);
}
"""


def test_what_has_crashed_within_finish_is_said_to_crash(play: Callable[..., Played]) -> None:
    session = play(LAST)
    session("break differs; run; finish; leave")
    assert "evaluating the condition crashes (SIGSEGV); it is forced without that" in session.texts()
    assert session.line() == 7
