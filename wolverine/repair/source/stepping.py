"""Links over which loops lead a variable on from one node to the next: `p = p->left`."""

from __future__ import annotations

from collections.abc import Mapping

from wolverine.core.expressions import Constant, Dereference, Load, Member, VariableReference, variables
from wolverine.core.parts import without_casts
from wolverine.core.program import Assign, Branch, Function
from wolverine.core.types import CType
from wolverine.repair.source.flow import behind, loops_around


def stepped_over(function: Function) -> frozenset[tuple[CType, int]]:
    """These links, by the struct and where in it they lie."""
    code, found = function.code, set[tuple[CType, int]]()
    for index, step in enumerate(code):
        link = _step(step)
        if link is not None and index in behind(code, index):
            assert isinstance(link.base, Dereference)
            found.add((link.base.type, link.offset))
    return frozenset(found)


def steps_unappended(function: Function) -> Mapping[int, Member]:
    """The locations of steps to what was just appended, in loops that append in some rounds only.

    `if (v > 0) last->next = make(v);  last = last->next;` leads to null in the other rounds: the step is
    meant where something was appended, `if (last->next != NULL)`.  Where the loop asks for the variable it
    goes through a list, and what it sets in between is another matter.
    """
    code, found = function.code, dict[int, Member]()
    for index, step in enumerate(code):
        link = _step(step)
        loop = next(loops_around(code, index), None)
        if link is None or loop is None or step.location < 0:
            continue
        assert isinstance(step, Assign) and isinstance(step.target, VariableReference)
        name = step.target.name
        if any(
            name in variables(each.condition)
            for each in code[loop.start : loop.stop]
            if isinstance(each, Branch)
        ):
            continue
        appends = {
            at
            for at in loop
            if isinstance(each := code[at], Assign)
            and each.target == link
            and not isinstance(without_casts(each.value), Constant)
            and name not in variables(each.value)
        }
        if appends and index in behind(code, index, barred=appends):
            found[step.location] = link
    return found


def _step(step: object) -> Member | None:
    """The link over which an assignment leads a variable on."""
    match step:
        case Assign(
            _, VariableReference(name), Load(Member(Dereference(Load(VariableReference(of)))) as link)
        ) if name == of:
            return link
    return None
