"""Links that are kept before they are spoilt, beside or before what the stages find."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from wolverine.core.patch import Repairs
from wolverine.core.trace import Problem
from wolverine.repair.engine.context import Context
from wolverine.repair.engine.found import Found
from wolverine.repair.engine.kinds import links_early, statements_moved
from wolverine.repair.execution.work import Stopped
from wolverine.repair.ranking.crashed import crash_kind
from wolverine.repair.special.early import CLOSEST_EARLY, FARTHEST_EARLY, FARTHEST_LOST
from wolverine.repair.special.keeping import KEEPING
from wolverine.repair.special.moves import shifts
from wolverine.repair.special.stages import Stage, early


def stale(problem: Problem) -> bool:
    """Whether all that is known is that a node is used that was freed, or the like.

    What lies outside of an array is found by a number, which no link is kept for.
    """
    return all(
        trace.strict and trace.bare and not trace.lost and crash_kind(problem.program, trace) != "bounds"
        for trace in problem.traces
    )


def links_kept(context: Context) -> Repairs | None:
    """Links that are kept before they are spoilt, where little speaks against that."""
    problem = context.problem
    if problem.accepted.edits or problem.budget.least > KEEPING or problem.budget.edits < KEEPING:
        return None
    answer = _ranked_early(context, moves=True)
    farthest = FARTHEST_LOST if problem.keeping else FARTHEST_EARLY
    return answer if answer is not None and answer.candidates[0].against <= farthest else None


def or_early(context: Context, stage: Stage, answer: Repairs) -> Repairs:
    """Before single edits against which more speaks: a link that is kept before it is spoilt."""
    problem, best = context.problem, answer.candidates[0]
    if stage.edits != 1 or problem.budget.edits < KEEPING or best.against <= CLOSEST_EARLY:
        return answer
    other = None
    with suppress(Stopped):  # what was found counts where there is no more work to be done
        other = _ranked_early(context, kept=stage.kept)
    if other is None:
        return answer
    first = other.candidates[0]
    moves = best.score <= first.score and any(shifts(problem.program, best.patch))
    closer = first.against < min(best.against, FARTHEST_EARLY) and not moves
    closer = closer and not (first.harmed and not best.harmed)  # what spoils nothing keeps what works
    return other.then(answer) if closer else answer


def _ranked_early(context: Context, *, kept: bool = False, moves: bool = False) -> Repairs | None:
    """The first of the searches for links kept early that finds some, perhaps with statements moved.

    So they are wherever a loop goes on for longer: what else was moved had loops go on as observed.
    """
    for each in early(context.problem):
        stage = replace(each, kept=kept)
        bench = context.benches.of(stage)
        found = links_early(context, stage, bench) if bench is not None else []
        if bench is not None and found:
            longer = stage.own_control
            found += statements_moved(context, bench, own_control=longer) if moves or longer else []
            return context.ranked(Found(stage, bench, found))
    return None
