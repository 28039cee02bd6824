"""A link that is tested and gone through under the test, where another one was meant in both places.

`if (x->right) x->right->parent = y;` was copied from the mirror image, where it was right, and not adapted
(Li et al., "CP-Miner", OSDI 2004).  Neither edit by itself helps: one goes through a link that nothing has
asked about, the other sets what it set before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wolverine.core.exchanging import exchanged_place, exchanged_value, named
from wolverine.core.expressions import Expression, Load, LValue, Member
from wolverine.core.parts import conjuncts, null_test, step_parts
from wolverine.core.patch import Edit, NewAssignment, NewValue
from wolverine.core.program import Assign, Branch, Function, Instruction, Program
from wolverine.core.types import PointerType, StructReference

_UNDER_IT = 3  # statements under the test that name the link, at most


def links_exchanged(program: Program, function: Function) -> Iterator[tuple[Edit, ...]]:
    """The edits that test another link of the node, of the same type, and go through that one instead.

    A loop that does so walks in another direction, which is another thing to say.
    """
    code = function.code
    for step in code:
        if not isinstance(step, Branch) or step.location < 0 or step.if_true >= step.if_false:
            continue
        if program.location(step.location).loop:
            continue
        arm = code[step.if_true : step.if_false]
        for link in _tested(step.condition):
            naming = _naming(program, arm, link)
            for other in _others(program, link) if naming else ():
                yield tuple(_edits(step, naming, link, other))


def _tested(condition: Expression) -> Iterator[Member]:
    """The links of which a condition asks that they lead somewhere."""
    for each in conjuncts(condition):
        match null_test(each):
            case Member(base=base) as link, "!=" if isinstance(base.type, StructReference):
                yield link


def _naming(program: Program, arm: Sequence[Instruction], link: Member) -> list[Assign]:
    """The statements of an arm that name a link; none where others than assignments do, or too many."""
    found: list[Assign] = []
    for step in arm:
        match step:
            case Assign() if Load(link) in step_parts(step) or step.target == link:
                if step.location < 0 or program.location(step.location).kind != "assignment":
                    return []
                found.append(step)
            case _ if Load(link) in step_parts(step):
                return []
    return found if len(found) <= _UNDER_IT else []


def _others(program: Program, link: Member) -> Iterator[Member]:
    """The other links of the node that lead to the same kind of node."""
    if isinstance(link.type, PointerType):
        for field in program.types.members(link.base.type):
            if field.type == link.type and field.name != link.name:
                yield Member(link.base, field.name, field.offset, field.type)


def _edits(test: Branch, naming: Sequence[Assign], link: Member, other: Member) -> Iterator[Edit]:
    exchange: dict[LValue, LValue] = {each: each for each in named(test.condition, *naming)}
    exchange[link] = other
    asked = exchanged_value(test.condition, exchange)
    if asked is not None:
        yield Edit(test.location, NewValue(asked))
    for step in naming:
        target, value = exchanged_place(step.target, exchange), exchanged_value(step.value, exchange)
        if target is not None and value is not None:
            yield Edit(step.location, NewAssignment(target, value))
