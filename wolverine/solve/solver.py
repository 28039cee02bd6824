"""A solver: constraints and assumptions in; Sat, Unsat with a core, or Unknown out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import z3
from z3 import z3core

from wolverine.solve.terms import Term, context, known

_z3: Any = z3  # it has no types
_c: Any = z3core  # an encoding has 10,000 constraints; z3's own `add` looks at each of them for long
_ENDLESS = (1 << 32) - 1  # milliseconds


@dataclass(frozen=True)
class Sat:
    """There is a solution; `values` looks it up."""

    model: Any

    def value(self, term: Term) -> int:
        """The value of an integer or boolean term (0 or 1) in the solution."""
        if known(term):
            return int(term)
        found = self.model.eval(term, model_completion=True)
        return int(_z3.is_true(found)) if _z3.is_bool(found) else int(found.as_long())


@dataclass(frozen=True)
class Unsat:
    """There is none: `core` are the indices of assumptions that cannot hold together."""

    core: tuple[int, ...]


@dataclass(frozen=True)
class Unknown:
    """The solver gave up."""

    reason: str


Answer = Sat | Unsat | Unknown


class Solver:
    """An incremental solver; constraints stay, assumptions hold for one question."""

    def __init__(self) -> None:
        self._reference = context().ref()
        self._solver = _z3.Solver(ctx=context())
        self._solver.set("random_seed", 1)
        self._trivial = False
        self.spent = 0  # in the unit of `effort`

    def _count(self) -> int:
        found = [value for name, value in self._solver.statistics() if name == "rlimit count"]
        return int(found[0]) if found else 0

    def add(self, term: Term) -> None:
        """One more constraint."""
        if known(term):
            self._trivial = self._trivial or not term
        else:
            _c.Z3_solver_assert(self._reference, self._solver.solver, term.ast)

    def ask(
        self, assumptions: Sequence[Term], seconds: float | None = None, effort: int | None = None
    ) -> Answer:
        """Solve; assumptions are boolean unknowns or their negations.

        `effort` bounds the work, in the solver's own unit: the answer then is the same on every machine.
        """
        if self._trivial:
            return Unsat(())
        self._solver.set("timeout", max(int(seconds * 1000), 1) if seconds is not None else _ENDLESS)
        self._solver.set("rlimit", effort or 0)
        indices = {term.get_id(): index for index, term in enumerate(assumptions)}
        before = self._count()
        answer = self._solver.check(*assumptions)
        self.spent += self._count() - before
        if answer == _z3.sat:
            return Sat(self._solver.model())
        if answer == _z3.unsat:
            core = sorted(indices[term.get_id()] for term in self._solver.unsat_core())
            return Unsat(tuple(core))
        return Unknown(str(self._solver.reason_unknown()))
