"""What the program writes, on its way to people: of what has no end only the beginning."""

from __future__ import annotations

import codecs
from collections.abc import Callable

from wolverine.session import results

_BYTES = 1 << 18
_LINES = 5_000


class Outlet:
    """Passes on what the program writes during one command, so many bytes and lines of it."""

    def __init__(self, emit: Callable[[results.Result], None]) -> None:
        self._emit = emit
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.begin()

    def begin(self) -> None:
        """Another command."""
        self._bytes, self._lines = _BYTES, _LINES
        self._left_bytes = self._left_lines = 0

    def write(self, data: bytes) -> None:
        """The program has written this: a part of it, which may end anywhere."""
        shown = self._within(data)
        left = data[len(shown) :]
        self._bytes -= len(shown)
        self._lines -= shown.count(b"\n")
        self._left_bytes += len(left)
        self._left_lines += left.count(b"\n")
        text = self._decoder.decode(shown, final=bool(left))
        if text:
            self._emit(results.Output(text))

    def _within(self, data: bytes) -> bytes:
        """The beginning of it that may still be shown."""
        if self._left_bytes or not self._lines:
            return b""
        shown = data[: self._bytes]
        if shown.count(b"\n") > self._lines:
            shown = b"\n".join(shown.split(b"\n", self._lines)[:-1]) + b"\n"
        return shown

    def tell(self) -> None:
        """Say what was left out since this was said last."""
        if self._left_bytes:
            lines = f"{self._left_lines:,} more lines, " if self._left_lines else ""
            self._emit(
                results.Note(f"the program wrote more than is shown: {lines}{self._left_bytes:,} bytes")
            )
            self.begin()
