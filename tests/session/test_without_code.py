"""Stops at another line than was asked for, and within a statement, are told as such."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

PROGRAM = """\
#include <stdio.h>
/* a comment */
int n;

static int fact(int k)
{
    if (k < 2)
        return 1;

    int below = fact(k - 1);
    return k * below;
}

// nothing here

int main(void)
{
    n = fact(4);
    // comment
    n++;

    printf("%d\\n", n + fact(2));
    return 0;
}

"""


@pytest.mark.parametrize(
    ("commands", "told"),
    [
        ("break 9", "line 9 has no code; the program will stop at line 10, the next one with code"),
        ("tb 19 if n > 1", "line 19 has no code; the program will stop at line 20, the next one with code"),
        ("start; until 19", "line 19 has no code, the next is 20"),
        ("start; next 2; step; advance 14", "line 14 has no code, the next is 18; fact has returned"),
        ("start; next 2; step; until 20", "fact has returned without coming to line 20"),
        ("start; next; advance 18", "the program has not come to line 18"),
    ],
)  # fmt: skip
def test_a_line_without_code_or_not_come_to_is_told(
    again: Callable[..., Played], commands: str, told: str
) -> None:
    session = again(PROGRAM)
    answers = session(commands)
    assert told in [line for each in answers for line in getattr(each, "text", "").splitlines()]


def test_of_a_line_with_code_in_several_places_it_is_not_said_that_it_was_not_come_to(
    play: Callable[..., Played],
) -> None:
    """gcc lets the first arm of the `if` jump to the condition, past the jump with which line 9 begins."""
    session = play(
        "int n;\nstatic int more(void) { return n++ < 2; }\nint main(int argc, char **argv)\n{\n"
        "    if (argc == 1)\n        n = 0;\n    else\n        n = 1;\n    while (more())\n        n += 0;\n"
        "    return argv == 0;\n}\n"
    )
    session("break 5; run; advance 9")
    told = session.texts()
    assert "has not come to where the code of line 9 begins" in told and "at which `next` stops" in told
    session("run; next 2")
    assert session.line() == 9


@pytest.mark.parametrize(
    "commands",
    ["break 10", "break fact", "start; advance 20", "start; advance fact", "start; advance 6; until 10"],
)  # fmt: skip
def test_nothing_is_said_where_the_line_has_code_and_was_come_to(
    play: Callable[..., Played], commands: str
) -> None:
    session = play(PROGRAM)
    session(commands)
    assert "has no code" not in session.texts() and "come to" not in session.texts()


def test_a_stop_behind_a_call_is_in_the_middle_of_its_statement(play: Callable[..., Played]) -> None:
    session = play(PROGRAM)
    session("break fact if k == 1; run; finish")
    stored = "in the middle of line 10: the result is not stored in below yet"
    assert session.texts().splitlines().count(stored) == 1
    session("next")
    assert session.texts().splitlines().count(stored) == 1
    session("delete; break 22; continue; step; finish")
    assert "in the middle of line 22: the rest of it is still to be executed" in session.texts().splitlines()


ENDING = """\
static int table[4];

static int asked(int k) { return k + 1; }
static void put(int k) { table[k] += k; }

static void both(int k)
{
    if (k > 0) {
        put(k); put(0);
    } else if (k < 0) {
        return;
    }
    put(2);
}

int main(int argc, char **argv)
{
    both(argc);
    table[*argv[0] % 2 + argc] = asked(3);
    return 0;
}
"""


def test_a_call_that_ends_a_statement_is_said_to_have_returned(play: Callable[..., Played]) -> None:
    session = play(ENDING)
    session("break put; run; finish")
    assert session.texts().splitlines()[-1] == "line 9: the call of put has returned"
    session("next")
    assert session.texts().count("has returned") == 1
    session("continue; finish; step; finish")
    assert session.texts().splitlines().count("line 13: the call of put has returned") == 1


def test_what_is_not_stored_yet_is_named_as_in_the_source(play: Callable[..., Played]) -> None:
    session = play(ENDING)
    session("break asked; run; finish")
    told = "in the middle of line 19: the result is not stored in table[*argv[0] % 2 + argc] yet"
    assert told in session.texts().splitlines()
