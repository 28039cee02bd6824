"""A SAT solver: clauses over numbered literals; bounded by conflicts, so that its answers never vary."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from itertools import combinations
from typing import Any, Literal

TRUE = 1  # the literal that always holds; its negation never does
_SOLVER = "glucose42"  # the fastest of those that can be bounded
_PAIRWISE = 6  # literals of which at most one holds, written out in pairs

Answer = frozenset[int] | Literal["unsat", "unknown"]  # the literals that hold in a solution


class Clauses:
    """An incremental solver; clauses stay, assumptions hold for one question."""

    def __init__(self) -> None:
        solvers: Any = import_module("pysat.solvers")  # when needed: loading it takes a while
        self._solver = solvers.Solver(_SOLVER)
        self._solver.add_clause([TRUE])
        self._last = TRUE
        self.count = 0

    @property
    def conflicts(self) -> int:
        """How many conflicts there were so far: the solver's work."""
        return int(self._solver.accum_stats()["conflicts"])

    def new(self) -> int:
        """A literal that nothing is known of."""
        self._last += 1
        return self._last

    def add(self, literals: Iterable[int]) -> None:
        """One of the literals holds."""
        clause = [literal for literal in literals if literal != -TRUE]
        if TRUE not in clause:
            self._solver.add_clause(clause)
            self.count += 1

    def both(self, literals: Sequence[int]) -> int:
        """A literal that holds exactly when all of these do."""
        kept = [literal for literal in literals if literal != TRUE]
        if len(kept) < 2:
            return kept[0] if kept else TRUE
        if -TRUE in kept:
            return -TRUE
        made = self.new()
        for literal in kept:
            self.add((-made, literal))
        self.add((made, *(-literal for literal in kept)))
        return made

    def some(self, literals: Sequence[int]) -> int:
        """A literal that holds exactly when one of these does."""
        return -self.both([-literal for literal in literals])

    def at_most_one(self, literals: Sequence[int]) -> None:
        """No two of the literals hold."""
        left = list(literals)
        while len(left) > _PAIRWISE:
            group, carried = left[: _PAIRWISE - 1], self.new()
            for literal in group:
                self.add((-literal, carried))
            self._pairwise(group)
            left = [carried, *left[_PAIRWISE - 1 :]]
        self._pairwise(left)

    def _pairwise(self, literals: Sequence[int]) -> None:
        for one, two in combinations(literals, 2):
            self.add((-one, -two))

    def counter(self, literals: Sequence[int], bound: int) -> list[int]:
        """Literals, the k-th of which (from 0) has to hold when more than k of these do, up to `bound`."""
        card: Any = import_module("pysat.card")
        total = card.ITotalizer(lits=list(literals), ubound=min(bound, len(literals)), top_id=self._last)
        for clause in total.cnf.clauses:
            self.add(clause)
        self._last = total.top_id
        found = [int(literal) for literal in total.rhs]
        total.delete()
        return found

    def ask(self, assumptions: Sequence[int], conflicts: int) -> Answer:
        """A solution under the assumptions, if so many conflicts suffice to find it or to rule it out."""
        self._solver.conf_budget(conflicts)
        found = self._solver.solve_limited(assumptions=list(assumptions))
        if found is None:
            return "unknown"
        if not found:
            return "unsat"
        return frozenset(self._solver.get_model())
