"""Answers to questions as constraints: every later repair on the path keeps to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from wolverine.core.patch import NO_EDITS, NoRepair, Repairs
from wolverine.core.trace import Problem
from wolverine.repair.ranking.question import Answer, allowed
from wolverine.session.moments import Moment

_LARGER = 500_000  # machine steps for a search beyond the smallest repairs: these abound
_LISTED = 3_000  # so many candidates are asked whether they keep to the answers
_MORE = 8  # times as many candidates where all that were listed are refused
REFUSED = "the answer that none of the results shown is wanted"


def given(path: Sequence[Moment]) -> tuple[Answer, ...]:
    """The answers given on the path, in order."""
    return tuple(answer for moment in path for answer in moment.answers)


def unmet(problem: Problem, answer: Repairs | NoRepair) -> bool:
    """Whether the program as it is does not come to the crash, which is all that is known."""
    as_it_is = (NO_EDITS, problem.accepted)
    return problem.traces[0].bare and isinstance(answer, Repairs) and answer.candidates[0].patch in as_it_is


def solve(
    problem: Problem, answers: Sequence[Answer], engine: Callable[[Problem], Repairs | NoRepair]
) -> Repairs | NoRepair:
    """The repairs that keep to the answers: what is wanted is a trace of its own, what is refused is dropped.

    Where all smallest repairs are refused, larger ones are searched for.
    """
    wanted = tuple(answer.trace for answer in answers if answer.trace is not None)
    problem = replace(problem, traces=(*problem.traces, *wanted))
    while True:
        found = engine(problem)
        if isinstance(found, NoRepair) or not answers:
            return found
        kept = found.only(allowed(problem.program, found.candidates, answers, met=True))
        if kept.candidates:
            return kept
        budget = problem.budget
        told = len({candidate.behaviour for candidate in found.candidates})
        if told < found.behaviours and budget.listed < _LISTED:
            problem = replace(problem, budget=replace(budget, listed=budget.listed * _MORE))
            continue  # those that are not listed may keep to the answers
        least = found.candidates[0].cost + 1
        if not problem.budget.least < least <= problem.budget.edits:
            return NoRepair("unsatisfiable", (REFUSED,), found.steps)
        problem = replace(problem, budget=replace(budget, least=least, work=min(budget.work, _LARGER)))
