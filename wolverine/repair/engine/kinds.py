"""Searches for edits of one kind (`special`), each with its share of the work."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from wolverine.repair.engine.context import Context
from wolverine.repair.engine.found import Found
from wolverine.repair.execution.spaces import Space
from wolverine.repair.execution.work import Stopped
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.ranking.stepwise import repeated_elsewhere, stepwise
from wolverine.repair.special.approved import since_approved
from wolverine.repair.special.behind_jumps import behind_jumps
from wolverine.repair.special.freed_besides import EDITS as FREED_BESIDES
from wolverine.repair.special.freed_besides import mended_and_freed
from wolverine.repair.special.in_order import in_order
from wolverine.repair.special.independent import independent
from wolverine.repair.special.keeping import kept_early, kept_elsewhere
from wolverine.repair.special.moves import moved, moved_calls, moved_nodes
from wolverine.repair.special.omitted import omitted
from wolverine.repair.special.sameness import leaving_for_one
from wolverine.repair.special.singles import singular, spelled
from wolverine.repair.special.stages import CALLS_SHARE, NODES_SHARE, SPECIAL_SHARE, Stage
from wolverine.repair.special.unasked import EDITS as UNASKED
from wolverine.repair.special.unasked import jumps_under_tests

SEVERAL = 2  # edits, of which it may take long to try all
MOVE = 2  # edits: a deletion and an insertion
_MOVES_SHARE = Fraction(1, 40)
_STEPWISE_SHARE = Fraction(1, 6)
_TWICE_SHARE = Fraction(1, 8)
_FREED_SHARE = Fraction(1, 40)
_DIRECT_SHARE = Fraction(1, 8)
_INDEPENDENT_SHARE = Fraction(1, 20)
_IN_ORDER_SHARE = Fraction(1, 10)  # a search for one edit, behind one that is known, seldom takes more


def calls_omitted(context: Context, bench: Bench, *, own_control: bool = False) -> list[Space]:
    """Repairs by one call of a function of the program; the bench has calls."""
    lacking = context.lacking or any(trace.crash is not None for trace in context.problem.traces)
    most = context.most(CALLS_SHARE)
    return omitted(bench, context.work, most, lacking=lacking, own_control=own_control)


def single_edits(
    context: Context, bench: Bench, *, returning: bool = False, onward: bool = False
) -> list[Space]:
    """Repairs by one jump or its like, as choices of the bench, which has statements under tests.

    With `returning` also by a return; with `onward` only by a jump that is gone, with which loops may go on
    where they ended.
    """
    few = singular(bench, returning=returning, onward=onward)
    most = context.most(SPECIAL_SHARE if onward else NODES_SHARE)
    found = few.found(context.work, 1, most, own_control=onward)
    spelled_out = [spelled(space, few.menus, bench.menus) for space in found]
    return [*spelled_out, *jumps_tested(context, bench, spelled_out)] if onward else spelled_out


def jumps_tested(context: Context, bench: Bench, found: list[Space]) -> list[Space]:
    """Jumps put under a test, of those that these repairs do without, where two edits are allowed."""
    budget = context.problem.budget
    if budget.edits < UNASKED or budget.insertions == 0:
        return []
    most = context.most(SPECIAL_SHARE)
    return jumps_under_tests(bench, context.work, most, found, own_control=True)


def left_for_one(context: Context, bench: Bench) -> list[Space]:
    """Repairs by a return where two arguments are one; the bench has statements under tests."""
    few = leaving_for_one(bench)
    return context.repairs(few, 1, NODES_SHARE) if few.editable else []


def links_early(context: Context, stage: Stage, bench: Bench) -> list[Space]:
    """Links that are kept before they are spoilt; where the source keeps one, that is taken."""
    work, most = context.work, context.most(stage.share)
    found = kept_early(bench, work, most, own_control=stage.own_control)
    return kept_elsewhere(bench, work, found, own_control=stage.own_control) or found


def step_by_step(context: Context, bench: Bench, edits: int) -> list[Space]:
    """Repairs put together from one assertion to the next."""
    return _within(context, _STEPWISE_SHARE, lambda: stepwise(bench, context.work, edits))


def made_twice(context: Context, bench: Bench) -> list[Space]:
    """Repairs by one edit that is made in two places."""
    return _within(context, _TWICE_SHARE, lambda: repeated_elsewhere(bench, context.work))


def _within(context: Context, share: Fraction, search: Callable[[], list[Space]]) -> list[Space]:
    """What a search finds with its share of the work; nothing where that does not suffice."""
    try:
        with context.work.at_most(context.most(share)):
            return search()
    except Stopped:
        return []  # if nothing more may be done at all, the next stage will notice


def each_by_itself(context: Context, edits: int, *, guarded: bool = False) -> list[Space]:
    """Repairs of which each edit serves other places, behind the last picture that was right if it is so.

    With `guarded` one of them at least is a statement under a test, where nothing else serves its place; they
    are choices of the bench with these then.
    """
    plain, most = context.benches.plain, context.most(_INDEPENDENT_SHARE)
    wider = context.benches.wider(guarded=True) if guarded else None
    approved = context.benches.approved
    if approved is not None:
        behind = since_approved(wider) if wider is not None else None
        if found := independent(approved, context.work, edits, most, behind):
            return found
    found = independent(plain, context.work, edits, most, wider)
    if not found and edits == SEVERAL:
        if wider is not None:
            return behind_jumps(plain, wider, context.work, most)
        return in_order(plain, context.work, context.most(_IN_ORDER_SHARE))
    return found


def statements_moved(context: Context, bench: Bench, *, own_control: bool = False) -> list[Space]:
    """Statements that stand elsewhere, with a bench's menus."""
    return moved(bench, context.work, context.most(_MOVES_SHARE), own_control=own_control)


