"""The answer to a problem: what the kind of its fault leads to at once, else what the stages find."""

from __future__ import annotations

import sys
from collections.abc import Callable

from wolverine.core.expressions import Load
from wolverine.core.patch import Edit, NewAssignment, NoRepair, Patch, Repairs
from wolverine.core.program import Assign, Gap, Program
from wolverine.core.trace import Problem
from wolverine.repair.engine.context import Context, context_of
from wolverine.repair.engine.counterpart import in_the_counterpart
from wolverine.repair.engine.freed import links_severed, what_frees, where_freed
from wolverine.repair.engine.links import links_kept, or_early, stale
from wolverine.repair.engine.lists import lists_moved_over
from wolverine.repair.engine.out_of_loops import led_out
from wolverine.repair.engine.returns import returned_at_the_end
from wolverine.repair.engine.staged import in_stages
from wolverine.repair.execution.work import Work, recursion_limit
from wolverine.repair.explicit.bench import bench_of
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.source.walk import located
from wolverine.repair.special.early import CLOSEST_EARLY
from wolverine.repair.special.severed import Severed
from wolverine.repair.special.stages import Stage
from wolverine.semantics.faults import Halt

_UNLIKELY = 1.3  # beside its distance, what speaks against the best repair where a node was freed
_UNLIKELY_LINK = 2.6  # where it sets what leads to the node: that others see it no more is what was meant
_DEEP = 20_000  # nested calls: one for every time that a group of choices is split


def search(problem: Problem, *, interrupted: Callable[[], bool] = lambda: False) -> Repairs | NoRepair:
    """Find the smallest edits under which every trace meets all of its events.

    Returns all minimal repairs, ranked; they are marked incomplete when the budget or `interrupted`
    (asked every few thousand steps) ended the search, or a share of the budget an earlier stage of it.
    Deterministic unless ended by the clock.
    """
    work = Work(problem.budget, interrupted)
    if not problem.traces:
        return NoRepair("unsupported", ("there is no execution to repair",))
    try:
        plain = bench_of(problem, Menus(problem.program, steered=_steered(problem)))
    except Halt as halt:
        return NoRepair("unsupported", (str(halt),))
    with recursion_limit(max(sys.getrecursionlimit(), _DEEP)):
        return _answer(context_of(problem, plain, work))


def _steered(problem: Problem) -> frozenset[int]:
    """The conditions that somebody forced, and what was accepted, which may have been one of these."""
    accepted = frozenset(edit.location for edit in problem.accepted.edits)
    return accepted.union(*(trace.steered for trace in problem.traces))


def _answer(context: Context) -> Repairs | NoRepair:
    """What is asked for alone, or what a missing return or a link that is used too late explains.

    Where a function ended without `return`, it is that.  Where a node is used that was freed, what keeps
    its link comes before all but a statement in the wrong place, or what lies where the node was freed: a
    link that is kept, or a statement that is moved, against which something speaks, is not what was meant
    where a single edit of the function that freed the node forgets it.  What was accepted in a function that
    is the same with names exchanged comes before all of this.  Then comes the way out of a loop
    without an end that goes round a ring, or sets no mark, as the program has it elsewhere.
    """
    problem = context.problem
    if problem.freeing:
        return what_frees(context)
    if problem.keeping:
        return links_kept(context) or NoRepair("unsatisfiable", (), context.work.spent)
    if (returned := returned_at_the_end(context)) is not None:
        return returned
    if (copied := in_the_counterpart(context)) is not None:
        return copied
    if (freed := lists_moved_over(context)) is not None:
        return freed
    if (out := led_out(context)) is not None:
        return out
    kept = links_kept(context) if stale(problem) else None
    if kept is not None and kept.candidates[0].against <= CLOSEST_EARLY:
        return kept
    where = where_freed(problem)
    severed = links_severed(context, where) if where is not None else None
    if kept is not None:
        closer = severed is not None and severed.candidates[0].against < kept.candidates[0].against
        return severed if severed is not None and closer else kept
    return _severed_or_staged(context, where, severed)


def _severed_or_staged(
    context: Context, where: Severed | None, severed: Repairs | None
) -> Repairs | NoRepair:
    """What lies where a node was freed, unless something else is nearer, as it may be.

    That is where much speaks against it, or where it serves the next statement only.
    """
    if where is None or severed is None:
        return in_stages(context)
    severed = or_early(context, Stage(1), severed)
    best = severed.candidates[0]
    accepted = context.problem.accepted
    new = Patch(best.patch.beside(accepted))
    unlikely = 0.0 if accepted.edits else _UNLIKELY  # what was accepted may be what led to the node
    if where.cut(context.problem.program, new):
        unlikely = _UNLIKELY_LINK
    if best.against - best.score <= unlikely and not _is_read_at_once(context.problem.program, new):
        return severed
    found = in_stages(context)
    return found if isinstance(found, Repairs) and found.candidates[0].against < best.against else severed


def _is_read_at_once(program: Program, patch: Patch) -> bool:
    """Whether it only sets what the next statement copies: that might copy something else as well."""
    match patch.edits:
        case (Edit(location, NewAssignment(target)),):
            function = program.functions[program.location(location).function]
            behind = function.code[located(function, location) :]
            copying = next((step for step in behind if not isinstance(step, Gap)), None)
            return isinstance(copying, Assign) and copying.value == Load(target)
    return False
