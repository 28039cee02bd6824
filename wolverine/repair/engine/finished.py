"""The answer from what was found, with what is looked for besides.

What is not of the stage's own kind but may be closer to what was meant is searched now, and all of it is
ranked together.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf

from wolverine.core.patch import Edit, NewCall, Repairs, unguarded
from wolverine.core.trace import Problem, Trace
from wolverine.repair.engine.cases import with_cases
from wolverine.repair.engine.context import Context
from wolverine.repair.engine.found import Found
from wolverine.repair.engine.kinds import calls_omitted, left_for_one, nodes_moved, single_edits
from wolverine.repair.engine.several import or_rows_tested
from wolverine.repair.explicit.conflict import doubted
from wolverine.repair.ranking.answered import (
    closer_than_calls,
    closer_than_onward,
    closer_than_special,
    later,
)
from wolverine.repair.ranking.crashed import crash_kind
from wolverine.repair.special.copying import copying
from wolverine.repair.special.omitted import allocating
from wolverine.repair.special.severing import linking
from wolverine.repair.special.stages import NODES_SHARE

GOING_ON = 16  # behaviours of which it is seen whether the execution goes on
_LATER = 3.5  # so much farther off is one under which it does: what crashes later may be another fault
_DOUBTFUL = 3  # so many edits are rather an assertion that is wrong


def finished(context: Context, found: Found) -> Repairs:
    """The answer; first what lets the execution go on, where the best of the repairs does not."""
    problem, answer = context.problem, _widened(context, found)
    first = answer.candidates[0]
    if not later(problem, first) or context.ranker.another_fault(first.patch):
        return answer
    asserted = not any(trace.bare for trace in problem.traces)
    most, farthest = (first.crashes, inf) if asserted else (0, first.against + _LATER)
    near = (c for c in answer.closest()[1:GOING_ON] if c.crashes <= most and c.against <= farthest)
    better = next((candidate for candidate in near if not later(problem, candidate)), None)
    if better is None:
        return answer
    rest = (candidate for candidate in answer.candidates if candidate is not better)
    return replace(answer, candidates=(better, *rest))


def _widened(context: Context, found: Found) -> Repairs:
    """The repairs, with others besides where something seems to be missing."""
    stage = found.stage
    doubt = _doubted(context, found)
    if stage.plain and context.lacking and stage.edits:
        found = _with_nodes(context, found)
    answer = context.ranked(found)
    if (over := context.work.over) is not None:
        return replace(answer, doubted=doubt, complete=over)
    if stage.edits == 1 and (stage.plain or (stage.calls and not stage.relaxed)):
        more = _with_single_edits(context, found, answer)
        if more is not found and context.work.over is None:  # all that is added is ranked at once
            found, answer = more, context.ranked(more)
    if (over := context.work.over) is not None:
        return replace(answer, doubted=doubt, complete=over)
    if stage.plain or (stage.calls and _calls_in_a_special_case(context, answer)):
        answer = with_cases(context, found, answer)
    answer = or_rows_tested(context, found, answer)
    fewer = answer.candidates[0].cost < stage.edits  # under a test
    return answer if fewer else replace(answer, doubted=doubt)


def _calls_in_a_special_case(context: Context, answer: Repairs) -> bool:
    """Whether the best repair after a mere crash returns what a call gives: null may do as well.

    Or whether it calls what adds nodes: what cannot be done where there is none is rather left.
    """
    match answer.candidates[0].patch.edits:
        case (Edit(_, made),) if all(trace.bare for trace in context.problem.traces):
            plain = unguarded(made)
            return isinstance(plain, NewCall) and (
                plain.leaves or plain.function in allocating(context.problem.program)
            )
    return False


def _doubted(context: Context, found: Found) -> tuple[str, int] | None:
    """The assertion that is rather wrong than so many edits right."""
    stage = found.stage
    known = 0 if stage.kept else len(context.problem.accepted.edits)
    if not stage.plain or stage.edits - known < _DOUBTFUL:
        return None
    return doubted(context.benches.plain, context.work, stage.edits)


def _with_nodes(context: Context, found: Found) -> Found:
    """And repairs with as many edits, of which one makes a new node."""
    edits = found.stage.edits
    stage = replace(found.stage, nodes=True)
    return context.with_more(
        found, stage, lambda bench: context.repairs(bench, edits, NODES_SHARE, nodes=True)
    )


def _with_single_edits(context: Context, found: Found, answer: Repairs) -> Found:
    """And repairs by one edit of another kind: those that could come before the best of the answer."""
    problem = context.problem
    calling = not found.stage.calls and not closer_than_calls(problem, answer)
    leaving = calling or any(trace.endless for trace in problem.traces)  # the way out
    if calling:
        stage = replace(found.stage, calls=True)
        found = context.with_more(found, stage, lambda bench: calls_omitted(context, bench))
    if leaving or not closer_than_special(answer):
        stage = replace(found.stage, guarded=True)
        found = context.with_more(found, stage, lambda bench: single_edits(context, bench, returning=leaving))
    if leaving:
        stage = replace(found.stage, guarded=True)
        found = context.with_more(found, stage, lambda bench: left_for_one(context, bench))
    if not closer_than_onward(answer):
        stage = replace(found.stage, guarded=True, own_control=True)
        found = context.with_more(found, stage, lambda bench: single_edits(context, bench, onward=True))
    if all(trace.bare and (trace.strict or _frees_no_node(problem, trace)) for trace in problem.traces):
        stage = replace(found.stage, nodes=True)
        found = context.with_more(
            found, stage, lambda bench: context.repairs(copying(bench), 1, NODES_SHARE, nodes=True)
        )
    if context.unlinked:
        stage = replace(found.stage, guarded=True)
        found = context.with_more(
            found, stage, lambda bench: context.repairs(linking(bench, context.unlinked), 1, NODES_SHARE)
        )
    stage = replace(found.stage, nodes=True)
    return context.with_more(found, stage, lambda bench: nodes_moved(context, bench))


def _frees_no_node(problem: Problem, trace: Trace) -> bool:
    """Whether the execution ends where something is freed that no allocation returned."""
    return crash_kind(problem.program, trace) == "bad-free"
