"""Faults of other special cases: where a function goes through null on heaps that it is made for.

Or where it leaves something behind that leads to what it has freed: a list's `last` when the last one goes.

A crash that such a fault brings about later on, under a repair of another one, says nothing against the
repair: the next repair is about that.
"""

from __future__ import annotations

from functools import cached_property

from wolverine.core.graph import MemoryGraph
from wolverine.core.patch import NO_EDITS, Patch
from wolverine.core.program import Program
from wolverine.core.trace import Trace
from wolverine.repair.heaps.entries import fresh, inputs_of
from wolverine.repair.heaps.given import PATIENCE
from wolverine.repair.heaps.outcomes import Bench
from wolverine.repair.heaps.unrepaired import Null, faults, null_of
from wolverine.repair.menus.candidates import Menus

_SOME = 2  # heaps with which a function has to get along
_ASKED = 3  # patches that tell what a function is given


class OwnFaults:
    """Tells where functions go through null by themselves; what was seen once is not tried again."""

    def __init__(self, program: Program, trace: Trace) -> None:
        self._program = program
        self._trace = trace
        self._under: dict[tuple[str, Patch], frozenset[Null]] = {}
        self._on: dict[tuple[str, int], list[tuple[MemoryGraph, frozenset[Null]]]] = {}
        self._strands: dict[str, list[bool]] = {}

    @cached_property
    def traced(self) -> Null | None:
        """Where the trace goes through null, where a crash is all that is known."""
        return null_of(self._program, self._trace) if self._trace.bare else None

    def of(self, function: str, menus: Menus, patch: Patch = NO_EDITS) -> frozenset[Null]:
        """Where a function does so on heaps like those that it is given under the patch.

        The program as it is gets along with others of them.
        """
        key = function, patch
        if key not in self._under:
            given = self._given(function, menus, patch)
            self._under[key] = frozenset() if given is None else self._like(function, given)
        return self._under[key]

    def strands(self, function: str, menus: Menus, patch: Patch = NO_EDITS) -> bool:
        """Whether, as it is, it leaves something that leads to freed nodes, and live ones, on such heaps.

        On others of them it does not.  Where no node is left that is as it should be: nobody looks at the
        rear of a queue whose front is null.  The first patches tell it for all.
        """
        found = self._strands.setdefault(function, [])
        if len(found) < _ASKED and not any(found):
            found.append(self._stranding(function, menus, patch))
        return any(found)

    def _given(self, function: str, menus: Menus, patch: Patch) -> MemoryGraph | None:
        """What the function is given first under the patch."""
        return inputs_of(self._program, self._trace, menus, patch, [function], behind=None).get(function)

    def _stranding(self, function: str, menus: Menus, patch: Patch) -> bool:
        given = self._given(function, menus, patch)
        heaps = [] if given is None else fresh(self._program, given, function, elsewhere=True)
        bench = Bench(self._program, function)
        left = [found for heap in heaps if (found := bench.left_stranded(heap, NO_EDITS)) is not None]
        return any(left) and left.count(False) >= _SOME

    def _like(self, function: str, given: MemoryGraph) -> frozenset[Null]:
        """Where it does so on heaps like the one that is given."""
        alike = self._on.setdefault((function, hash(frozenset(given.cells.items()))), [])
        known = next((found for graph, found in alike if graph == given), None)
        if known is None:
            heaps = fresh(self._program, given, function, elsewhere=True)
            found, passed = faults(self._program, function, heaps, PATIENCE)
            known = found if passed >= _SOME else frozenset()
            alike.append((given, known))
        return known
