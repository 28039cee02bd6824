"""Each fault in each state of a session: a prompt afterwards, a sentence, and nothing lost."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from faults import (
    full_disk,
    hanging_compiler,
    holds,
    kill_gdb,
    kill_program,
    lost,
    memory,
    state,
    while_running,
)
from thorough import every_other, usual

from wolverine.errors import CommandError, RestartedError
from wolverine.session import results
from wolverine.session.gate import Gate

pytestmark = pytest.mark.usefixtures("one_processor")

PROGRAM = """\
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct n { int v; struct n *next; };
struct n *head;
void push(int v)
{
    struct n *p = malloc(sizeof *p);
    p->v = v;
    p->next = head;
    printf("pushed\\n");
}
int main(void)
{
    push(1);
    push(2);
    push(3);
    return 0;
}
"""
# Runs long enough to be killed meanwhile.
SLOW = PROGRAM.replace('printf("pushed\\n");', 'printf("pushed\\n"); usleep(100000);')
# At the closing brace of push, the forgotten `head = p` was made good and asserted.
STORY = "start\nstep\nnext 4\nchange head n1\nspec"
KILLS = [kill_gdb, kill_program]


def still_works(session: Any) -> None:
    """back, resume, repair and rewrite."""
    session("next\nback\nresume 0\nrepair\nrewrite")
    assert "head = p" in session.last(results.Rewritten).patch
    session("next\nback\nnext 2")
    assert session.fields("n1")["v"] == 1


def told(session: Any) -> dict[str, Any]:
    """What the session knows without its process."""
    return {key: value for key, value in state(session, live=False).items() if key != "graph"}


def in_turn(*ways: str) -> list[Any]:
    """Each of the ways with one that kills, these in turn; with every one in a thorough run."""
    return every_other([(way, kill) for n, way in enumerate(ways) for kill in KILLS[:: 1 - 2 * (n % 2)]])


@pytest.mark.parametrize(
    ("command", "kill"),
    in_turn(*usual(["next", "change n1->v 5", "graph", "spec", "repair", "back"], "change n1->v 5", "spec")),
)
def test_killed_at_the_prompt(play: Callable[..., Any], kill: Callable[..., None], command: str) -> None:
    session = play(PROGRAM)
    session(STORY)
    before, bytes_before = state(session), memory(session)
    kill(session)
    try:
        session(command)
    except RestartedError:
        assert state(session) == before
        assert memory(session) == bytes_before
    else:
        # The command did not need the process, or ended the way the process did.
        with contextlib.suppress(RestartedError):
            session("print 1")
        if session.session.execution.moment.stop.reason == "killed":
            session("back")
        if command in ("graph", "next"):
            assert told(session) == {key: value for key, value in before.items() if key != "graph"}
    still_works(session)


@pytest.mark.parametrize(
    ("command", "kill"), in_turn(*usual(["next", "finish", "continue", "next 2"], "next 2"))
)
def test_killed_while_it_runs(play: Callable[..., Any], kill: Callable[..., None], command: str) -> None:
    session = play(SLOW)
    session(STORY)
    session("finish" if command != "finish" else "next\nstep\nnext 3")
    before, bytes_before = state(session), memory(session)
    with while_running(session, kill):
        try:
            session(command)
        except RestartedError:
            assert kill is kill_gdb
        else:
            assert kill is kill_program
            assert session.last(results.Signalled).signal == "SIGKILL"
            session("back")
    assert state(session) == before
    assert memory(session) == bytes_before
    still_works(session)


@pytest.mark.parametrize("kill", KILLS)
def test_killed_inside_a_call_that_gdb_makes(play: Callable[..., Any], kill: Callable[..., None]) -> None:
    session = play(SLOW)
    session(STORY)
    before, bytes_before = state(session), memory(session)
    with while_running(session, kill), pytest.raises(CommandError):
        session("call push(7)")
    assert state(session) == before
    assert memory(session) == bytes_before
    still_works(session)


@pytest.mark.parametrize(("place", "kill"), in_turn("_repeat", "_run_again", "_take"))
def test_killed_during_repair(
    play: Callable[..., Any], kill: Callable[..., None], place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = play(PROGRAM)
    session(STORY)
    before, bytes_before = state(session), memory(session)
    real = getattr(Gate, place)
    struck = []

    def striking(self: Gate, *arguments: Any) -> Any:
        if not struck:
            struck.append(True)
            kill(session)
        return real(self, *arguments)

    monkeypatch.setattr(Gate, place, striking)
    try:
        session("repair")
    except CommandError:
        assert state(session) == before
        assert memory(session) == bytes_before
    assert struck
    still_works(session)


def test_killed_under_a_repair(play: Callable[..., Any]) -> None:
    session = play(PROGRAM)
    session(STORY + "\nrepair\nnext")
    before, bytes_before = state(session), memory(session)
    kill_gdb(session)
    with pytest.raises(RestartedError):
        session("next")
    assert state(session) == before
    assert memory(session) == bytes_before
    session("next\nnext")
    assert session.fields("n2")["next"] == "n1"


@pytest.mark.parametrize(
    "command", usual(["repair", "rewrite out.c", "save out.svg", "save out.txt"], "save out.txt")
)
def test_a_full_disk(
    play: Callable[..., Any], command: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out.c").write_text("mine\n")
    session = play(PROGRAM)
    session(STORY)
    before, bytes_before = state(session), memory(session)
    with full_disk(), pytest.raises(CommandError, match="File too large"):
        session(command)
    assert (tmp_path / "out.c").read_text() == "mine\n"
    assert state(session) == before
    assert memory(session) == bytes_before
    session("next\nback")
    still_works(session)


IN_THE_MIDDLE = ["next", "finish", "spec", "call push(7)", "back", "accept 2", "repair"]


@pytest.mark.parametrize("command", usual(IN_THE_MIDDLE, "finish", "spec", "call push(7)"))
def test_a_full_disk_in_the_middle_of_a_repaired_session(play: Callable[..., Any], command: str) -> None:
    session = play(PROGRAM)
    session(STORY + "\nrepair --no-question")
    before = holds(session)
    with full_disk():
        try:
            session(command)
        except CommandError as error:
            assert "File too large" in str(error)
            assert not lost(before, holds(session))
        else:
            assert command != "accept 2"  # what `repair` finds has been compiled before
    still_works(session)


def test_gdb_killed_while_the_disk_is_full(play: Callable[..., Any]) -> None:
    session = play(PROGRAM)
    session(STORY + "\nrepair --no-question\nnext")
    before = holds(session)
    with full_disk():
        kill_gdb(session)
        with pytest.raises(RestartedError):
            session("next")
        assert not lost(before, holds(session))
    still_works(session)


@pytest.mark.parametrize("command", ["repair", "accept 2"])
def test_a_hanging_compiler_is_ended_by_an_interrupt(play: Callable[..., Any], command: str) -> None:
    session = play(PROGRAM)
    session(STORY)
    if command != "repair":
        session("repair --no-question")
    before = holds(session)
    with hanging_compiler(session), pytest.raises(CommandError, match="gcc was interrupted"):
        session(command)
    assert not lost(before, holds(session))
    still_works(session)


def test_a_compiler_that_hangs_at_the_start_is_ended_by_ctrl_c(tmp_path: Path) -> None:
    (tmp_path / "program.c").write_text(PROGRAM)
    os.mkfifo(tmp_path / "started")
    gcc = tmp_path / "gcc"
    gcc.write_text(f"#!/bin/sh\necho > {tmp_path}/started\nexec sleep 1000\n")
    gcc.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    shell = subprocess.Popen(
        [sys.executable, "-m", "wolverine", "program.c", "--batch"],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # who runs tests may ignore it
    )
    (tmp_path / "started").read_bytes()
    shell.send_signal(signal.SIGINT)
    _, errors = shell.communicate()
    assert "Traceback" not in errors
    assert errors.strip()
    assert shell.returncode in (2, 130)
