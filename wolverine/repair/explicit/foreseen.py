"""A failure to come, and what an effect has to do on the way to it so that it does not; see `influence`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wolverine.repair.execution.demand import Demand, Either
from wolverine.repair.execution.effects import CRASH, Effect
from wolverine.repair.explicit.again import Repeated
from wolverine.repair.explicit.way import Way, needs


class Foreseen:
    """The ways to the failure: what is needed right behind each execution of a location that may change.

    There are several where the choices of an edit that was made part: it is enough to be of use on one.
    """

    def __init__(self, ways: Sequence[Way]) -> None:
        self._needs = [needs(way) for way in ways]
        self._repeated = [Repeated(way, found) for way, found in zip(ways, self._needs, strict=True)]

    def executed(self, location: int, times: int) -> bool:
        """Whether a location is executed so often."""
        return any((location, times) in each for each in self._needs)

    def behind(
        self, location: int, times: int, mine: Effect, held: Mapping[int, Any]
    ) -> Demand | Either | None:
        """What another effect than `mine`, that of the statement as it is, has to do in memory `held`.

        `times` says how often the location was executed by then.  None for anything: where the location is
        executed once more (see `left`), where it is what fails, and where nothing is known.
        """
        if mine == CRASH or not isinstance(mine, tuple) or self.executed(location, times + 1):
            return None
        found: list[Demand] = []
        for each, repeated in zip(self._needs, self._repeated, strict=True):
            needed = each.get((location, times))
            if not needed:
                return None
            *roots, control = needed
            left = [need for need in roots if mine[0] not in need.cells]
            lasting = repeated.lasting(location, times) if mine[0] not in control.cells else None
            if not (left or lasting):
                return None
            found.append(Demand(left, mine[0], held, control.cells, lasting))
        return found[0] if len(found) == 1 else Either(found)

    def left(
        self,
        location: int,
        times: int,
        mine: Effect,
        held: Mapping[int, Any],
        classes: dict[Effect, int],
    ) -> dict[Effect, int]:
        """The choices that may do what is needed, now or where the location is executed once more."""
        if mine == CRASH or not isinstance(mine, tuple) or not self.executed(location, times + 1):
            return classes
        cell, found = max(mine[0], 0), {}
        for effect, mask in classes.items():
            kept = 0
            for repeated in self._repeated:
                if kept != mask:
                    kept |= repeated.left(location, times, cell, held, effect, mask)
            if kept:
                found[effect] = kept
        return found
