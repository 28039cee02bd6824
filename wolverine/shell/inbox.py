"""Lines that come from elsewhere, from a page, say: commands for a reader, or input for the program."""

from __future__ import annotations

import os
import select
import threading
from collections import deque
from collections.abc import Callable

from wolverine.shell.lines import Line

_CHUNK = 1 << 16


class Inbox:
    """Lines in the order in which they came.  Safe from all threads."""

    def __init__(self) -> None:
        self._lines: deque[Line] = deque()
        self._input: deque[bytes] = deque()
        self._lock = threading.Lock()
        self._wake: Callable[[], object] | None = None

    def put(self, text: str) -> None:
        """A line that is carried out when those before it are through."""
        with self._lock:
            self._lines.append(Line(text, echo=True))
            if self._wake is not None:
                self._wake()

    def take(self) -> Line | None:
        """The first line, if there is one."""
        with self._lock:
            return self._lines.popleft() if self._lines else None

    def type(self, data: bytes) -> None:
        """A line for the program, kept until it waits; it ends with `\\n`, or `\\x04` to end input."""
        with self._lock:
            self._input.append(data)

    def typed(self) -> bytes:
        """The first line for the program, taken away; b"" for none."""
        with self._lock:
            return self._input.popleft() if self._input else b""

    def forget_input(self) -> None:
        """The program that it was for has ended."""
        with self._lock:
            self._input.clear()

    def listen(self, wake: Callable[[], object] | None) -> None:
        """Call `wake` for each line from now on, and at once if one is there; None ends that."""
        with self._lock:
            self._wake = wake
            if wake is not None and self._lines:
                wake()


class Piped:
    """Lines from a descriptor that is no terminal, and those of the inbox between them."""

    def __init__(self, descriptor: int, inbox: Inbox) -> None:
        self._descriptor = descriptor
        self._inbox = inbox
        self._buffer = b""
        self._ended = False

    def read(self, continuation: bool = False) -> Line | None:
        """The next line, None at the end of what the descriptor gives."""
        while True:
            if not continuation and (line := self._inbox.take()) is not None:
                return line
            text, newline, rest = self._buffer.partition(b"\n")
            if newline or (self._ended and text):
                self._buffer = rest
                return Line(text.decode("utf-8", "surrogateescape").rstrip("\r"))
            if self._ended:
                return None
            self._wait(self._inbox if not continuation else Inbox())

    def _wait(self, inbox: Inbox) -> None:
        """Until there is more of either."""
        ready, tell = os.pipe()
        try:
            inbox.listen(lambda: os.write(tell, b"."))
            found = select.select([self._descriptor, ready], [], [])[0]
        finally:
            inbox.listen(None)
            os.close(ready)
            os.close(tell)
        if self._descriptor in found:
            chunk = os.read(self._descriptor, _CHUNK)
            self._buffer += chunk
            self._ended = not chunk
