"""Numbers by which nodes are compared, where these need not be the first ones of their struct.

Of `struct job { int id; int length; }` who takes the shortest asks for the length: of heaps that have ids in
any order all would have their lengths in one and the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from wolverine.core.expressions import ORDERS, Binary, Constant, Expression, Load, Member, VariableReference
from wolverine.core.parts import parts, step_parts, without_casts
from wolverine.core.program import Assign, Program
from wolverine.semantics.fields import Field, number_field


def ordering(program: Program, within: Collection[str] | None = None) -> Mapping[str, int]:
    """The offset of the only number of a struct that is compared by order with that of others, by tag.

    What the program counts is none: that goes by the nodes around.  With `within` only these functions
    are looked at.
    """
    found: dict[str, set[int]] = {}
    counted: set[Field] = set()
    for function in program.functions.values() if within is None else map(program.functions.get, within):
        if function is None:
            continue
        for step in function.code:
            if (
                isinstance(step, Assign)
                and (field := number_field(Load(step.target)))
                and _counts(step.value)
            ):
                counted.add(field)
            for part in step_parts(step):
                for tag, offset in _compared(part):
                    found.setdefault(tag, set()).add(offset)
    alone = {tag: next(iter(offsets)) for tag, offsets in found.items() if len(offsets) == 1}
    return {tag: offset for tag, offset in alone.items() if (tag, offset) not in counted}


def _compared(part: Expression) -> Iterator[Field]:
    """The field of a node that is compared by order with that of another one, or with a variable."""
    match part:
        case Binary(operator, left, right) if operator in ORDERS:
            for one, other in ((left, right), (right, left)):
                match without_casts(other):
                    case Load(VariableReference() | Member()) if (field := number_field(one)) is not None:
                        yield field


def _counts(value: Expression) -> bool:
    """Whether a constant is added to something."""
    return any(
        isinstance(part, Binary)
        and part.operator in ("+", "-")
        and isinstance(without_casts(part.right), Constant) | isinstance(without_casts(part.left), Constant)
        for part in parts(value)
    )
