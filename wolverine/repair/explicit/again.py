"""What an edit does where its location is executed again before the failure to come; see `influence`.

An effect that touches nothing of importance leaves the execution what it was, but for the cells that depend
on what it wrote.  So what the choices do at the next execution of the location is known from the execution
without an edit, unless they read one of these cells; and one of their effects has to touch what every
root of the failure depends on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wolverine.repair.execution.demand import Need
from wolverine.repair.execution.effects import NOOP, Effect
from wolverine.repair.explicit.way import Again, Execution, Step, Way, last_writes, outside


class Repeated:
    """The executions of the locations on one way to a failure, with what is needed right behind each."""

    def __init__(self, way: Way, needs: Mapping[Execution, Sequence[Need]]) -> None:
        self._way = way
        self._steps = way.steps
        self._asserted = way.asserted
        self._needs = needs
        self._roots = len(way.roots)
        self._at = {step.execution: n for n, step in enumerate(way.steps) if step.execution is not None}
        self._touching: dict[Execution, list[int] | None] = {}
        self._spread: dict[tuple[int, int, frozenset[int]], frozenset[int]] = {}
        self._last: tuple[dict[int, int], int] | None = None
        self._lasting: dict[int, dict[int, Any]] = {}

    def lasting(self, location: int, times: int) -> Mapping[int, Any]:
        """The asserted cells that nothing writes behind an execution, and what they should hold."""
        at = self._at[location, times]
        if at not in self._lasting:
            if self._last is None:
                self._last = last_writes(self._way)
            last, wild = self._last
            self._lasting[at] = (
                {key: raw for key, raw in self._asserted.items() if last.get(key, -1) <= at}
                if wild <= at
                else {}
            )
        return self._lasting[at]

    def left(
        self, location: int, times: int, mine: int, held: Mapping[int, Any], effect: Effect, mask: int
    ) -> int:
        """The choices of `mask` that may still do what is needed, if they all have this effect now.

        `mine` is the cell that the statement as it is writes, in memory `held`.
        """
        now = self._needs.get((location, times), ())
        if len(now) <= self._roots or not isinstance(effect, tuple) or effect[0] < 0:
            return mask
        (key, raw), control = effect, now[-1].cells
        missed = [
            number
            for number, need in enumerate(now[:-1])
            if not (
                mine in need.cells
                or (mine == need.key and held.get(mine, need.raw) == need.raw)
                or _touches(need, key, raw)
            )
        ]
        alive = [0] * len(now)
        if key not in control and mine not in control:
            lasting = self.lasting(location, times)
            if key in lasting and lasting[key] != raw:
                missed.append(self._roots)
        tainted = frozenset((key, mine)) - {0}
        at, times = self._at[location, times], times + 1
        while missed and (location, times) in self._at:
            later = self._at[location, times]
            step = self._steps[later]
            touching = self._touched(step)
            if touching is None or step.again is None:
                return mask
            tainted = self._reached(tainted, at, later)
            unsure = step.again.others
            for cell, readers in step.again.reads:
                if cell in tainted:
                    unsure |= readers
            for number in missed:
                alive[number] |= touching[number] | unsure
                if number == self._roots:
                    alive[number] |= self._writing(step.again, key)
            open_ = mask & ~_all(alive, missed)
            if not open_:
                return mask
            written = (e[0] for e, m in step.again.classes.items() if isinstance(e, tuple) and m & open_)
            tainted |= frozenset(written) | frozenset(write.cell for write in step.writes)
            at, times = later, times + 1
        return mask & _all(alive, missed) if missed else mask

    def _touched(self, step: Step) -> list[int] | None:
        """The choices that touch what is needed behind a later execution; None where that is not known."""
        assert step.execution is not None
        name = step.execution
        if name not in self._touching:
            needs = self._needs.get(name, ())
            known: list[int] | None = None
            if step.again is not None and len(needs) > self._roots:
                known = [self._mask(step.again, need, step) for need in needs]
            self._touching[name] = known
        return self._touching[name]

    @staticmethod
    def _mask(again: Again, need: Need, step: Step) -> int:
        if any(write.cell in need.cells or write.cell == need.key for write in step.writes):
            return -1  # it may suffice not to write it
        found = again.others
        for effect, mask in again.classes.items():
            if not isinstance(effect, tuple) or effect[0] < 0 or _touches(need, *effect):
                found |= mask
        return found

    @staticmethod
    def _writing(again: Again, key: int) -> int:
        """The choices that write to the cell, those included that write what would be there."""
        found = again.classes.get(NOOP, 0)
        for effect, mask in again.classes.items():
            if isinstance(effect, tuple) and effect[0] == key:
                found |= mask
        return found

    def _reached(self, tainted: frozenset[int], start: int, stop: int) -> frozenset[int]:
        """The cells that depend on these, from behind one step of the way up to before another."""
        known = self._spread.get((start, stop, tainted))
        if known is None:
            found = set(tainted)
            for step in self._steps[start + 1 : stop]:
                reached = [w.cell for w in step.writes if not found.isdisjoint(w.read)]
                found.difference_update([w.cell for w in step.writes])
                if step.left is not None:
                    found = outside(found, step.left)
                found.update(reached)
            known = self._spread[start, stop, tainted] = frozenset(found)
        return known


def _touches(need: Need, key: int, raw: Any) -> bool:
    return key in need.cells or (key == need.key and bool(raw == need.raw))


def _all(alive: Sequence[int], missed: Sequence[int]) -> int:
    found = -1
    for number in missed:
        found &= alive[number]
    return found
