"""What the answer of a search tells: whether more is to be looked for besides, and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from wolverine.core.expressions import lvalue_text
from wolverine.core.graph import Place
from wolverine.core.parts import gone_through
from wolverine.core.patch import Candidate, Deletion, Edit, NewAssignment, NewNode, Repairs
from wolverine.core.program import Assign, Program
from wolverine.core.trace import Problem
from wolverine.repair.execution.runner import Runner
from wolverine.repair.execution.spaces import Space
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.guards import carried, sheltered
from wolverine.repair.menus.vocabulary import lives_on
from wolverine.repair.ranking.aftermath import crashes_before, crashes_later
from wolverine.repair.ranking.changes import CLOSEST_ONWARD, CLOSEST_SPECIAL
from wolverine.repair.ranking.insertions import CLOSEST_CALL
from wolverine.repair.source.frees import can_free
from wolverine.repair.source.given_back import alone_given_back
from wolverine.repair.source.references import ended
from wolverine.repair.source.twins import Twins
from wolverine.repair.source.undone import LeftUndone
from wolverine.semantics.replay import replay

_HARMFUL = 40  # candidates of which it is seen whether what they insert needs a test
_TRIAL_STEPS = 3_000  # on a fresh heap, where the length of the trace is not known
_FAR = 2.6  # what speaks against one statement that is not under a test: one that is may be nearer


def later(problem: Problem, candidate: Candidate) -> bool:
    """Whether the execution crashes under the candidate: as it goes on, where all that is known is a crash.

    Else on its way to where the trace begins, if that is known.
    """
    patch = candidate.patch
    if not patch.edits:
        return False
    if problem.traces[-1].crash is None:
        return any(crashes_before(problem.program, patch, trace) for trace in problem.traces)
    return any(crashes_later(problem.program, patch, trace, callers=True) for trace in problem.traces)


def uses_freed(problem: Problem, candidate: Candidate) -> bool:
    """Whether the execution under the candidate uses freed nodes, where it does not as the program is.

    The process survives that, so that all that is asserted is met.
    """
    return any(
        not replay(problem.program, candidate.patch, trace, own_control=True, strict=True).met
        and replay(problem.program, candidate.patch, trace, own_control=True).met
        for trace in problem.traces
        if not trace.strict and can_free(problem.program)
    )


def renumbered(space: Space, old: Menus, new: Menus) -> Space:
    """The space in the numbers of menus that have more choices."""
    masks = dict(space.masks)
    for location, mask in space.masks.items():
        before, after = old.menu(location), new.menu(location)
        if before is not None and after is not None:
            masks[location] = carried(mask, before, after)
    return replace(space, masks=masks)


def closer_than_calls(problem: Problem, answer: Repairs) -> bool:
    """Whether no repair by one call more could come before the best of the repairs.

    Where nodes are lost, a call that frees them may always be what is missing; so may one that a function
    lacks which is changed, where another one that is the same with other names has it, or where it has one
    itself in front of its last `return` alone.
    """
    if any(trace.lost for trace in problem.traces):
        return False
    best = answer.candidates[0]
    twins = Twins(problem.program)
    undone = LeftUndone(problem.program)
    changed = {problem.program.location(edit.location).function for edit in best.patch.edits}
    if any(twins.lacks_a_call(each) or undone.calls(each) for each in changed):
        return False
    seen = any(assertion.states for trace in problem.traces for assertion in trace.pictured)
    return best.score < CLOSEST_CALL and not (best.crashes or best.lost_nodes or seen)


def closer_than_special(answer: Repairs) -> bool:
    """Whether no repair by a jump or a tested number could come before the best of the repairs."""
    return answer.candidates[0].against < CLOSEST_SPECIAL


def closer_than_onward(answer: Repairs) -> bool:
    """Whether no repair by a jump that is gone could come before the best of the repairs."""
    return answer.candidates[0].against < CLOSEST_ONWARD


def far_off(answer: Repairs) -> bool:
    """Whether much speaks against the best repair, which is one statement or condition."""
    best = answer.candidates[0]
    return len(best.patch.edits) == 1 and best.against > _FAR


def fails_later(problem: Problem, answer: Repairs) -> bool:
    """Whether the execution crashes under the best repair when it goes on behind the trace.

    So it may on its way to the trace.  A special case is missing then: what is wrong with an empty list is
    not one statement.
    Where all that is known is a crash, nodes that are lost on other heaps tell the same; so it is with a
    node that is used after it was freed, where nodes are freed no more.
    """
    best = answer.candidates[0]
    if not best.patch.edits:
        return False
    trace = problem.traces[-1]
    crashed = trace.crash is not None
    if not crashed and later(problem, best):
        return True
    if (trace.strict or crashed) and (best.crashes or best.lost_nodes):
        return True
    changed = [edit for edit in best.patch.edits if not isinstance(edit.replacement, NewNode)]
    kinds = {problem.program.location(edit.location).kind for edit in changed}
    if trace.bare and best.undone:
        return True  # the work is rather done but for what crashes
    if trace.bare and (kinds - {"condition"} or max(best.score, best.against) > CLOSEST_CALL):
        return True  # a condition against which much speaks is no closer than a test that is missing
    if crashed and ("gap" in kinds or any(isinstance(edit.replacement, Deletion) for edit in changed)):
        return True  # rather than a statement less or more, a test may be missing
    return best.crashes > 0 and any(
        crashes_later(problem.program, best.patch, trace) for trace in problem.traces
    )


def answers_alike(problem: Problem, answer: Repairs) -> bool:
    """Whether the best repair after a mere crash changes a condition in what gives back one number alone.

    Who reads that rather asks whether anything was done: a `return` is missing where nothing is.
    """
    match answer.candidates[0].patch.edits:
        case (Edit(at),) if problem.traces[-1].bare:
            location = problem.program.location(at)
            within = location.function
            return location.kind == "condition" and alone_given_back(problem.program, within) is not None
    return False


def harmful(program: Program, answer: Repairs) -> frozenset[int]:
    """Where the first of the repairs insert what crashes on heaps on which nothing crashed before.

    Or where they assign something else, by which nodes are lost on other heaps, or upset what was well;
    and where the best stores in a node what was stored elsewhere, and crashes where there is none.
    """
    best = answer.candidates[0]
    found = set()
    for candidate in answer.candidates[:_HARMFUL]:
        edits = candidate.patch.edits if candidate.cost == best.cost else ()
        there = [e for e in edits if candidate.crash_reason.endswith(f" {program.location(e.location).line}")]
        for edit in there if len(edits) > 1 and there else edits:
            if isinstance(edit.replacement, NewAssignment):
                new = program.location(edit.location).kind == "gap"
                spoils = candidate is best and (candidate.upset if new else candidate.lost_nodes)
                spoils = spoils or (candidate.harmed and candidate is best and _instead(program, edit))
                if spoils or (new and candidate.harmed):
                    found.add(edit.location)
    return frozenset(found)


def _instead(program: Program, edit: Edit) -> bool:
    """Whether what was stored in one place is stored in a node instead: in the usual case, it may be."""
    at = edit.location
    step = next(s for s in program.functions[program.location(at).function].code if s.location == at)
    match step, edit.replacement:
        case Assign(_, target, value), NewAssignment(other, same):
            return value == same and target != other and any(gone_through(other))
    return False


def spoils(problem: Problem, answer: Repairs, *, beside: bool) -> bool:
    """Whether the best repair spoils what was well on other heaps, which it need not under a test.

    What is missing elsewhere `beside` accepted edits may well be said next, unless rules are broken there or
    the repair is about a pointer to a node that is freed.
    """
    best = answer.candidates[0]
    if not beside:
        return best.broken > 0 or best.upset > 0
    new = best.patch.beside(problem.accepted)
    return best.upset > 0 and (best.broken > 0 or any(_lets_go(problem.program, edit) for edit in new))


def _lets_go(program: Program, edit: Edit) -> bool:
    """Whether it puts in what sets a pointer that lives on to such a node as the function frees.

    The pointer is set because it led to that node: where it leads elsewhere it is rather left.
    """
    match edit.replacement:
        case NewAssignment(target) if program.location(edit.location).kind == "gap" and lives_on(target):
            code = program.functions[program.location(edit.location).function].code
            return target.type in {freed.type for freed in ended(program, code)}
    return False


def broken_by(answer: Repairs) -> list[tuple[int, str]]:
    """What the first of the repairs set where that spoils other heaps: locations, and the places."""
    return [
        (edit.location, lvalue_text(edit.replacement.target))
        for candidate in answer.candidates[:_HARMFUL]
        for edit in candidate.patch.edits
        if (candidate.broken or candidate.upset) and isinstance(edit.replacement, NewAssignment)
    ]


def sheltered_only(menus: Menus, space: Space, locations: frozenset[int]) -> Space:
    """What of a space is such a statement at these locations."""
    masks = {
        location: sheltered(menu, mask) if location in locations and (menu := menus.menu(location)) else mask
        for location, mask in space.masks.items()
    }
    return replace(space, masks=masks)


def failures(best: Candidate) -> tuple[int, int]:
    """How often a repair crashes on fresh heaps, and how often it does something else that is odd."""
    return best.crashes, best.lost_nodes + best.changed


def trial_steps(runner: Runner) -> int:
    """How many machine steps a run on a fresh heap may take; one that crashed tells nothing of that."""
    if runner.length is not None:
        return runner.patience
    return _TRIAL_STEPS


def least_given_up(spaces: Sequence[Space]) -> frozenset[tuple[str, Place]]:
    """The smallest set of places that a repair gives up; of equal ones the first in order."""
    return min(
        (space.given_up for space in spaces),
        key=lambda found: (len({p for _, p in found}), len(found), sorted(map(order, found))),
    )


def order(given: tuple[str, Place]) -> tuple[str, str]:
    """An order of the places that are given up."""
    return given[0], repr(given[1])
