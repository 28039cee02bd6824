"""`back` undoes constraints, and with them where the trace began for their sake."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.errors import CommandError
from wolverine.session import results

PROGRAM = """\
#include <stdlib.h>
struct node { int data; struct node *next; };
static int steps(struct node *head) {
    struct node *p = head;
    int n = 0;
    while (p != NULL) {
        n = n + 1;
        p = p->next;
    }
    return n;
}
int main(int argc, char **argv) {
    struct node *head = NULL;
    for (int i = 3; i > 0; i--) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->data = i;
        fresh->next = head;
        head = fresh;
    }
    int n = steps(head);
    return n + argc;
}
"""


def test_an_undone_spec_of_a_caller_leaves_the_trace_to_the_callee(play: Callable[..., Played]) -> None:
    told: list[tuple[object, str]] = []
    for detour in ("", "finish; next; spec; back 2;"):
        session = play(PROGRAM)
        session(f"break steps; run; next 5; leave; {detour} spec; repair --no-question")
        execution = session.session.execution
        told.append((session.last(results.Repaired).edits, execution.path[execution.start].stack[0][0]))
    assert told[0] == told[1]
    assert told[1][1] == "steps"


def test_a_change_whose_spec_was_withdrawn_can_be_undone(play: Callable[..., Played]) -> None:
    session = play(PROGRAM)
    session("break steps; run; next; change p->next null; spec; change n1->data 7; spec")
    for number in (1, 0):
        with pytest.raises(CommandError, match=f"asserted; `spec drop {number}` withdraws that"):
            session("undo")
        session(f"spec drop {number}; undo")
    assert (session.fields("n3")["next"], session.fields("n1")["data"]) == ("n2", 3)
    with pytest.raises(CommandError, match="nothing was changed at this stop"):
        session("undo")
    with pytest.raises(CommandError, match="nothing is asserted yet"):
        session("localize")


@pytest.mark.parametrize(
    ("commands", "instead"),
    [
        ("break steps; run", ""),
        ("break steps; run; spec", "; `spec drop 0` withdraws what is asserted here"),
        ("break steps; run; next 2; enter", "; `back` takes back the decision that led here"),
        (
            "break steps; run; next 2; leave; spec",
            "; `spec drop 0` withdraws what is asserted here; `back` takes back the decision that led here",
        ),
        ("break steps; run; next; change p->next null; next", "; `back` leads to the last change"),
        ("break steps; run; next; change p->next null; next; next", "; `back 2` leads to the last change"),
    ],
)
def test_where_nothing_was_changed_undo_says_what_takes_back_what_was_done(
    play: Callable[..., Played], commands: str, instead: str
) -> None:
    session = play(PROGRAM)
    session(commands)
    with pytest.raises(CommandError) as refused:
        session("undo")
    assert str(refused.value) == f"nothing was changed at this stop{instead}"
    if "`back" in instead:
        session(re.findall("`(back[ 0-9]*)`", instead)[0])
        assert session.session.execution.path[-1].changes or session.line() == 6


def test_to_withdraw_an_assertion_that_is_not_there_says_how_there_is_one(
    play: Callable[..., Played],
) -> None:
    session = play(PROGRAM)
    session("start")
    with pytest.raises(CommandError, match="there is no checkpoint 7; `spec` makes one"):
        session("spec drop 7")
    session("spec")
    with pytest.raises(CommandError, match=r"there is no checkpoint 7; there is checkpoint 0$"):
        session("resume 7")
    session("spec")
    with pytest.raises(CommandError, match=r"there is no checkpoint 7; there are 0, 1$"):
        session("resume 7")
