"""What an effect has to do so that a failure to come is none; see `influence`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Cells = frozenset[int]
ANY = object()  # whatever is written
NEVER = object()  # nothing that is written


@dataclass(frozen=True, slots=True)
class Need:
    """What has to change at some time for a root to be met.

    A cell of `cells`; or `key` has to hold `raw`, -1 where it is overwritten later.
    """

    cells: Cells
    key: int
    raw: Any


class Demand:
    """What an effect has to do for each of the needs, where the statement as it is writes to cell `mine`."""

    __slots__ = ("_held", "_left", "_mine")

    def __init__(self, left: Sequence[Need], mine: int, held: Mapping[int, Any]) -> None:
        self._left = left
        self._mine = mine
        self._held = held

    def of(self, key: int) -> Any:
        """What has to be written to that cell (0: nothing is written): a value, ANY or NEVER."""
        wanted: Any = ANY
        for need in self._left:
            if key in need.cells:
                continue
            if key == need.key:
                wanted = need.raw
            elif need.key != self._mine or self._held.get(need.key, need.raw) != need.raw:
                return NEVER
        return wanted
