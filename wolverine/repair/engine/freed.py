"""Nodes that are freed: what still leads to one that was, and what frees those that are not."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from wolverine.core.patch import Candidate, NoRepair, Patch, Repairs
from wolverine.core.trace import Problem
from wolverine.repair.engine.context import Context
from wolverine.repair.engine.found import Found
from wolverine.repair.engine.kinds import calls_omitted, single_edits, statements_moved
from wolverine.repair.execution.spaces import Space
from wolverine.repair.ranking.answered import later, renumbered
from wolverine.repair.special.freeing import freeing
from wolverine.repair.special.recounted import recounted
from wolverine.repair.special.severed import Severed, severed
from wolverine.repair.special.severing import severing
from wolverine.repair.special.stages import BEFORE_GUARDS, GUARDED_SHARE, Stage

_FREEING_SHARE = Fraction(1, 10)
_HARDLY = 0.3  # so much closer another condition is rather none that was meant
_LOSING = 1.0  # where it loses nodes


def where_freed(problem: Problem) -> Severed | None:
    """Where a node was freed that is used later, where that is all that is known."""
    if not all(t.strict and t.bare for t in problem.traces):
        return None
    known = severed(problem.program, problem.traces[0], problem.accepted)
    return known if known.functions or known.counted else None


def links_severed(context: Context, known: Severed) -> Repairs | None:
    """Repairs in the functions that freed such a node, beside what was accepted.

    Where references to it are counted they are also counted where they are kept.
    """
    stage = Stage(1, guarded=True, calls=True, kept=bool(context.problem.accepted.edits))
    unwidened = context.benches.of(replace(stage, guarded=False, calls=False))
    wider = context.benches.of(stage)
    if unwidened is None or wider is None:
        return None
    plain = unwidened.within(known.functions)
    cleared: list[Space] = []
    for number in range(2, min(known.several, context.problem.budget.edits) + 1):
        cleared += context.repairs(severing(wider, known, null=True), number, GUARDED_SHARE)
    # Where a node leads to several that were freed, these pointers were forgotten, all of them.
    setting = [*cleared, *context.repairs(severing(wider, known), 1, GUARDED_SHARE)]
    if cleared and (answer := _unspoiled(context, known, Found(stage, wider, setting, "budget"))) is not None:
        return answer
    found = context.repairs(plain, 1, GUARDED_SHARE)
    found = [renumbered(space, plain.menus, wider.menus) for space in found]
    omitted = calls_omitted(context, wider.within(known.functions))
    moved = statements_moved(context, wider.within(known.functions))
    tested = single_edits(context, wider.within(known.functions))
    counting = recounted(wider, context.work, context.most(GUARDED_SHARE)) if known.counted else []
    spaces = [*counting, *found, *setting, *omitted, *moved, *tested]
    return _unspoiled(context, known, Found(stage, wider, spaces, "budget"))


def _unspoiled(context: Context, known: Severed, found: Found) -> Repairs | None:
    """The repairs ranked, None where the best loses nodes or crashes as it goes on."""
    if not found.spaces:
        return None
    answer = cut_first(context.problem, known, context.ranked(found))
    best = answer.candidates[0]
    return None if best.lost_nodes or later(context.problem, best) else answer


def cut_first(problem: Problem, known: Severed, answer: Repairs) -> Repairs:
    """The answer, first the repair that sets what leads to the node where another condition is hardly closer.

    That explains what happened; the other one just frees something else, or nothing: it upsets more of what
    was well, or loses nodes.
    """
    first = answer.candidates[0]
    kinds = {problem.program.location(e.location).kind for e in first.patch.beside(problem.accepted)}
    if kinds != {"condition"}:
        return answer
    most = first.against + (_LOSING if first.lost_nodes else _HARDLY)
    near = (each for each in answer.closest() if each.against <= most and _harm(each) < _harm(first))
    cut = next((each for each in near if _cuts(problem, known, each)), None)
    if cut is None:
        return answer
    rest = (each for each in answer.candidates if each is not cut)
    return replace(answer, candidates=(cut, *rest))


def _harm(candidate: Candidate) -> tuple[int, int, int]:
    return candidate.crashes, candidate.lost_nodes, candidate.upset


def _cuts(problem: Problem, known: Severed, candidate: Candidate) -> bool:
    """Whether beside what was accepted it only sets what leads to the node."""
    new = candidate.patch.beside(problem.accepted)
    return bool(new) and known.cut(problem.program, Patch(new))


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
