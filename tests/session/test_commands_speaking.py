"""What the commands of breakpoints and `dprintf` print: where the program is by then, and all of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from wolverine.session import results
from wolverine.session.commands import GdbCommand

PROGRAM = """\
#include <stdio.h>
struct task { int id; struct task *next; };
static struct task *queue;
static void enqueue(struct task *task) {
    task->next = queue;
    queue = task;
}
int main(void) {
    static struct task tasks[20];
    for (int i = 0; i < 20; i++) {
        tasks[i].id = i;
        enqueue(&tasks[i]);
        fprintf(stderr, "queued %d\\n", i);
    }
    return 0; /* end */
}
"""
SILENT = 'commands\nsilent\nprintf "enqueue %d\\n", task->id\ncont\nend'
ALL = "".join(f"enqueue {i}\nqueued {i}\n" for i in range(20))


def scripted(session: Any, where: str, block: str) -> None:
    """Set a breakpoint with commands."""
    session(f"break {where}")
    session.session.execute(GdbCommand(block))


def spoken(answers: Sequence[results.Result]) -> str:
    """What gdb and the program wrote, in the order in which people see it."""
    return "".join(each.text for each in answers if isinstance(each, results.Text | results.Output))


def test_what_commands_print_before_they_go_on_stands_in_order(play: Callable[..., Any]) -> None:
    session = play(PROGRAM)
    scripted(session, "enqueue", SILENT)
    answers = session("run")
    assert any(isinstance(each, results.Exited) for each in answers)
    assert spoken(answers) == ALL


def test_what_commands_print_is_there_at_the_next_stop_and_is_not_repeated(play: Callable[..., Any]) -> None:
    session = play(PROGRAM)
    scripted(session, "enqueue", SILENT)
    session("break 15")
    answers = session("run")
    assert session.line() == 15
    assert spoken(answers) == ALL
    assert "enqueue" not in "".join(each.text for each in answers if isinstance(each, results.Note))


def test_commands_of_a_defined_command_that_go_on(play: Callable[..., Any]) -> None:
    session = play(PROGRAM)
    scripted(session, "enqueue", SILENT)
    session.session.execute(GdbCommand("define go\ncontinue\nend"))
    session("start")
    session("go")
    assert session.session.execution.path[-1].stop.reason == "exited"


def test_dprintf_is_seen_and_stops_nowhere(play: Callable[..., Any]) -> None:
    session = play(PROGRAM)
    session('dprintf enqueue,"passing %d\\n", task->id')
    answers = session("break 15\nrun")
    assert session.line() == 15
    lines = spoken(answers).splitlines()
    assert [line for line in lines if "passing" in line] == [f"passing {i}" for i in range(20)]
    assert [line for line in lines if "queued" in line] == [f"queued {i}" for i in range(20)]


def test_commands_are_not_heard_again_where_a_program_is_run_anew_unseen(play: Callable[..., Any]) -> None:
    session = play(PROGRAM)
    scripted(session, "enqueue", SILENT)
    session("break 15\nstart\ncontinue")
    session("back")
    assert spoken(session("continue")) == ALL
