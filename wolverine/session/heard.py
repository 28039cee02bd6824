"""What the program has written on the way to a stop, also where that was repeated unseen."""

from __future__ import annotations

from dataclasses import dataclass

_MOST = 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class Heard:
    """All that was written up to a moment: `text`, behind what was written `before`."""

    before: Heard | None = None
    text: bytes = b""
    size: int = 0

    def more(self, text: bytes) -> Heard:
        """What was written once this has been written as well; of too much only the size is kept."""
        size = self.size + len(text)
        return Heard(self, text if size <= _MOST else b"", size)

    def since(self, earlier: Heard) -> bytes | None:
        """What was written since; None where that is not known any more, or that is no earlier moment."""
        pieces: list[bytes] = []
        at: Heard | None = self
        while at is not None and at is not earlier:
            pieces.append(at.text)
            at = at.before
        text = b"".join(reversed(pieces))
        return text if at is not None and len(text) == self.size - earlier.size else None


NOTHING_HEARD = Heard()
