"""Nodes that are taken out of their structure and not freed: that belongs where they are taken out.

`first = first->next;` takes the first node out.  If another variable still leads to it, it is lost only when
that is set anew, perhaps one call later and in another function; what frees it there frees only some.  In
the function that takes it out it is freed behind its last use.  What is returned from it is read before:
`int result = old->value; first = first->next; free(old); return result;`, where to return what was kept
is no change of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wolverine.core.expressions import Dereference, Load, LValue, Member, VariableReference, variables
from wolverine.core.parts import without_casts
from wolverine.core.patch import Candidate, Edit, NewAssignment, NewCall, NewValue
from wolverine.core.program import Assign, Function, Gap, Program, is_result
from wolverine.core.trace import Problem
from wolverine.core.types import PointerType, StructReference
from wolverine.repair.source.flow import behind
from wolverine.repair.source.walk import expressions_of
from wolverine.repair.special.leftover import Leftover, Whole, together

_PLACES = ("before", "after", "block", "wrap-before", "wrap-after")


def taken_out(problem: Problem, whole: Whole) -> Sequence[tuple[Candidate, Leftover]]:
    """What frees such nodes, with what is left then, under which the program does the same besides.

    Where several statements take nodes out and none of them frees its own, the frees for all come first.
    """
    program, before = problem.program, whole.before
    if before is None:
        return ()
    found: list[tuple[tuple[int, ...], Candidate, Leftover]] = []

    def tried(edits: Sequence[Edit]) -> Leftover | None:
        made = together(problem, whole, edits)
        if made is None or not made[1].same(before):
            return None
        patch, left = made
        if left.lost > before.lost or left.live >= before.live:
            return None
        cost = patch.size - sum(isinstance(each.replacement, NewValue) for each in edits)
        order = left.lost, left.live, cost, len(found)
        found.append((order, Candidate(patch, cost, float(cost)), left))
        return left

    best: list[Edit] = []
    for function in program.functions.values():
        for index in _taking(function):
            helpful = next((each for each in _freed(program, function, index) if tried(each)), None)
            taken = {edit.location for edit in best}
            if helpful is not None and taken.isdisjoint(edit.location for edit in helpful):
                best += helpful
    if found and len(best) > min(candidate.patch.size for _, candidate, _ in found):
        tried(best)
    found.sort(key=lambda entry: entry[0])
    return [(candidate, left) for _, candidate, left in found]


@dataclass(frozen=True, slots=True)
class _Held:
    """The node that is taken out as a variable that leads to it; perhaps kept there by an edit of its own."""

    variable: VariableReference
    kept: tuple[Edit, ...] = ()


def _taking(function: Function) -> Iterator[int]:
    """The statements that lead past a node: `first = first->next;`, `p->next = gone->next;`."""
    for index, step in enumerate(function.code):
        if _passed(step) is None or not isinstance(step, Assign):
            continue
        if not (isinstance(step.target, VariableReference) and step.target.level == "local"):
            yield index


def _passed(step: object) -> LValue | None:
    """The place that leads to the node from which an assignment takes the link that it stores."""
    if isinstance(step, Assign) and isinstance(step.target.type, PointerType):
        match without_casts(step.value):
            case Load(Member(Dereference(Load(node)))) if node.type == step.target.type and isinstance(
                step.target.type.target, StructReference
            ):
                return node
    return None


def _freed(program: Program, function: Function, index: int) -> Iterator[list[Edit]]:
    """The edits that free the node which the statement at an instruction takes out, the likeliest first."""
    for held in _holding(function, index):
        last = _behind_its_last_use(program, function, index, held.variable)
        if last is not None:
            yield [*held.kept, Edit(last, _free(held.variable))]
        elif not held.kept:
            yield from _before_the_return(program, function, index, held.variable)


def _holding(function: Function, index: int) -> Iterator[_Held]:
    """What leads to that node behind the statement."""
    step, node = function.code[index], _passed(function.code[index])
    assert isinstance(step, Assign) and node is not None
    if isinstance(node, VariableReference) and node != step.target:
        yield _Held(node)
        return
    earlier = (each for each in function.code[:index] if isinstance(each, Assign))
    read = (each.target for each in earlier if without_casts(each.value) == Load(node))
    yield from (_Held(each) for each in dict.fromkeys(read) if isinstance(each, VariableReference))
    gap = _gap_before(function, index)
    spare = next((each for each in function.spares if each.type == node.type), None)
    if gap is not None and spare is not None and node == step.target:
        yield _Held(spare, (Edit(gap, NewAssignment(spare, Load(node))),))


def _behind_its_last_use(
    program: Program, function: Function, index: int, held: VariableReference
) -> int | None:
    """The first gap to which all ways from an instruction lead and behind which nobody reads the variable."""
    code, uses = function.code, _uses(function, held)
    anew = {at for at, step in enumerate(code) if isinstance(step, Assign) and step.target == held} - uses
    for at in sorted(behind(code, index)):
        step = code[at]
        if not isinstance(step, Gap) or step.location < 0 or not _certain(function, index, at):
            continue
        if program.location(step.location).gap in _PLACES and uses.isdisjoint(behind(code, at, barred=anew)):
            return step.location
    return None


def _before_the_return(
    program: Program, function: Function, index: int, held: VariableReference
) -> Iterator[list[Edit]]:
    """The node is freed in front of the `return`; what that reads of it is kept before it is taken out."""
    code, result = function.code, function.kept_result
    first = _gap_before(function, index)
    if result is None or first is None:
        return
    for at in sorted(behind(code, index)):
        step = code[at]
        if not isinstance(step, Assign) or not is_result(step.target) or not _certain(function, index, at):
            continue
        gap = _gap_before(function, at)
        known = variables(step.value) == {held.name} and step.target.type == result.type
        if gap is None or gap == first or not known or not _uses(function, held) & behind(code, at) <= {at}:
            continue
        yield [
            Edit(first, NewAssignment(result, step.value)),
            Edit(gap, _free(held)),
            Edit(step.location, NewValue(Load(result))),
        ]


def _free(held: VariableReference) -> NewCall:
    return NewCall("free", (Load(held),))


def _uses(function: Function, held: VariableReference) -> set[int]:
    """The instructions that read a variable."""
    return {
        at
        for at, step in enumerate(function.code)
        if any(held.name in variables(each) for each in expressions_of(step))
        or (isinstance(step, Assign) and step.target != held and held.name in variables(step.target))
    }


def _certain(function: Function, index: int, at: int) -> bool:
    """Whether all ways from an instruction lead to the other one, before they come back or to the end."""
    return behind(function.code, index, barred=(at,)).isdisjoint((index, function.end))


def _gap_before(function: Function, index: int) -> int | None:
    """The location of the gap right in front of the statement of an instruction."""
    step = function.code[index - 1] if index else None
    return step.location if type(step) is Gap and step.location >= 0 else None
