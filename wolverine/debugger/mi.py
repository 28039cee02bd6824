"""gdb behind its machine interface: one command, one answer, no fixed waits.

pygdbmi's parser reads the records; its controller is not used because it waits a fixed time for
every answer.  Each command carries a token, and `command` returns with the record of that token.
Stops are queued in `stops` as they arrive.
"""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import subprocess
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pygdbmi import gdbmiparser

from wolverine.debugger.terminal import Terminal
from wolverine.errors import DebuggerError, DebuggerLostError, ToolMissingError

_RECORD = re.compile(r"\d*[*^=+]")
_STRING = r'"(?:[^"\\]|\\.)*"'
_SCRIPT = re.compile(rf"script=\{{({_STRING}(?:,{_STRING})*)\}}")
Payload = dict[str, Any]
Waited = Literal["stopped", "woken", "deadline", "lost"]


@dataclass(slots=True)
class Answer:
    """A result record: `kind` is done, running, connected or exit; `text` what gdb printed meanwhile.

    `complaint` is what it wrote to its error stream though the command is no error to it.
    """

    kind: str
    payload: Payload
    text: str
    complaint: str = ""


class Gdb:
    """A gdb process, its command channel and the debugged program's terminal in one loop."""

    def __init__(
        self,
        arguments: Sequence[str],
        terminal: Terminal,
        *,
        environment: Mapping[str, str] | None = None,
        log: Callable[[str], None] | None = None,
        on_notice: Callable[[str, Payload], None] | None = None,
    ) -> None:
        self._terminal = terminal
        self._log = log
        self._on_notice = on_notice
        try:
            self._process = subprocess.Popen(
                list(arguments),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                bufsize=0,
                start_new_session=True,
                env=environment,
            )
        except FileNotFoundError:
            raise ToolMissingError(f"{arguments[0]} is not installed (Debian: apt install gdb)") from None
        assert self._process.stdin and self._process.stdout
        self._input = self._process.stdin.fileno()
        self._output = self._process.stdout.fileno()
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)
        self._tail: list[bytes] = []
        self._token = 0
        self._results: dict[int, tuple[str, Payload]] = {}
        self._text: list[str] = []
        self._errors: list[str] = []
        self.stops: deque[Payload] = deque()
        self.spoken: list[str] = []  # since the process stopped
        self._standing = False
        self.running = False
        self.lost = False
        self.on_wake: Callable[[], None] | None = None

    @property
    def pid(self) -> int:
        """gdb's own process id."""
        return self._process.pid

    def wake(self) -> None:
        """Make `wait` and `command` look up; safe in a signal handler and from another thread."""
        with contextlib.suppress(OSError):
            os.write(self._wake_write, b"!")

    def clear_wake(self) -> None:
        """Forget calls of `wake` that nobody waited for."""
        with contextlib.suppress(OSError):
            os.read(self._wake_read, 4096)

    def command(
        self, text: str, budget: float | None = None, late: Callable[[], None] = lambda: None
    ) -> Answer:
        """Send one MI command and wait for its result; a `wake` meanwhile goes to `on_wake`.

        `late` is called when it takes longer than `budget` seconds.
        Raises DebuggerError with gdb's message, DebuggerLostError when gdb is gone.
        """
        deadline = time.monotonic() + budget if budget is not None else None
        token = self.send(text)
        while token not in self._results:
            if self._pump(deadline) and self.on_wake is not None:
                self.on_wake()
            if deadline is not None and time.monotonic() >= deadline:
                deadline = None
                late()
            if self.lost and token not in self._results:
                raise DebuggerLostError("gdb has ended")
        kind, payload = self._results.pop(token)
        printed = "".join(self._text)
        self._text.clear()
        if kind == "error":
            message = payload.get("msg") or "".join(self._errors) or "gdb refused the command"
            self._errors.clear()
            raise DebuggerError(str(message).strip())
        complaint = "".join(self._errors).strip()
        self._errors.clear()
        return Answer(kind, payload, printed, complaint)

    def send(self, text: str) -> int:
        """Write a command without waiting; the token of its result."""
        self._token += 1
        if self._log:
            self._log(f"> {self._token}{text}")
        line = f"{self._token}{text}\n".encode("utf-8", "surrogateescape")
        try:
            while line:
                line = line[os.write(self._input, line) :]
        except OSError:
            self.lost = True
            raise DebuggerLostError("gdb has ended") from None
        return self._token

    def listen(self) -> None:
        """`spoken` is what gdb prints from the next stop on."""
        self.spoken.clear()
        self._standing = False

    def wait(self, deadline: float | None) -> Waited:
        """Wait until a stop is in `stops`, a `wake`, the monotonic time `deadline`, or gdb's end."""
        while True:
            if self.stops:
                return "stopped"
            if self.lost:
                return "lost"
            if deadline is not None and time.monotonic() >= deadline:
                return "deadline"
            if self._pump(deadline):
                return "woken"

    def printed(self) -> str:
        """What gdb printed since the last command, cleared."""
        printed = "".join(self._text)
        self._text.clear()
        return printed

    def abandon(self) -> None:
        """End gdb: it does not do what it should; `lost` from then on."""
        with contextlib.suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self.lost = True

    def close(self) -> None:
        """End gdb, and the program with it."""
        if not self.lost and self._process.poll() is None:
            with contextlib.suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream:
                with contextlib.suppress(OSError):
                    stream.close()
        os.close(self._wake_read)
        os.close(self._wake_write)

    def _pump(self, deadline: float | None) -> bool:
        """Wait for something to happen and handle it; true when woken."""
        timeout = None if deadline is None else max(0.0, deadline - time.monotonic())
        watched = [self._output, self._terminal.fileno(), self._wake_read]
        ready, _, _ = select.select(watched, [], [], timeout)
        if self._terminal.fileno() in ready:
            self._terminal.drain()
        if self._output in ready:
            self._receive()
        if self._wake_read in ready:
            self.clear_wake()
            return True
        return False

    def _receive(self) -> None:
        data = os.read(self._output, 1 << 20)
        if not data:
            self.lost = True
            return
        head, newline, tail = data.rpartition(b"\n")
        if not newline:
            self._tail.append(data)
            return
        complete = b"".join((*self._tail, head))
        self._tail = [tail] if tail else []
        for line in complete.split(b"\n"):
            self._record(line.decode("utf-8", "replace").rstrip("\r"))

    def _record(self, line: str) -> None:
        if not line or line.startswith("(gdb)"):
            return
        if self._log:
            self._log(f"< {line}")
        if _RECORD.match(line):
            # A list in braces is more than the parser knows.
            line = _SCRIPT.sub(r"script=[\1]", line) if "script={" in line else line
            # The parser never comes to an end in an array that does not; behind a record it skips text.
            line += "]" * line.count("[")
        try:
            record = gdbmiparser.parse_response(line)
        except Exception:  # the parser raises whatever its regular expressions meet
            return
        kind, message, payload = record["type"], record["message"], record["payload"]
        if kind == "result":
            if record["token"] is not None:
                self._results[record["token"]] = (message, payload or {})
            if message == "running":
                self.running = True
        elif kind == "notify":
            if message == "running":
                self.running = True
                self._standing = False
            elif message == "stopped":
                self.running = False
                self._standing = True
                self.stops.append(payload or {})
            elif self._on_notice:
                self._on_notice(message, payload or {})
        elif kind == "console":
            self._text.append(str(payload))
            if self._standing:
                self.spoken.append(str(payload))
        elif kind == "log":
            self._errors.append(str(payload))
