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
    """What an effect has to do for each of the needs, where the statement as it is writes to cell `mine`.

    What is written to a cell of `lasting`, but not of `control`, is there where the assertion is not met.
    """

    __slots__ = ("_control", "_held", "_lasting", "_left", "_mine")

    def __init__(
        self,
        left: Sequence[Need],
        mine: int,
        held: Mapping[int, Any],
        control: Cells = frozenset(),
        lasting: Mapping[int, Any] | None = None,
    ) -> None:
        self._left = left
        self._mine = mine
        self._held = held
        self._control = control
        self._lasting = lasting or {}

    def of(self, key: int) -> Any:
        """What has to be written to that cell (0: nothing is written): a value, ANY or NEVER."""
        wanted: Any = ANY
        for need in self._left:
            if key in need.cells:
                continue
            if key == need.key:
                if wanted is not ANY and wanted != need.raw:
                    return NEVER
                wanted = need.raw
            elif need.key != self._mine or self._held.get(need.key, need.raw) != need.raw:
                return NEVER
        if key in self._lasting and key not in self._control:
            asserted = self._lasting[key]
            return asserted if wanted is ANY or bool(wanted == asserted) else NEVER
        return wanted


class Either:
    """What an effect has to do to be of use in one of several ways."""

    __slots__ = ("_demands",)

    def __init__(self, demands: Sequence[Demand]) -> None:
        self._demands = demands

    def of(self, key: int) -> Any:
        """What has to be written to that cell (0: nothing is written): a value, ANY or NEVER."""
        found: Any = NEVER
        for demand in self._demands:
            wanted = demand.of(key)
            if wanted is ANY:
                return ANY
            if wanted is not NEVER:
                if found is not NEVER and found != wanted:
                    return ANY
                found = wanted
        return found
