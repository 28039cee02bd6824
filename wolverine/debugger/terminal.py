"""The debugged program's own terminal.

The program must see a terminal, else stdio buffers its output until the end.  What it writes goes
through the kernel asynchronously; `synchronise` writes a marker behind it from the same side and
reads up to the marker, so that all output of the past is known to have been read.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import sys
import termios
from collections.abc import Callable, Iterator

_CHUNK = 1 << 16


class Terminal:
    """A pseudo-terminal; `on_output` receives what the program writes, in order."""

    def __init__(self, on_output: Callable[[bytes], None]) -> None:
        self._on_output = on_output
        self._master, self._slave = os.openpty()
        self._marker = b"\x00\x1a" + os.urandom(6).hex().encode() + b"\x1a\x00"
        self._typed = bytearray()
        self.path = os.ttyname(self._slave)
        _configure(self._slave)
        os.set_blocking(self._master, False)
        os.set_blocking(self._slave, False)

    def fileno(self) -> int:
        """The descriptor that becomes readable when the program has written."""
        return self._master

    @contextlib.contextmanager
    def unheard(self) -> Iterator[None]:
        """Within, what the program writes is passed on to nobody."""
        self.synchronise()
        heard, self._on_output = self._on_output, lambda data: None
        try:
            yield
            self.synchronise()
        finally:
            self._on_output = heard

    def drain(self) -> None:
        """Pass on what has arrived, at most one chunk."""
        try:
            data = os.read(self._master, _CHUNK)
        except (BlockingIOError, OSError):
            return
        if data:
            self._on_output(data)

    def synchronise(self) -> None:
        """Pass on everything that was written before this call."""
        left = self._marker
        seen = b""
        while True:
            if left:
                with contextlib.suppress(BlockingIOError):
                    left = left[os.write(self._slave, left) :]
            select.select([self._master], [], [], 0.05)
            try:
                seen += os.read(self._master, _CHUNK)
            except BlockingIOError:
                continue
            except OSError:
                break
            head, found, tail = seen.partition(self._marker)
            if found:
                seen = head + tail
                break
            safe = len(seen) - len(self._marker)
            if safe > 0:
                self._on_output(seen[:safe])
                seen = seen[safe:]
        if seen:
            self._on_output(seen)

    def type(self, data: bytes) -> None:
        """Give the program input; it sees a line when its end arrives, `\\x04` is end of file."""
        self._typed += data
        self._write(data)

    def type_again(self, position: int) -> None:
        """Let the program read what was typed from that byte on, once more."""
        if not self._typed:
            return
        with contextlib.suppress(termios.error):
            termios.tcflush(self._slave, termios.TCIFLUSH)
        self._write(bytes(self._typed[position:]))

    def _write(self, data: bytes) -> None:
        while data:
            try:
                data = data[os.write(self._master, data) :]
            except BlockingIOError:
                select.select([], [self._master], [], 0.05)

    def consumed(self) -> int:
        """How many typed bytes the program has read."""
        waiting = fcntl.ioctl(self._slave, termios.FIONREAD, bytes(4))
        return len(self._typed) - int.from_bytes(waiting, sys.byteorder)

    def unread(self) -> bool:
        """Whether the program has not yet read all whole lines that were typed."""
        return self.consumed() < len(self._typed)

    def forget_input(self) -> None:
        """Throw away input that was typed and not read."""
        read = self.consumed()
        with contextlib.suppress(termios.error):
            termios.tcflush(self._slave, termios.TCIFLUSH)
        del self._typed[read:]

    def reset(self) -> None:
        """Undo what a program has done to the terminal's modes."""
        with contextlib.suppress(termios.error):
            _configure(self._slave)

    def close(self) -> None:
        """Release both ends."""
        for descriptor in (self._master, self._slave):
            with contextlib.suppress(OSError):
                os.close(descriptor)


def _configure(descriptor: int) -> None:
    """Lines come whole, nothing is echoed or translated, control characters make no signals."""
    modes = termios.tcgetattr(descriptor)
    modes[0] &= ~(termios.ICRNL | termios.INLCR | termios.IGNCR | termios.IXON | termios.ISTRIP)
    modes[1] &= ~termios.OPOST
    modes[3] &= ~(termios.ECHO | termios.ECHONL | termios.ISIG | termios.IEXTEN)
    modes[3] |= termios.ICANON
    termios.tcsetattr(descriptor, termios.TCSANOW, modes)
