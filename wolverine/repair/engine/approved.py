"""What several edits do behind the last picture that was right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from wolverine.core.graph import Place, Value, VariableId
from wolverine.core.patch import Candidate, Repairs
from wolverine.core.trace import Assertion, Problem, Trace
from wolverine.repair.engine.context import Context
from wolverine.repair.engine.exploration import FIRST_SHARE
from wolverine.repair.engine.finished import GOING_ON, finished
from wolverine.repair.engine.found import Found
from wolverine.repair.engine.kinds import SEVERAL, each_by_itself, step_by_step, written_directly
from wolverine.repair.execution.spaces import Space
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.special.approved import since_approved
from wolverine.repair.special.stages import BESIDE_SHARE, GUARDED_SHARE, Stage
from wolverine.semantics.replay import replay

_APPROVED_SHARE = Fraction(1, 3)


def behind_approved(context: Context, stage: Stage, bench: Bench) -> Found | None:
    """What the edits of a stage do there, or fewer under a test; None where nothing is found."""
    if stage.edits < SEVERAL or not stage.plain or stage.kept:
        return None
    approved = context.benches.approved
    spaces = _behind(context, approved, stage) if approved is not None else []
    return Found(stage, bench, spaces, "budget") if spaces else None


def _behind(context: Context, approved: Bench, stage: Stage) -> list[Space]:
    """What so many edits do behind such a picture, those first that write what is asserted."""
    few = stage.share is not None and stage.share <= BESIDE_SHARE
    for share in (FIRST_SHARE,) if few else (FIRST_SHARE, _APPROVED_SHARE):
        found, complete = approved.looked(context.work, stage.edits, context.most(share))
        if not complete and not few:
            more = [
                *each_by_itself(context, stage.edits),
                *written_directly(context, approved, stage),
                *step_by_step(context, context.benches.plain, stage.edits),
            ]
            found = [*found, *(each for each in more if each not in found)]
        if found or complete:
            break
    return found


def or_under_a_test(context: Context, found: Found) -> Found:
    """What two edits do behind a picture that was right, and what one does there under a test."""
    if found.stage.edits != SEVERAL:
        return found

    def one(guarded: Bench) -> Sequence[Space]:
        behind = since_approved(guarded)
        return context.repairs(behind, 1, GUARDED_SHARE) if behind is not None else []

    return context.with_more(found, replace(found.stage, guarded=True), one)


def as_approved(context: Context, stage: Stage, answer: Repairs) -> Repairs:
    """Before single edits under which no picture that was right is come to in time: two that keep these."""
    problem, benches, edits = context.problem, context.benches, stage.edits + 1
    if stage.edits != 1 or stage.kept or benches.approved is None or edits > problem.budget.edits:
        return answer
    if any(_comes_to_approved(problem, each) for each in answer.closest()[:GOING_ON]):
        return answer
    found = _behind(context, benches.approved, Stage(edits))
    if not found:
        return answer
    return finished(context, Found(Stage(edits), benches.plain, found, "budget")).then(answer)


def _comes_to_approved(problem: Problem, candidate: Candidate) -> bool:
    """Whether the execution still comes to where the pictures were right, at the same time."""
    approved = (trace.approved for trace in problem.traces if trace.approved is not None)
    # What was accepted has changed numbers on the way there, as it was to.
    ways = (way if problem.accepted.edits else _at_that_time(way) for way in approved)
    return all(replay(problem.program, candidate.patch, way, own_control=True).met for way in ways)


def _at_that_time(way: Trace) -> Trace:
    """The way, at the end of which the callers hold the numbers that they did, and there are the same nodes.

    The same call is made again and again: in another round of the caller's loop it is another one.
    """
    pictures = (replace(each, cells=dict(_of_callers(each))) for each in way.pictured)
    return replace(way, events=(*way.events[:-1], *pictures, *way.events[-1:]))


def _of_callers(picture: Assertion) -> Iterator[tuple[Place, Value]]:
    """The numbers of a picture that lie in the variables of outer frames."""
    depths = [place.object.depth for place in picture.cells if isinstance(place.object, VariableId)]
    innermost = max(depths, default=0)
    for place, value in picture.cells.items():
        outer = isinstance(place.object, VariableId) and 0 <= place.object.depth < innermost
        if outer and isinstance(value, int):
            yield place, value
