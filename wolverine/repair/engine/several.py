"""Special cases of several statements, found by themselves and ranked beside what several edits do."""

from __future__ import annotations

from wolverine.core.patch import Repairs
from wolverine.repair.engine.context import Context
from wolverine.repair.engine.found import Found
from wolverine.repair.special.several import Offered, special_cases
from wolverine.repair.special.stages import SEVERAL_SHARE, Stage

LIKELY = 3.3  # what may speak against a special case, before more than two other edits are looked for
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
