"""A failure to come, and what an effect has to do on the way to it so that it does not; see `influence`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wolverine.repair.again import Repeated
from wolverine.repair.demand import Demand
from wolverine.repair.effects import CRASH, Effect
from wolverine.repair.way import Way, needs


class Foreseen:
    """The way to the failure: what is needed right behind each execution of a location that may change."""

    def __init__(self, way: Way) -> None:
        self.needs = needs(way)
        self._repeated = Repeated(way, self.needs)

    def behind(self, location: int, times: int, mine: Effect, held: Mapping[int, Any]) -> Demand | None:
        """What another effect than `mine`, that of the statement as it is, has to do in memory `held`.

        `times` says how often the location was executed by then.  None for anything: where the location is
        executed once more (see `left`), where it is what fails, and where nothing is known.
        """
        needed = self.needs.get((location, times))
        if not needed or mine == CRASH or not isinstance(mine, tuple) or (location, times + 1) in self.needs:
            return None
        *roots, control = needed
        left = [need for need in roots if mine[0] not in need.cells]
        lasting = self._repeated.lasting(location, times) if mine[0] not in control.cells else None
        return Demand(left, mine[0], held, control.cells, lasting) if left or lasting else None

    def left(
        self,
        location: int,
        times: int,
        mine: Effect,
        held: Mapping[int, Any],
        classes: dict[Effect, int],
    ) -> dict[Effect, int]:
        """The choices that may do what is needed, now or where the location is executed once more."""
        if not isinstance(mine, tuple) or (location, times + 1) not in self.needs:
            return classes
        left, cell = self._repeated.left, max(mine[0], 0)
        return {
            e: kept for e, mask in classes.items() if (kept := left(location, times, cell, held, e, mask))
        }
