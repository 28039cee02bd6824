"""States from which no path on was found that meets the next assertion.

Whether such a path exists depends on the machine's state, on the edits that are left, and on what is
decided about the locations up to that assertion.  Two insertions of one statement in neighbouring gaps
lead to one state: what follows is explored once (Wolverine2 has no counterpart).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from wolverine.repair.execution.spaces import Ledger
from wolverine.repair.explicit.outlook import Outlook

_ROOM = 200_000  # states that are kept


@dataclass(slots=True)
class Point:
    """A state on the present path, and how often its next assertion had been met when it was reached."""

    state: Hashable
    place: tuple[int, int]  # the trace and the group of the assertion
    met: int
    ended: int


class DeadStates:
    """The table of one search; `outlooks` are those of its traces."""

    def __init__(self, outlooks: Sequence[Outlook], ledger: Ledger) -> None:
        self._outlooks = outlooks
        self._ledger = ledger
        self._met: dict[tuple[int, int], int] = {}
        self._dead: set[Hashable] = set()
        self.ended = 0  # how often a trace came to its end

    def clear(self) -> None:
        """Begin anew."""
        self._met.clear()
        self._dead.clear()

    def meet(self, number: int, before: int, now: int) -> None:
        """The groups of trace `number` from `before` up to `now` are met."""
        for group in range(before, now):
            self._met[number, group] = self._met.get((number, group), 0) + 1

    def nowhere(
        self,
        number: int,
        following: int,
        left: Hashable,
        allowed: frozenset[int] | None,
        points: list[Point],
    ) -> bool:
        """Whether all that follows the present state was looked at before, in vain; else it joins `points`.

        `left` says how many edits may still be made and what they have to hit, `allowed` where they may be.
        """
        point = self._point(number, following, left, allowed)
        if point is not None:
            if point.state in self._dead:
                return True
            points.append(point)
        return False

    def _point(
        self, number: int, following: int, left: Hashable, allowed: frozenset[int] | None
    ) -> Point | None:
        """The present state; None where the way to the next assertion is not known."""
        outlook = self._outlooks[number]
        found = outlook.way(following)
        if found is None:
            return None
        (way, counts), machine = found, outlook.machine
        decided, agree = self._ledger.decided, self._ledger.agree
        masks = tuple((x, x in decided, decided.get(x, agree.get(x))) for x in way.locations)
        open_ = way.all if allowed is None else way.all & allowed
        state = (
            number,
            following,
            machine.key(),
            machine.calls,
            counts,
            left,
            open_,
            masks,
        )
        place = number, way.group
        return Point(state, place, self._met.get(place, 0), self.ended)

    def explored(self, points: Sequence[Point]) -> None:
        """All that follows these states was looked at."""
        if len(self._dead) >= _ROOM:
            return
        for point in points:
            if point.ended == self.ended and point.met == self._met.get(point.place, 0):
                self._dead.add(point.state)
