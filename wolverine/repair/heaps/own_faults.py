"""Faults of other special cases: where a function goes through null on heaps that it is made for.

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
from wolverine.repair.heaps.unrepaired import Null, faults, null_of
from wolverine.repair.menus.candidates import Menus

_SOME = 2  # heaps with which a function has to get along


class OwnFaults:
    """Tells where functions go through null by themselves; what was seen once is not tried again."""

    def __init__(self, program: Program, trace: Trace) -> None:
        self._program = program
        self._trace = trace
        self._under: dict[tuple[str, Patch], frozenset[Null]] = {}
        self._on: dict[tuple[str, int], list[tuple[MemoryGraph, frozenset[Null]]]] = {}

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
            given = inputs_of(self._program, self._trace, menus, patch, [function], behind=None).get(function)
            self._under[key] = frozenset() if given is None else self._like(function, given)
        return self._under[key]

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
