"""Special cases of several statements, found by themselves and ranked beside what several edits do."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from wolverine.core.patch import Edit, Repairs, Several
from wolverine.repair.engine.context import Context
from wolverine.repair.engine.found import Found
from wolverine.repair.execution.work import Stopped
from wolverine.repair.special.rows_tested import rows_tested
from wolverine.repair.special.several import Offered, Repair, special_cases
from wolverine.repair.special.stages import SEVERAL_SHARE, Stage

LIKELY = 3.3  # what may speak against a special case, before more than two other edits are looked for
_ROWS = 8  # of which it is seen whether they are right under a test
_CLOSER = 1.5  # so much: what several edits do is done in one gap under a test as well


def in_special_cases(context: Context, stage: Stage) -> Found:
    """What several statements under one test do, or one where the stage says so."""
    bench, menus = context.benches.wider(calls=True), context.benches.wider(guarded=True).menus
    most, distance = context.most(SEVERAL_SHARE), context.ranker.distance
    repairs = special_cases(bench, menus, context.work, most, distance, alone=stage.guarded)
    offered = Offered(menus, context.problem.program, repairs)
    return Found(stage, bench.on(offered), offered.spaces(repairs), "budget")


def or_special(special: Repairs, answer: Repairs) -> Repairs:
    """The answer, behind what several statements under one test do where that is much closer.

    Each edit that the answer needs less speaks for it, and all that makes the special case unlikely.  What
    are two edits or more, one of them under a test, is as likely as any others of that number.
    """
    case, best = special.candidates[0], answer.candidates[0]
    farther = case.against + _CLOSER + max(0, case.patch.size - best.cost)
    near = (case.against < LIKELY or case.cost > 1) and farther < best.against
    return special.then(answer) if near else answer


def or_rows_tested(context: Context, found: Found, answer: Repairs) -> Repairs:
    """The answer, behind its rows of statements under a test where the best is one that does harm elsewhere.

    The harm is a crash on heaps on which nothing crashed before; the test ends it on some of them at least.
    """
    best = answer.candidates[0]
    if not (best.harmed and _row(best.patch.edits)) or found.stage.relaxed:
        return answer
    rows = [e.patch.edits[0] for e in answer.candidates if e.harmed and _row(e.patch.edits)]
    repairs: list[Repair] = []
    with suppress(Stopped), context.work.at_most(context.most(SEVERAL_SHARE)):
        repairs += rows_tested(context.problem, context.work, rows[:_ROWS])
    if not repairs:
        return answer
    stage = replace(found.stage, guarded=True)
    bench = context.benches.wider(guarded=True)
    offered = Offered(bench.menus, context.problem.program, repairs)
    tested = context.ranked(Found(stage, bench.on(offered), offered.spaces(repairs), found.stopped))
    return tested.then(answer) if tested.candidates[0].harmed < best.harmed else answer


def _row(edits: tuple[Edit, ...]) -> bool:
    """Whether the edits are one row of statements."""
    return len(edits) == 1 and isinstance(edits[0].replacement, Several)
