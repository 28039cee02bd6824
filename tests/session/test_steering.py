"""enter and leave on the real process, for every kind of branch."""

from collections.abc import Callable
from typing import Any

import pytest

from wolverine.errors import CommandError
from wolverine.session import results

FLOW = """\
#include <stdlib.h>
struct n { int v; struct n *next; };
int side(int *p) { *p = *p + 1; return *p > 2; }
int work(struct n *h, int k)
{
    int i, c = 0;
    for (i = 0; i < 3; i++) {
        c = c + 1;
    }
    do {
        c = c + 10;
    } while (c < 20);
    if (k > 5)
        c = 100;
    else
        c = c + 1;
    while (h != NULL && h->v != k) h = h->next;
    if (h) c = c + 1000;
    while (side(&k)) {
        c = c + 5;
        if (c > 3000) break;
    }
    while ((h = h ? h->next : NULL) != NULL)
        c = c + 2;
    if (c == 3 || c == 4)
        return 7;
    for (;;) { c++; if (c > 5000) break; }
    return c;
}
int main(void)
{
    struct n a = {1, NULL}, b = {2, &a};
    return work(&b, 2) > 0;
}
"""

# (line of the condition, command, line of the stop behind it)
WAYS = [
    (7, "enter", 8),
    (7, "leave", 11),
    (12, "enter", 11),
    (12, "leave", 13),
    (13, "enter", 14),
    (13, "leave", 16),
    (17, "enter", 17),
    (17, "leave", 18),
    (18, "enter", 18),
    (18, "leave", 19),
    (19, "enter", 20),
    (19, "leave", 23),
    (21, "leave", 19),
    (23, "enter", 24),
    (23, "leave", 25),
    (25, "enter", 26),
    (25, "leave", 27),
]


@pytest.mark.parametrize(("line", "command", "behind"), WAYS)
def test_where_a_forced_branch_leads(again: Callable[..., Any], line: int, command: str, behind: int) -> None:
    session = again(FLOW)
    session(f"tbreak {line}\nrun")
    assert session.line() == line
    session(command)
    assert session.line() == behind


def test_side_effects_of_a_condition_happen_once(play: Callable[..., Any]) -> None:
    session = play(FLOW)
    session("tbreak 19\nrun")
    assert session.places()["work::k"] == 2
    session("leave")
    assert session.places()["work::k"] == 3


def test_the_pending_increment_runs_before_a_for_loop_is_entered_again(play: Callable[..., Any]) -> None:
    session = play(FLOW)
    session("tbreak 8\nrun\nnext\nenter")
    assert session.line() == 8
    assert session.places()["work::i"] == 1
    session("next\nleave")
    assert session.line() == 11
    assert session.places()["work::i"] == 2


@pytest.mark.parametrize(
    ("way", "line"),
    [
        ("tbreak 13; run; enter", 14),
        ("tbreak 13; run; leave", 16),
        ("tbreak 13; run; next; back", 13),
        ("tbreak 13; run; spec; next; resume 0", 13),
    ],
)
def test_a_breakpoint_set_where_the_program_was_led_to_is_passed(
    play: Callable[..., Any], way: str, line: int
) -> None:
    session = play(FLOW)
    session(way)
    assert session.line() == line
    answers = session(f"break {line}; continue")
    assert isinstance(answers[-1], results.Exited), "as gdb: the statement is executed, not met again"
    assert not any(isinstance(each, results.Stopped | results.ConcreteStep) for each in answers)


def test_a_breakpoint_where_gdb_set_the_pc_is_as_in_gdb(play: Callable[..., Any]) -> None:
    session = play(FLOW)
    session("tbreak 13; run; next; back; set var $pc = $pc + 0; break 13; continue")
    assert isinstance(session.heard[-1], results.Exited)


def test_no_branch_here(play: Callable[..., Any]) -> None:
    session = play(FLOW)
    session("tbreak 8\nrun")
    with pytest.raises(CommandError, match=r"no branch at this statement; \w+ has some at line"):
        session("enter")
    assert session("next")


FOLDED = """\
int valid(int n)
{
    return n > 0;
}
int main(int argc, char **argv)
{
    int n = argc;
    if (valid == 0)
        n = 2;
    if (n > 1)
        n = 0;
    return n;
}
"""


def test_a_branch_that_gcc_has_folded_is_not_offered(play: Callable[..., Any]) -> None:
    session = play(FOLDED)
    session("tbreak 7; run")
    with pytest.raises(CommandError, match=r"main has some at line 10$"):
        session("leave")


DECIDED = """\
#include <string.h>
int main(void)
{
    char *name = "b";
    int known = 1, found = 0;
    if (known || strcmp(name, "a") == 0)
        found = 1;
    return found;
}
"""


def test_a_condition_that_its_first_part_decides_says_what_can_be_done(play):
    session = play(DECIDED)
    session("break 6; run")
    with pytest.raises(CommandError, match="correct what the first part reads"):
        session("leave")
    session("change known 0; leave; next")
    assert session.last(results.Stopped).line == 9


TWO_ENDS = """\
int pairs(int n)
{
    int found = 0, i, j;
    for (i = 0, j = n; i < j; i++, j--)
        found++;
    return found;
}
int main(void)
{
    return pairs(0);
}
"""


def test_a_loop_that_begins_with_two_variables_is_entered_from_its_head(play):
    session = play(TWO_ENDS)
    session("break 4; run; enter")
    assert session.last(results.Stopped).line == 5
    session("next; enter")
    assert session.last(results.Stopped).line == 5
    assert session.places()["pairs::i"] == 1
    session("next; leave")
    assert session.last(results.Stopped).line == 6
