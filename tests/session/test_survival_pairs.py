"""What a program may do, in every state of a session: a sentence, a prompt, and nothing lost.

The faults strike one after the other in one session, which has to hold what it held before each time.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from faults import holds, lost
from played_session import Played
from thorough import examples, usual

from wolverine.errors import WolverineError
from wolverine.session import repairing, results
from wolverine.session.journal import Header, Journal
from wolverine.session.journal_reading import read_journal
from wolverine.shell.lines import Line
from wolverine.shell.loop import Outlet, Shell
from wolverine.shell.presenter import TextPresenter

pytestmark = pytest.mark.usefixtures("one_processor")

SOURCE = Path(__file__).parent / "trapped.c"
HEADER = Header("2026-01-02T03:04:05+00:00", "/", ("a.c",), None, (), (), None, False, {})
# At the first push's closing brace the forgotten `head = p` is made good and asserted; then into the second.
STORY = "start", "next 3", "step", "next 4", "change head n2", "spec", "finish", "step", "next 3"
CALL = SOURCE.read_text().splitlines().index("    strike();") + 1


@dataclass(frozen=True)
class Fault:
    """`told`: a sentence when it strikes; `called`, when it does so in a call that gdb makes; `met`, how
    candidates that are tried end by it."""

    number: int
    told: str
    called: str
    met: str


FAULTS = {
    "null": Fault(1, "Segmentation fault at address 0x0: p is null", "got SIGSEGV in strike", "SIGSEGV"),
    "dangling": Fault(
        2, "gone->next was never set; it was read from n1, which was freed", "got SIGSEGV", "SIGSEGV"
    ),
    "abort": Fault(3, "the program got SIGABRT at line 22", "the call got SIGABRT", "SIGABRT"),
    "loop": Fault(4, "Still running after the step budget, stopped in strike", "step budget", "budget"),
    "recursion": Fault(5, "the stack is full", "the call got SIGSEGV in recurse", "SIGSEGV"),
    "exit": Fault(6, "the program exited with status 3", "ends the program", "exited"),
    "flood": Fault(7, "Still running after the step budget", "step budget", "budget"),
    "input": Fault(8, "Still running after the step budget", "step budget", "budget"),
    "closed": Fault(9, "", "", "location"),
    "fork": Fault(10, "", "", "location"),
    "exec": Fault(11, "the program has become /usr/bin/sleep (exec)", "/usr/bin/sleep", "/usr/bin/sleep"),
    "gdb": Fault(12, "gdb has ended; gdb was started anew", "gdb was started anew", "lost"),
    "killed": Fault(13, "the program got SIGKILL", "the call got SIGKILL", "killed"),
}


class Told:
    """A shell with a journal on a real process; `said` is what stood on the screen."""

    def __init__(self, folder: Path) -> None:
        self._screen = io.StringIO()
        outlet = Outlet(TextPresenter(self._screen, self._screen, color=False))
        self.trap = folder / "trap"
        self.played = Played(SOURCE, outlet, arguments=(str(self.trap),), batch=False, json=False)
        self.shell = Shell(self.played.session, outlet)
        self.path = folder / "journal.jsonl"
        self.journal = Journal(self.path, outlet.presenter.command, header=HEADER)
        self.shell.keep(self.journal)
        self.commands: list[str] = []
        self.met: list[str] = []
        self._run_to = self.played.session.debugger.run_to
        self.played.session.debugger.run_to = self._running_to  # type: ignore[method-assign]

    def _running_to(self, *arguments: Any, **options: Any) -> Any:
        """How the runs end by which candidates are tried."""
        try:
            stop = self._run_to(*arguments, **options)
        except WolverineError as error:
            self.met.append(str(error))
            raise
        self.met.append(f"{stop.reason} {stop.signal}")
        return stop

    def __call__(self, *lines: str) -> str:
        """What is said to some lines; not what the program writes."""
        at, heard = self._screen.tell(), len(self.played.heard)
        for line in lines:
            self.commands.append(line)
            self.shell.line(Line(line))
        assert not self.shell.left
        said = self._screen.getvalue()[at:]
        self._screen.seek(0)
        self._screen.truncate()
        if any(isinstance(each, results.Output) for each in self.played.heard[heard:]):
            said = "\n".join(line for line in said.splitlines() if not line.startswith("flood"))
        return said

    def struck(self, fault: Fault, line: str) -> str:
        """A line under which the fault strikes."""
        with self.trap.open("wb") as file:
            file.truncate(fault.number)
        if fault.met == "budget":
            self("set step-budget 0.1")
        try:
            return self(line)
        finally:
            self.trap.unlink()
            self("set step-budget 60")

    def down_to(self, number: int) -> None:
        """Statement by statement to the one that strikes."""
        with self.trap.open("wb") as file:
            file.truncate(number)
        self("step")
        while f"case {number}:" not in self("next"):
            assert self.played.last(results.Stopped).function == "strike"

    def stops(self) -> int:
        return sum(not moment.transit for moment in self.played.session.execution.path)

    def close(self) -> None:
        self.played.session.close()
        self.journal.close()


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Told]:
    monkeypatch.setattr(repairing, "_OFFERED", examples(3, 20))
    made = Told(tmp_path)
    yield made
    made.close()


WAYS = {
    "prompt": "next",
    "running": "finish",
    "call": "next",
    "gdb's call": "call strike()",
    "repair": f"repair --no-question --line {CALL}",
    "run": "continue",
}


# One of each kind: a crash, what goes on for ever, an end, what goes by unseen, another program, gdb.
USUAL = usual(FAULTS, "dangling", "abort", "loop", "recursion", "exit", "input", "closed", "killed")


@pytest.mark.parametrize("name", USUAL)
def test_nothing_is_lost_in_any_state(told: Told, name: str) -> None:
    fault = FAULTS[name]
    told(*STORY)
    recorded = read_journal(told.path).entries
    assert [each.text for each in recorded] == [*STORY]
    assert all(each.ok for each in recorded)
    for way, line in WAYS.items():
        if way == "prompt":
            told.down_to(fault.number)
        stops, before = told.stops(), holds(told.played)
        said = told.struck(fault, line)
        assert "has a bug" not in said
        if way == "repair":
            assert any(fault.met in each for each in told.met), told.met
            assert not fault.told or "no repair: " in said or "gdb was started anew" in said
        else:
            assert (fault.called if way == "gdb's call" else fault.told) in said, (way, said)
        if told.stops() > stops:
            said = told(f"back {told.stops() - stops}")
            if told.stops() < stops:
                # A statement that did not come to its end and the stop before it are one.
                assert way == "prompt"
                told("next")
            assert name != "fork" or way != "prompt" or "child processes; they do not go back" in said
        elif not fault.told:
            # The call came back, or a repair holds: both count.
            assert way in ("gdb's call", "repair")
            told("resume 0", *STORY[6:])
        assert not lost(before, holds(told.played)), way
        if way == "prompt":
            told("resume 0", *STORY[6:])
    assert read_journal(told.path).entries[: len(recorded)] == recorded
    assert [each.text for each in read_journal(told.path).entries] == told.commands
    works(told)


def works(told: Told) -> None:
    """resume, repair, rewrite, back."""
    told("resume 0")
    assert "repaired by 1 edit" in told("repair --no-question")
    assert "+    head = p;" in told("rewrite")
    assert "n2" in told("next", "back", "next 2")


ENDLESS = """\
#include <stdio.h>
#include <stdlib.h>
struct n { int v; struct n *next; };
struct n *head;
int sum;
static void push(int v) { struct n *p = malloc(sizeof *p); p->v = v; p->next = head; head = p; }
static int total(struct n *p)
{
    int sum = 0;
    while (p != NULL) {
        sum = sum + p->v;
    }
    return sum;
}
int main(void)
{
    push(1);
    push(2);
    push(3);
    puts("summing");
    sum = total(head);
    return sum;
}
"""


@pytest.mark.parametrize("how", ["interrupt", "budget"])
def test_an_endless_loop_inside_a_next_is_ended_and_repaired(play: Callable[..., Any], how: str) -> None:
    session = play(ENDLESS)
    session("start\nnext 3\nset step-budget 600")
    before = holds(session)
    heard, written = session.session._output, threading.Event()

    def writing(data: bytes) -> None:
        heard(data)
        written.set()

    session.session.debugger._terminal._on_output = writing
    presser = threading.Thread(target=lambda: written.wait(60) and session.session.interrupt())
    if how == "interrupt":
        presser.start()
        session("continue")
        presser.join()
    else:
        session("next\nset step-budget 0.3\nnext")
    assert session.last(results.Stopped).reason == how
    session("back" if how == "interrupt" else "back 2")
    assert not lost(before, holds(session))
    session(
        "set step-budget 600\nnext\nstep\nnext 3\nchange p n2\nspec\nrepair --no-question\nfinish\nrewrite"
    )
    assert "+        p = p->next;" in session.last(results.Rewritten).patch
    session("continue")
    assert session.last(results.Exited).code == 6