def freed_besides(context: Context) -> Found | None:
    """Repairs by one edit and one more that frees, where so many are allowed; None where there are none."""
    budget, plain = context.problem.budget, context.benches.plain
    if budget.edits < FREED_BESIDES or budget.insertions == 0:
        return None
    bench, most = context.benches.wider(calls=True), context.most(_FREED_SHARE)
    found = mended_and_freed(plain, bench, context.work, most, context.ranker.distance)
    stage = Stage(FREED_BESIDES, calls=True)
    return Found(stage, bench, found, "budget") if found else None


def moved_and_more(context: Context, bench: Bench, more: int = 0) -> list[Space]:
    """Repairs that set a statement elsewhere and make `more` edits, where so many are allowed."""
    return _elsewhere(context, lambda most: moved(bench, context.work, most, more), more)


def calls_moved(context: Context, bench: Bench) -> list[Space]:
    """Repairs that make a call of a function of the program elsewhere; the bench has calls."""
    return _elsewhere(context, lambda most: moved_calls(bench, context.work, most))


def nodes_moved(context: Context, bench: Bench) -> list[Space]:
    """Repairs that make a node elsewhere; the bench has new nodes."""
    return _elsewhere(context, lambda most: moved_nodes(bench, context.work, most))


def _elsewhere(context: Context, search: Callable[[int], list[Space]], more: int = 0) -> list[Space]:
    """What a search for moves finds with its share of the work, where so many edits are allowed."""
    budget = context.problem.budget
    if budget.edits < MOVE + more or budget.insertions == 0:
        return []
    try:
        return search(context.most(_MOVES_SHARE))
    except Stopped:
        return []


def written_directly(context: Context, bench: Bench, stage: Stage) -> list[Space]:
    """Of so many edits that it takes too long to try them all, those that write what is asserted."""
    if stage.edits < SEVERAL or stage.relaxed:
        return []
    return bench.direct(context.work, stage.edits, context.most(_DIRECT_SHARE))
