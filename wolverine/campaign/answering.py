"""The question after a repair, answered by what the correct program does."""

from __future__ import annotations

from wolverine.campaign.instances import Instance
from wolverine.core.patch import Candidate, Patch, Repairs
from wolverine.core.program import Program
from wolverine.core.trace import Budget, Problem
from wolverine.repair import search
from wolverine.repair.heaps.outcomes import Bench
from wolverine.repair.ranking.question import Question, allowed, question
from wolverine.session.answers import solve

_SECONDS = 30.0


def after_question(correct: Program, instance: Instance, found: Repairs) -> tuple[bool, Candidate | None]:
    """Whether a question was asked, and the candidate that comes first after it (None: none is left)."""
    asked = question(instance.program, instance.traces[0], found.candidates)
    if asked is None:
        return False, found.candidates[0]
    number = truth(correct, asked)
    if number is None:
        return False, found.candidates[0]  # the model cannot tell, as nobody could
    answer = asked.answer(number)
    if kept := allowed(instance.program, found.candidates, (answer,), met=False):
        return True, kept[0]  # as in a session, which searches anew only where none of them is left
    problem = Problem(instance.program, instance.traces, Budget(seconds=_SECONDS))
    left = solve(problem, (answer,), search)
    if isinstance(left, Repairs) and left.candidates:
        return True, left.candidates[0]
    return True, None


def truth(correct: Program, asked: Question) -> int | None:
    """The number of the result that the correct program has for the question's heap, 0 for none of them."""
    outcome = Bench(correct, asked.function).outcome(asked.input, Patch())
    if outcome is None:
        return None
    keys = [each.key for each in asked.outcomes]
    return keys.index(outcome.key) + 1 if outcome.key in keys else 0
