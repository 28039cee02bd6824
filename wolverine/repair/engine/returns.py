"""Returns that are missing: at the end of a function, and where a search finds nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from wolverine.core.patch import Candidate, Repairs
from wolverine.core.program import Function
from wolverine.core.trace import Problem
from wolverine.repair.engine.context import Context
from wolverine.repair.engine.found import Found
from wolverine.repair.source.ending import returned_variable, set_in_vain
from wolverine.repair.special.missing import EDITS, ended, returning, searching
from wolverine.repair.special.severing import returned
from wolverine.repair.special.stages import GUARDED_SHARE, NODES_SHARE, Stage
from wolverine.semantics.valueless import lacking_return, runs_out


def returned_at_the_end(context: Context) -> Repairs | None:
    """What a function returns at its end that may end without."""
    problem = context.problem
    if problem.accepted.edits or not problem.budget.least <= 1 <= problem.budget.edits:
        return None
    functions = _without_return(problem)
    if not functions:
        return None
    bench = context.benches.wider(guarded=True)
    for function in functions:
        if found := context.repairs(returned(bench, function), 1, GUARDED_SHARE):
            break
    else:
        return None
    answer = context.ranked(Found(Stage(1, guarded=True), bench, found))
    unread = set_in_vain(function, problem.program)

    def unlikely(candidate: Candidate) -> tuple[bool, float, bool]:
        name = returned_variable(candidate.patch)
        return name not in unread, candidate.against, not name

    return replace(answer, candidates=tuple(sorted(answer.candidates, key=unlikely)))


def _without_return(problem: Problem) -> Sequence[Function]:
    """The functions of which it may be that they end without `return`: that which did before a crash."""
    crash = problem.traces[0].crash
    if crash is None:
        return list(lacking_return(problem.program))
    if not all(trace.bare for trace in problem.traces):
        return ()
    function = problem.program.functions[crash.position.function]
    return [function] if crash.position.instruction == function.end and runs_out(function) else ()


def where_it_is_missing(context: Context, stage: Stage, answer: Repairs) -> Repairs:
    """Before what lets a search end: that together with a return where nothing was found."""
    problem = context.problem
    if stage.edits != 1 or stage.kept or problem.budget.edits < EDITS:
        return answer
    search = searching(problem.program, problem.traces[0])
    if search is None:
        return answer
    bench = context.benches.wider(guarded=True)
    few = ended(bench, search)
    found = [returning(each, few.menus, search) for each in context.repairs(few, 1, NODES_SHARE)]
    found = [each for each in found if len(each.masks) == EDITS]
    if not found:
        return answer
    other = context.ranked(Found(Stage(EDITS, guarded=True), bench, found, "budget"))
    best, first = answer.candidates[0], other.candidates[0]
    worse = first.crashes > best.crashes or (first.crashes_on and not best.crashes_on)
    return answer if worse else other.then(answer)
