"""Nodes that are freed: what still leads to one that was, and what frees those that are not."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from wolverine.core.patch import NoRepair, Repairs
from wolverine.core.trace import Problem
from wolverine.repair.engine.context import Context
from wolverine.repair.engine.found import Found
from wolverine.repair.engine.kinds import calls_omitted, single_edits, statements_moved
from wolverine.repair.execution.spaces import Space
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.ranking.answered import later, renumbered
from wolverine.repair.special.freeing import freeing
from wolverine.repair.special.severed import Severed, severed
from wolverine.repair.special.severing import severing
from wolverine.repair.special.stages import BEFORE_GUARDS, GUARDED_SHARE, Stage

_FREEING_SHARE = Fraction(1, 10)


def where_freed(problem: Problem) -> Severed | None:
    """Where a node was freed that is used later, where that is all that is known."""
    if problem.accepted.edits or not all(t.strict and t.bare for t in problem.traces):
        return None
    known = severed(problem.program, problem.traces[0])
    return known if known.functions else None


def links_severed(context: Context, known: Severed) -> Repairs | None:
    """Repairs in the functions that freed such a node."""
    plain = context.benches.plain.within(known.functions)
    wider = context.benches.wider(guarded=True, calls=True)
    cleared: list[Space] = []
    for number in range(2, min(known.several, context.problem.budget.edits) + 1):
        cleared += context.repairs(severing(wider, known, null=True), number, GUARDED_SHARE)
    # Where a node leads to several that were freed, these pointers were forgotten, all of them.
    setting = [*cleared, *context.repairs(severing(wider, known), 1, GUARDED_SHARE)]
    if cleared and (answer := _unspoiled(context, wider, setting)) is not None:
        return answer
    found = context.repairs(plain, 1, GUARDED_SHARE)
    found = [renumbered(space, plain.menus, wider.menus) for space in found]
    omitted = calls_omitted(context, wider.within(known.functions))
    moved = statements_moved(context, wider.within(known.functions))
    tested = single_edits(context, wider.within(known.functions))
    return _unspoiled(context, wider, [*found, *setting, *omitted, *moved, *tested])


def _unspoiled(context: Context, bench: Bench, spaces: Sequence[Space]) -> Repairs | None:
    """The repairs ranked, None where the best loses nodes or crashes as it goes on."""
    if not spaces:
        return None
    stage = Stage(1, guarded=True, calls=True)
    answer = context.ranked(Found(stage, bench, spaces, "budget"))
    best = answer.candidates[0]
    return None if best.lost_nodes or later(context.problem, best) else answer


def what_frees(context: Context) -> Repairs | NoRepair:
    """The fewest edits that free, beside what was accepted, on the straight line."""
    problem, work = context.problem, context.work
    budget, most = problem.budget, context.most(_FREEING_SHARE)
    complete = True
    for number in range(max(budget.least, 1), budget.edits + 1):
        for spares in (False, True)[: min(number, BEFORE_GUARDS)]:
            stage = Stage(number, spares=spares, calls=True, kept=bool(problem.accepted.edits))
            bench = context.benches.of(stage)
            if bench is None:
                continue
            found, ended = freeing(bench).looked(work, number, most)
            complete = complete and ended
            if found:
                return context.ranked(Found(stage, bench, found, "complete" if ended else "budget"))
            if work.over == "interrupted":
                return NoRepair("interrupted", (), work.spent)
    return NoRepair("unsatisfiable" if complete else "budget", (), work.spent)
