"""What the program has written and going back has undone: it stays where it was written."""

from __future__ import annotations

from collections.abc import Sequence


class Undone:
    """The ranges of what was written that are undone, each byte by its number."""

    def __init__(self) -> None:
        self._ranges: list[tuple[int, int]] = []

    def add(self, first: int, end: int) -> int:
        """The bytes from `first` to before `end` are undone; how many of them were not before."""
        size = _unmarked(first, end, self._ranges)
        if size:
            self._ranges.append((first, end))
        return size


def _unmarked(first: int, end: int, marked: Sequence[tuple[int, int]]) -> int:
    """How many of the numbers from `first` to before `end` lie in none of the `marked` ranges."""
    size, at = 0, first
    for low, high in sorted(marked):
        if low > at:
            size += min(low, end) - min(at, end)
        at = max(at, high)
    return size + max(end - at, 0)
