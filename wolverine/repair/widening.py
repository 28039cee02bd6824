"""The engines `widening`, Algorithm 1 of Wolverine2 (section 4), and `widening-any`, the paper's AlgVar.

All locations begin as they are: the bounds tau_grd, tau_stm and tau_ins on how many guards, statements and
insertion slots may differ are zero.  As long as there is no solution the unsat core tells which bound is to
be relaxed, guards first, then statements, then insertions; where it holds none of them no repair exists and
the search fails fast.  `widening-any` relaxes one constraint of the core, drawn by chance, instead.

The answer is one repair, without edits that turn out to be idle.  It need not be a smallest one: the bound
that is relaxed first need not be the one that was missing.  `search` finds all minimal repairs.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from wolverine.core.patch import Candidate, NoRepair, Patch, Repairs
from wolverine.core.trace import Problem
from wolverine.repair.candidates import Menus
from wolverine.repair.encoding import Encoding
from wolverine.semantics.faults import Halt
from wolverine.semantics.replay import replay
from wolverine.solve import terms
from wolverine.solve.solver import Sat, Solver, Unknown, Unsat
from wolverine.solve.terms import Term

NAME, ANY = "widening", "widening-any"
SLOTS = 1  # insertion slots where the user does not say how many
_TRIES = 60  # questions to the solver
_KINDS = ("guards", "statements", "insertions")


@dataclass(frozen=True)
class _Selector:
    """One relaxable constraint: `kind` 0 guard, 1 statement, 2 insertion; false keeps the program."""

    term: Term
    kind: int
    words: str


def widening(problem: Problem, *, interrupted: Callable[[], bool] = lambda: False) -> Repairs | NoRepair:
    """Algorithm 1: relax the bounds that the unsat cores name until the program can be repaired."""
    return _Search(problem, interrupted).run(chance=None)


def widening_any(problem: Problem, *, interrupted: Callable[[], bool] = lambda: False) -> Repairs | NoRepair:
    """AlgVar: drop one constraint of each unsat core, drawn by chance (always the same draws)."""
    return _Search(problem, interrupted).run(chance=random.Random(1))


class _Search:
    def __init__(self, problem: Problem, interrupted: Callable[[], bool]) -> None:
        self._problem = problem
        self._interrupted = interrupted
        self._asked = 0
        seconds = problem.budget.seconds
        self._end = time.monotonic() + (seconds if seconds is not None else 60.0)
        self._solver = Solver()

    def run(self, chance: random.Random | None) -> Repairs | NoRepair:
        slots = SLOTS if self._problem.budget.insertions is None else self._problem.budget.insertions
        try:
            self._encoding = Encoding(self._problem, Menus(self._problem.program), slots)
        except Halt as halt:
            return NoRepair("unsupported", (str(halt),))
        for constraint in (*self._encoding.constraints, *self._encoding.placed()):
            self._solver.add(constraint)
        selectors = self._selectors()
        return self._bounds(selectors) if chance is None else self._any(selectors, chance)

    def _selectors(self) -> list[_Selector]:
        program = self._problem.program
        found: list[_Selector] = []
        for each in self._encoding.relaxables.values():
            location = program.location(each.location)
            words = f"line {location.line}: {location.text}"
            if each.guard is not None:
                found.append(_Selector(each.guard, 0, words))
            if each.statement is not None:
                found.append(_Selector(each.statement, 1, words))
        found += [_Selector(slot.selector, 2, "an insertion") for slot in self._encoding.slots]
        return found

    # -- Algorithm 1 -----------------------------------------------------------------------------

    def _bounds(self, selectors: list[_Selector]) -> Repairs | NoRepair:
        """Lines 22 to 35.  With a bound of zero the selectors themselves are assumed to be false."""
        bounds = [0, 0, 0]
        of_kind = [[s for s in selectors if s.kind == kind] for kind in range(3)]
        core: tuple[str, ...] = ()
        while True:
            assumed: list[tuple[Term, int, str]] = []
            for kind, members in enumerate(of_kind):
                if bounds[kind] == 0:
                    assumed += [(terms.negation(s.term), kind, s.words) for s in members]
                elif bounds[kind] < len(members):
                    limit = terms.boolean(f"tau{kind}_{bounds[kind]}")
                    within = terms.at_most([s.term for s in members], bounds[kind])
                    self._solver.add(terms.implication(limit, within))
                    assumed.append((limit, kind, f"at most {bounds[kind]} {_KINDS[kind]}"))
            answer = self._ask([term for term, _, _ in assumed])
            if not isinstance(answer, Unsat):
                return self._answer(answer, core)
            named = {assumed[index][1] for index in answer.core}
            core = tuple(dict.fromkeys(assumed[index][2] for index in answer.core))
            if not named:
                return NoRepair("unsatisfiable", self._failed(bounds), self._asked)
            bounds[min(named)] += 1

    def _any(self, selectors: list[_Selector], chance: random.Random) -> Repairs | NoRepair:
        kept = list(selectors)
        core: tuple[str, ...] = ()
        while True:
            answer = self._ask([terms.negation(s.term) for s in kept])
            if not isinstance(answer, Unsat):
                return self._answer(answer, core)
            if not answer.core:
                return NoRepair("unsatisfiable", (), self._asked)
            core = tuple(dict.fromkeys(kept[index].words for index in answer.core))
            kept.pop(chance.choice(answer.core))

    # -- questions and answers -------------------------------------------------------------------

    def _ask(self, assumptions: list[Term]) -> Sat | Unsat | Unknown:
        """Solve; solutions that the machine does not confirm are left out and asked again."""
        while True:
            left = self._end - time.monotonic()
            if left <= 0 or self._asked >= _TRIES or self._interrupted():
                return Unknown("budget")
            self._asked += 1
            answer = self._solver.ask(assumptions, left)
            if not isinstance(answer, Sat) or self._confirmed(answer) is not None:
                return answer
            self._solver.add(self._encoding.differs(answer))

    def _confirmed(self, solution: Sat) -> Patch | None:
        patch = self._encoding.patch(solution)
        if patch is None:
            return None
        return patch if self._meets(patch) else None

    def _meets(self, patch: Patch) -> bool:
        return all(replay(self._problem.program, patch, trace).met for trace in self._problem.traces)

    def _without_idle(self, patch: Patch) -> Patch:
        """Leave out edits that are not needed: the bounds allow more than a solution has to use."""
        for edit in patch.edits:
            fewer = Patch(tuple(each for each in patch.edits if each is not edit))
            if self._meets(fewer):
                patch = fewer
        return patch

    def _answer(self, answer: Sat | Unknown, core: tuple[str, ...]) -> Repairs | NoRepair:
        if isinstance(answer, Unknown):
            return NoRepair("interrupted" if self._interrupted() else "budget", core, self._asked)
        patch = self._confirmed(answer)
        assert patch is not None
        patch = self._without_idle(patch)
        executed: dict[int, int] = {}
        for trace in self._problem.traces:
            for location, times in replay(self._problem.program, patch, trace).executed.items():
                executed[location] = executed.get(location, 0) + times
        size = len(patch.edits)
        candidate = Candidate(patch, size, float(size), behaviour=1, executed=executed)
        return Repairs((candidate,), "complete", 1, 1, steps=self._asked)

    def _failed(self, bounds: list[int]) -> tuple[str, ...]:
        words = ", ".join(f"{bound} {kind}" for bound, kind in zip(bounds, _KINDS))
        return (f"the assertions and forced branches, with {words} relaxed",)
