"""What happens to gdb or to the program does not end a session."""

import os
import signal
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

from wolverine.errors import CommandError
from wolverine.session import results
from wolverine.session.commands import GdbCommand

PROGRAM = """\
#include <stdlib.h>
struct n { int v; struct n *next; };
struct n *head;
void push(int v) { struct n *p = malloc(sizeof *p); p->v = v; p->next = head; head = p; }
int main(void)
{
    push(1);
    push(2);
    head->next->next->v = 3;
    head = NULL;
    return 0;
}
"""


def test_a_killed_gdb_is_started_anew_at_the_same_state(play: Callable[..., Any]) -> None:
    session = play(PROGRAM)
    session("start\nnext 2\nchange n1->v 7\nspec")
    before = session.last(results.Graph).data["nodes"]
    children = subprocess.run(["pgrep", "-P", str(os.getpid()), "gdb"], capture_output=True, check=True)
    for each in children.stdout.split():
        os.kill(int(each), signal.SIGKILL)
    with pytest.raises(CommandError, match="started anew"):
        session("next")
    session("graph")
    assert session.last(results.Graph).data["nodes"] == before
    session("resume 0")
    assert session.line() == 9


def test_a_crash_names_the_statement_and_back_undoes_the_one_before(play: Callable[..., Any]) -> None:
    session = play(PROGRAM)
    session("start\nnext; next; next")
    assert session.last(results.Signalled) == results.Signalled("SIGSEGV", 9)
    session("back")
    assert session.line() == 8
    session("next\nchange n1->next n2\nnext")
    assert session.line() == 10


def test_the_statement_that_loses_a_node_is_named_at_once(play: Callable[..., Any]) -> None:
    session = play(PROGRAM.replace("head->next->next->v = 3;", ";"))
    session("start\nnext 3")
    assert "n1, n2 are lost since line 10 in main: head = NULL;" in session.texts()


def test_a_freed_node_is_corrected_to_live_and_back(play: Callable[..., Any]) -> None:
    session = play(PROGRAM.replace("head->next->next->v = 3;", "free(head);"))
    session("start\nnext 3\nchange n2 live")
    assert session.last(results.Graph).data["nodes"][1]["state"] == "live"
    session("undo")
    assert session.last(results.Graph).data["nodes"][1]["state"] == "freed"


def test_commands_of_breakpoints_are_heard_and_outlive_gdb(play: Callable[..., Any]) -> None:
    session = play(PROGRAM)
    for block in ("break push", "commands\nsilent\nprint v + 40\nend", "break 10"):
        session.session.execute(GdbCommand(block))
    session("run")
    assert (session.last(results.Stopped).reason, session.texts().count("= 41")) == ("breakpoint", 1)
    gdb = session.session.debugger._execution.gdb.pid
    os.kill(gdb, signal.SIGKILL)
    with pytest.raises(CommandError, match="started anew"):
        session("continue")
    session("continue")
    assert (session.last(results.Stopped).reason, session.texts().count("= 42")) == ("breakpoint", 1)


def test_commands_of_breakpoints_may_go_on(play: Callable[..., Any]) -> None:
    session = play(PROGRAM)
    for block in ("break push", "commands\nprint v + 40\ncontinue\nend", "break 9"):
        session.session.execute(GdbCommand(block))
    session("run")
    assert session.line() == 9
    assert "= 41" in session.texts()
    assert "= 42" in session.texts()


def test_a_choice_inside_a_statement_is_no_branch(play: Callable[..., Any]) -> None:
    session = play("""\
#include <stdlib.h>
int main(int argc, char *argv[])
{
    int shift = argc > 1 ? atoi(argv[1]) : 0;
    if (shift < 3)
        shift = 4;
    return shift;
}
""")
    session("start")
    with pytest.raises(CommandError, match="no branch"):
        session("enter")
    session("next\nleave\nback\nenter")
    assert session.line() == 6


@pytest.mark.parametrize(
    "spawning", ['system("exit 0")', 'pclose(popen("exit 0", "r"))', "if (vfork() == 0) _exit(0)"]
)
def test_programs_that_the_program_starts_are_not_taken_for_it(
    play: Callable[..., Any], spawning: str
) -> None:
    session = play(f"""\
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(void)
{{
    int a = 1;
    {spawning};
    a = 2;
    return a;
}}
""")
    session("start\nnext 2")
    assert session.line() == 8
    session("next\nback 2\nnext 2\ncontinue")
    assert session.last(results.Exited).code == 2
