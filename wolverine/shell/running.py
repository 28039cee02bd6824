"""Carrying out a command while the keyboard stays alive.

The command runs in a worker thread.  Meanwhile the main thread passes typed lines on to the debugged
program while that waits for them, and turns Ctrl-C into an interrupt of the command.
"""

from __future__ import annotations

import os
import select
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Protocol

from wolverine.shell.waiting import program_waits

# How often a running command is looked at for a program that waits for input, in seconds.
_LOOK = 0.05
_PATIENCE = 1.0  # seconds until it is said that something takes long, and how often
_END_OF_FILE = b"\x04"


class Debuggee(Protocol):
    """Who is interrupted and given input."""

    def interrupt(self) -> None:
        """Stop what runs.  Safe from signal handlers."""

    def send_input(self, data: bytes) -> None:
        """A line for the program; `\\x04` ends its input."""

    def unread(self) -> bool:
        """Whether the program has not yet read all that it was sent."""


class Ahead(Protocol):
    """What was typed at a prompt before it was asked for."""

    def line(self) -> bytes:
        """The first whole line, taken away; b"" for none."""

    def begun(self) -> bytes:
        """What there is of a line without its end, taken away."""

    def add(self, text: str) -> None:
        """Text that is to be read behind what there is."""


class Elsewhere(Protocol):
    """Who else sees that the program waits, and may give it a line: the pages."""

    def watched(self) -> bool:
        """Whether anybody is there."""

    def waits(self, now: bool) -> None:
        """The program waits for a line from now on, or does not any more."""

    def typed(self) -> bytes:
        """The next line for the program, taken away; b"" for none."""


class Runner:
    """Runs work; `keyboard` is the descriptor whose lines go to the program, None for none of them.

    `typed` is called after each line that was passed on, with those that the terminal has not echoed; `waits`
    tells when the program wants one. What is `ahead` goes to it first, then what was typed `elsewhere`.
    """

    def __init__(
        self,
        debuggee: Debuggee,
        keyboard: int | None,
        typed: Callable[[str], None],
        waits: Callable[[], bool] = program_waits,
        ahead: Ahead | None = None,
    ) -> None:
        self._debuggee = debuggee
        self._keyboard = keyboard
        self._typed = typed
        self._waits = waits
        self.ahead = ahead
        self.elsewhere: Elsewhere | None = None

    def run(self, work: Callable[[], None], waiting: Callable[[int], None] | None = None) -> None:
        """Do the work to its end; raises what it raises.

        `waiting` hears every second how many have passed, in the calling thread.
        """
        raised: list[BaseException] = []
        done, tell = os.pipe()

        def guarded() -> None:
            try:
                work()
            except BaseException as error:
                raised.append(error)
            finally:
                os.write(tell, b".")

        with _interrupting(self._debuggee.interrupt):
            worker = threading.Thread(target=guarded, name="command", daemon=True)
            worker.start()
            self._attend(done, waiting)
            worker.join()
        # Left open when the process is told to end here: the worker may still write.
        os.close(done)
        os.close(tell)
        if raised:
            raise raised[0]

    def _attend(self, done: int, waiting: Callable[[int], None] | None) -> None:
        began = told = time.monotonic()
        others = self.elsewhere if self.elsewhere is not None and self.elsewhere.watched() else None
        attends = self._keyboard is not None or others is not None
        looks = attends or waiting is not None
        asked = False
        while not select.select([done], [], [], _LOOK if looks else None)[0]:
            asks = attends and self._waits() and not self._debuggee.unread()
            if others is not None and asks is not asked:
                asked = asks
                others.waits(asks)
            if asks:
                self._forward(done, others)
            now = time.monotonic()
            if waiting is not None and now - told >= _PATIENCE:
                told = now
                waiting(round(now - began))
        if others is not None and asked:
            others.waits(False)

    def _forward(self, done: int, others: Elsewhere | None) -> None:
        line = self.ahead.line() if self.ahead is not None else b""
        if line or (others is not None and (line := others.typed())):
            self._debuggee.send_input(line)
            self._typed(line.decode("utf-8", "replace").rstrip("\n\x04"))
        elif self._keyboard is not None:
            self._read(done, self._keyboard)

    def _read(self, done: int, keyboard: int) -> None:
        ready = select.select([done, keyboard], [], [], _LOOK)[0]
        if keyboard in ready and done not in ready:
            try:
                line = os.read(keyboard, 1 << 16)
            except OSError:
                line = b""
            if self.ahead is not None:
                if b"\r" in line:
                    # Typed while a prompt had the terminal: several lines may have come at once, unseen.
                    self.ahead.add(line.decode("utf-8", "surrogateescape"))
                    return
                line = self.ahead.begun() + line
            self._debuggee.send_input(line or _END_OF_FILE)
            self._typed("")


@contextmanager
def _interrupting(interrupt: Callable[[], None]) -> Iterator[None]:
    """While inside, SIGINT calls `interrupt` instead of raising KeyboardInterrupt."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def handler(_number: int, _frame: FrameType | None) -> None:
        interrupt()

    before = signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
