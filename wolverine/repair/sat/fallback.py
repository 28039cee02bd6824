"""Repairs by SAT, where the explicit search takes too long: many edits, few assertions.

The solver tells sets of locations at which so many edits can meet the trace; the explicit search, confined to
one of them, lists all repairs there; the set is then ruled out and the next one asked for.  What the solver
rules out needs no search at all.  It knows the plain menus: no tests, no variables more, no new nodes.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Literal

from wolverine.repair.execution.spaces import Space
from wolverine.repair.execution.work import Work, recursion_limit
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.sat.lanes import Lanes
from wolverine.repair.sat.onehot import Choosing
from wolverine.repair.sat.uncertain import Beyond
from wolverine.solve.clauses import Answer, Clauses

_CONFLICTS = 500  # between two looks at the work that is allowed
_PRICE = 60  # units of work that a conflict counts
_NESTED = 3_000  # Python calls
_SETS = 60  # sets of locations that are looked at

Verdict = Literal["all", "some", "unknown"]  # whether these are all repairs of that size


class Fallback:
    """The traces of a bench as clauses; raises `Beyond` where they cannot be, and `Stopped`."""

    def __init__(self, bench: Bench, work: Work) -> None:
        self._bench = bench
        self._work = work
        self._clauses = Clauses()
        choosing = Choosing(self._clauses, bench.menus)
        for runner in bench.runners:
            runner.configure(runner.prepared(), bench.editable)
            self._encode(Lanes(runner, self._clauses, choosing, work.spend))
        self.exact = choosing.exact
        self.found: list[Space] = []  # by the last search, also where it was stopped
        self._selectors = choosing.selectors
        most = bench.problem.budget.edits
        self._more = self._clauses.counter(list(self._selectors.values()), most + 1)
        gaps = [
            literal
            for location, literal in self._selectors.items()
            if bench.problem.program.location(location).kind == "gap"
        ]
        insertions = bench.problem.budget.insertions
        if insertions is not None and insertions < len(gaps):
            self._clauses.add((-self._clauses.counter(gaps, insertions + 1)[insertions],))

    @staticmethod
    def _encode(lanes: Lanes) -> None:
        """Executions that fork too often in one another are beyond: the encoding nests as they do."""
        try:
            with recursion_limit(min(sys.getrecursionlimit(), _NESTED)):
                lanes.encode()
        except RecursionError:
            raise Beyond("executions that nest too deeply") from None

    def search(self, edits: int) -> tuple[list[Space], Verdict]:
        """All repairs with exactly so many edits, as far as they are found; raises `Stopped`."""
        found = self.found = []
        assumed = [-self._more[edits]] if edits < len(self._more) else []
        if edits:
            assumed.append(self._clauses.new())
            self._clauses.add((-assumed[-1], *self._selectors.values()))
        for _ in range(_SETS):
            answer = self._ask(assumed)
            if answer == "unsat":
                return found, "all" if self.exact else "some"
            assert not isinstance(answer, str)
            places = frozenset(x for x, literal in self._selectors.items() if literal in answer)
            found += self._listed(places, edits)
            self._clauses.add(-self._selectors[location] for location in sorted(places))
            if not places:
                return found, "all" if self.exact else "some"
        return found, "some"

    def _ask(self, assumed: list[int]) -> Answer:
        while True:
            before = self._clauses.conflicts
            answer = self._clauses.ask(assumed, _CONFLICTS)
            self._work.spend(_PRICE * (self._clauses.conflicts - before) + 1)
            if answer != "unknown":
                return answer

    def _listed(self, places: frozenset[int], edits: int) -> list[Space]:
        bench = self._bench
        here = {
            name: {index: location for index, location in found.items() if location in places}
            for name, found in bench.editable.items()
        }
        explorer = replace(bench, editable=here).explorer(self._work)
        return explorer.search(edits)


def fallback(bench: Bench, work: Work) -> Fallback | None:
    """The fallback for a bench; None where an execution is beyond it.  Raises `Stopped`."""
    try:
        return Fallback(bench, work)
    except Beyond:
        return None
