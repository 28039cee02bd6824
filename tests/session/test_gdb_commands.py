"""gdb's own commands in a session: what they do, and what gdb would leave unsaid."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from wolverine.errors import CommandError, UsageError, WolverineError
from wolverine.session import results

PROGRAM = """\
#include <stdlib.h>
int main(void)
{
    int x = 1;
    int *p = malloc(sizeof *p);
    x = x + 1;
    *p = x;
    return 0;
}
"""


@pytest.mark.parametrize("command", ["break nosuch", "tbreak nosuch", "b nosuch if x"])
def test_a_breakpoint_in_no_function_is_an_error(play: Callable[..., Any], command: str) -> None:
    session = play(PROGRAM)
    with pytest.raises(WolverineError, match='Function "nosuch" not defined'):
        session(command)
    session("start")
    with pytest.raises(WolverineError, match='Function "nosuch" not defined'):
        session(command)


def test_a_breakpoint_on_no_line_is_an_error(play: Callable[..., Any]) -> None:
    session = play(PROGRAM)
    session("break 6")
    with pytest.raises(WolverineError, match="No line 99"):
        session("break 99")
    session("run")
    assert session.line() == 6


def test_breakpoints_that_wait_for_a_library(play: Callable[..., Any]) -> None:
    session = play(PROGRAM)
    session("set breakpoint pending on\nbreak nosuch\nbreak 7\nrun")
    assert "pending" in session.texts()
    assert session.line() == 7


def test_display_prints_at_every_stop_up_to_undisplay(play: Callable[..., Any]) -> None:
    session = play(PROGRAM)
    session("break 6\nrun\ndisplay x\nnext")
    assert "1: x = 1" in session.texts()
    assert "1: x = 2" in session.texts()
    before = len(session.heard)
    session("undisplay 1\nnext")
    assert "x = " not in "".join(str(each) for each in session.heard[before:] if "Text" in str(type(each)))


@pytest.mark.parametrize("end", ["continue", "kill"])
def test_a_picture_after_the_end_is_that_of_the_last_stop(
    play: Callable[..., Any], end: str, tmp_path: Any
) -> None:
    session = play(PROGRAM)
    session(f"break 6\nrun\nnext\n{end}")
    answers = session(f"graph\nsave {tmp_path}/after.txt")
    told = [each.text for each in answers if isinstance(each, results.Note)]
    assert [text for text in told if "has ended" in text and ":7" in text] == told
    assert len(told) == 2
    assert session.places()["main::x"] == 2
    with pytest.raises(CommandError, match="the program has ended"):
        session("next")
    session("back")
    assert session.line() == 7


def test_after_the_end_there_are_no_frames_to_act_on(play: Callable[..., Any]) -> None:
    session = play(PROGRAM)
    session("start\ncontinue")
    for command in ("return", "ret 1", "bt", "up", "info frame", "stepi", "jump 5"):
        with pytest.raises(CommandError, match="the program has ended"):
            session(command)
    assert session.session.execution.moment.stop.reason == "exited"
    session("info breakpoints\nprint 1 + 2")
    assert "$1 = 3" in session.texts()
    session("start\ninfo frame\nup 0")
    assert "main () at" in session.texts()


def test_values_after_the_end_are_not_missing_symbols(play: Callable[..., Any]) -> None:
    session = play(PROGRAM)
    session("break 7\nrun\ndelete\nprint *n1\ncontinue")
    for command in ("print x", "print main::x", "x/4x p", "whatis p"):
        with pytest.raises(CommandError, match="the program has ended"):
            session(command)
    with pytest.raises(WolverineError, match="No symbol"):
        session("break main if nosuch")
    session("print sizeof(int) + 38")
    assert "= 42" in session.texts()


def test_memory_is_gone_with_a_program_that_crashed(play: Callable[..., Any]) -> None:
    session = play(PROGRAM.replace("return 0", "return *(volatile int *)0"))
    session("run\nprint *n1")
    assert "= 2" in session.texts()
    session("continue")
    with pytest.raises(CommandError, match="the program has ended"):
        session("print *n1")


def test_there_is_no_picture_of_a_program_that_never_stopped(play: Callable[..., Any]) -> None:
    session = play(PROGRAM)
    session("run")
    with pytest.raises(CommandError, match="the program has ended"):
        session("graph")


@pytest.mark.parametrize(
    "command", ["edit", "edit 4", "e main", "shell", "!", "pi", "explore x", "layout src"]
)
def test_what_takes_the_terminal_is_refused(play: Callable[..., Any], command: str) -> None:
    session = play(PROGRAM)
    with pytest.raises(UsageError, match="needs the terminal"):
        session(command)
    session("start")


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("shell echo '=== a'; echo b", "=== a\nb\n"),
        ("!echo c", "c\n"),
        ("shell ls /no/such/file", "No such file"),
        ("shell cat", ""),
        ("pipe print 40 + 2 | tr 4 5", "= 52\n"),
        ("| print 3 | cat", "= 3\n"),
        ("make -f /no/such/file", "No such file"),
    ],
)
def test_what_a_shell_writes_is_shown(play: Callable[..., Any], command: str, shown: str) -> None:
    session = play(PROGRAM)
    session(command)
    assert shown in session.texts()
    session("start")
    assert session.line() == 4


def test_a_misspelt_command_is_told_with_what_it_may_mean(play: Callable[..., Any]) -> None:
    session = play(PROGRAM)
    for command, told in (
        ("chnge x 2", "there is no command chnge; did you mean change?"),
        ("diff", "there is no command diff; did you mean rewrite?"),
        ("brek 6", "there is no command brek; did you mean break?"),
        ("qwertz", 'Undefined command: "qwertz"'),
    ):
        with pytest.raises(WolverineError, match=re.escape(told)):
            session(command)


def test_a_temporary_breakpoint_is_told_as_one(play: Callable[..., Any]) -> None:
    session = play(PROGRAM)
    session("tbreak 6\nbreak 7\nrun")
    stopped = session.last(results.Stopped)
    assert (stopped.temporary, stopped.reason, stopped.as_event()["reason"]) == (True, *["breakpoint"] * 2)
    session("continue")
    assert not session.last(results.Stopped).temporary


@pytest.mark.parametrize(
    "command", ["delete 4", "del 4", "disable 4", "enable 4", "undisplay 4", "condition 4 1"]
)
def test_a_number_that_there_is_not_is_an_error(play: Callable[..., Any], command: str) -> None:
    session = play("int main(void)\n{\n    return 0;\n}\n")
    session("start")
    with pytest.raises(WolverineError, match=r"[Nn]o \w+ number 4"):
        session(command)


@pytest.mark.parametrize("verb", ["next", "step"])
def test_many_steps_end_with_the_program(play: Callable[..., Any], verb: str) -> None:
    session = play("int main(void)\n{\n    return 3;\n}\n")
    session(f"start; {verb} 1000")
    assert session.last(results.Exited).code == 3


CALLS = """\
static int twice(int number)
{
    int result = number + number;
    return result;
}
int main(void)
{
    int given = 4;
    return twice(given) - 8;
}
"""


def test_a_frame_further_out_is_named_with_what_stays(play: Callable[..., Any]) -> None:
    session = play(CALLS)
    session("break 3\nrun\nup")
    notes = [each.text for each in session.heard if isinstance(each, results.Note)]
    assert any("look at main now" in text and "main::NAME" in text for text in notes)
    with pytest.raises(WolverineError, match=r'No symbol "number" in current context.*look at main'):
        session("print number")
    session("down\nprint number")
    assert "= 4" in session.texts()
    assert [each.text for each in session.heard if isinstance(each, results.Note)] == notes
