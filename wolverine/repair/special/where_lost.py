"""Repairs that free what is lost: by the statement that lost it, in its function, elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from wolverine.core.expressions import VariableReference
from wolverine.core.patch import Edit, NewAssignment, NewCall, NoRepair, Patch, Repairs, unguarded
from wolverine.core.program import Program
from wolverine.core.trace import Problem
from wolverine.semantics.losing import Loss
from wolverine.semantics.violations import line_of

Answer = Repairs | NoRepair
_EDITS = 2  # a value is kept, and freed


class WhereLost:
    """Looks at one place after the other, the nearest first, for few edits that only free."""

    def __init__(self, problem: Problem, solved: Callable[[Problem], Answer], loss: Loss | None) -> None:
        self._problem = problem
        self._solved = solved
        self._places = _near(problem, loss)
        self._last: Answer = NoRepair("unsatisfiable", ())

    def further(self) -> Answer:
        """The answer of the next place where there is one; why there is none where no place is left."""
        if isinstance(self._last, NoRepair) and self._last.reason == "interrupted":
            return self._last
        for editable, edits in self._places:
            budget = replace(self._problem.budget, edits=min(self._problem.budget.edits, edits))
            answer = self._solved(replace(self._problem, editable=editable, budget=budget, freeing=True))
            self._last = answer
            if isinstance(answer, NoRepair):
                if answer.reason == "interrupted":
                    return answer
                continue
            freeing = [each for each in answer.candidates if _frees(self._problem, each.patch)]
            if freeing:
                return answer.only(freeing)
            self._last = NoRepair("unsatisfiable", ("no edit but of another kind frees it",), answer.steps)
        return self._last if isinstance(self._last, NoRepair) else NoRepair("unsatisfiable", ())


def _frees(problem: Problem, patch: Patch) -> bool:
    """Whether nothing is added but calls, and values that are kept for them in a variable more."""
    return all(
        isinstance(made := unguarded(edit.replacement), NewCall)
        or (isinstance(made, NewAssignment) and made.target in _spares(problem.program, edit))
        for edit in patch.beside(problem.accepted)
    )


def _spares(program: Program, edit: Edit) -> tuple[VariableReference, ...]:
    return program.functions[program.location(edit.location).function].spares


def _near(problem: Problem, loss: Loss | None) -> Iterator[tuple[frozenset[int] | None, int]]:
    """Where edits may be made, and how many."""
    if loss is None or problem.editable is not None:
        yield problem.editable, _EDITS
        return
    program = problem.program
    locations = program.locations
    if loss.cut not in ("", loss.function):
        yield frozenset(each.id for each in locations if each.function == loss.cut), _EDITS
    if not loss.returning and loss.by[0] == loss.function:
        line = line_of(program, *loss.by) or 0
        behind = max(line, line_of(program, loss.function, loss.instruction) or 0)
        near = (e.id for e in locations if e.function == loss.function and line <= e.line <= behind)
        yield frozenset(near), _EDITS
    yield frozenset(e.id for e in locations if e.function in (loss.function, loss.by[0])), _EDITS
    yield None, 1
