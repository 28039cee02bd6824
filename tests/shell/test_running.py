"""The keyboard while a command runs."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from scripted_session import ScriptedSession

from wolverine.shell.running import Runner
from wolverine.shell.waiting import program_waits


@pytest.fixture
def keyboard() -> Iterator[tuple[int, int]]:
    reading, writing = os.pipe()
    yield reading, writing
    os.close(reading)
    os.close(writing)


def test_what_the_work_raises_comes_out() -> None:
    def work() -> None:
        raise ValueError("from the worker")

    with pytest.raises(ValueError, match="from the worker"):
        Runner(ScriptedSession(print), None, lambda text: None).run(work)


def test_who_waits_hears_for_how_long() -> None:
    heard: list[int] = []
    told = threading.Event()

    def waiting(seconds: int) -> None:
        heard.append(seconds)
        told.set()

    Runner(ScriptedSession(print), None, lambda text: None).run(lambda: _wait(told), waiting)
    assert heard[0] >= 1


def test_a_line_goes_to_a_program_that_waits(keyboard: tuple[int, int]) -> None:
    session = ScriptedSession(print)
    arrived = threading.Event()
    os.write(keyboard[1], b"42\n")
    Runner(session, keyboard[0], lambda text: arrived.set(), lambda: True).run(lambda: _wait(arrived))
    assert session.input == [b"42\n"]


def test_a_line_stays_where_it_is_while_the_program_does_not_ask(keyboard: tuple[int, int]) -> None:
    session = ScriptedSession(print)
    looked = threading.Event()

    def waits() -> bool:
        looked.set()
        return False

    os.write(keyboard[1], b"next\n")
    Runner(session, keyboard[0], lambda text: None, waits).run(lambda: _wait(looked))
    assert session.input == []
    assert os.read(keyboard[0], 100) == b"next\n"


class _Ahead:
    """Lines and the beginning of one."""

    def __init__(self, lines: list[bytes], begun: bytes = b"") -> None:
        self.lines, self._begun = lines, begun

    def line(self) -> bytes:
        return self.lines.pop(0) if self.lines else b""

    def begun(self) -> bytes:
        begun, self._begun = self._begun, b""
        return begun

    def add(self, text: str) -> None:
        self.lines += [each.encode() + b"\n" for each in text.split("\r") if each]


def test_what_was_typed_ahead_comes_before_the_keyboard(keyboard: tuple[int, int]) -> None:
    session = ScriptedSession(print)
    shown: list[str] = []
    arrived = threading.Event()

    def typed(text: str) -> None:
        shown.append(text)
        if len(session.input) == 2:
            arrived.set()

    os.write(keyboard[1], b"3\n")
    runner = Runner(session, keyboard[0], typed, lambda: True, _Ahead([b"1\n"], b"2 "))
    runner.run(lambda: _wait(arrived))
    assert session.input == [b"1\n", b"2 3\n"]
    assert shown == ["1", ""]


class _Page:
    """Somebody elsewhere who has lines for the program, and hears whether it waits."""

    def __init__(self, lines: list[bytes]) -> None:
        self.lines, self.heard = lines, [False]

    def watched(self) -> bool:
        return True

    def waits(self, now: bool) -> None:
        self.heard.append(now)

    def typed(self) -> bytes:
        return self.lines.pop(0) if self.lines else b""


def test_who_is_elsewhere_hears_that_the_program_waits_and_gives_it_lines() -> None:
    session = ScriptedSession(print)
    shown: list[str] = []
    arrived = threading.Event()

    def typed(text: str) -> None:
        shown.append(text)
        if text == "3":
            arrived.set()

    page = _Page([b"1 2\n", b"3\n"])
    runner = Runner(session, None, typed, lambda: True)
    runner.elsewhere = page
    runner.run(lambda: _wait(arrived))
    assert session.input == [b"1 2\n", b"3\n"]
    assert shown == ["1 2", "3"]  # the terminal has not echoed what was typed elsewhere
    assert page.heard == [False, True, False]


def test_lines_that_came_at_once_go_one_by_one(keyboard: tuple[int, int]) -> None:
    session = ScriptedSession(print)
    arrived = threading.Event()
    ahead = _Ahead([])
    os.write(keyboard[1], b"1\rnext\r")
    runner = Runner(session, keyboard[0], lambda text: arrived.set(), lambda: not session.input, ahead)
    runner.run(lambda: _wait(arrived))
    assert session.input == [b"1\n"]
    assert ahead.lines == [b"next\n"]


def test_nothing_is_sent_while_something_is_unread(keyboard: tuple[int, int]) -> None:
    session = ScriptedSession(print)
    looked = threading.Event()

    def unread() -> bool:
        looked.set()
        return True

    session.unread = unread  # type: ignore[method-assign]
    ahead = _Ahead([b"next\n"])
    Runner(session, keyboard[0], lambda text: None, lambda: True, ahead).run(lambda: _wait(looked))
    assert ahead.lines == [b"next\n"]


def test_the_end_of_the_keyboard_ends_the_programs_input() -> None:
    session = ScriptedSession(print)
    arrived = threading.Event()
    with Path(os.devnull).open("rb") as nothing:
        runner = Runner(session, nothing.fileno(), lambda text: arrived.set(), lambda: not arrived.is_set())
        runner.run(lambda: _wait(arrived))
    assert session.input == [b"\x04"]


def test_sigint_interrupts_the_work_and_nothing_else() -> None:
    session, before = ScriptedSession(print), signal.getsignal(signal.SIGINT)

    def work() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        _wait(session.interrupted)

    Runner(session, None, lambda text: None).run(work)
    assert signal.getsignal(signal.SIGINT) is before


def _wait(event: threading.Event) -> None:
    assert event.wait(30)


READER = "import sys; print('ready', flush=True); sys.stdin.readline()"


def test_a_child_that_reads_its_own_terminal_waits() -> None:
    master, slave = pty.openpty()
    try:
        with subprocess.Popen([sys.executable, "-c", READER], stdin=slave, stdout=subprocess.PIPE) as child:
            assert child.stdout is not None
            child.stdout.readline()
            while not program_waits():
                assert child.poll() is None
            os.write(master, b"\n")
            child.wait()
        assert not program_waits()
    finally:
        os.close(master)
        os.close(slave)


def test_a_child_that_reads_a_pipe_does_not_wait_for_a_terminal() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", READER], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        assert not program_waits()
        child.communicate(b"\n")
