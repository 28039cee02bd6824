"""An assignment under a comparison of its own two sides: `if (x->hi > y->hi) y->hi = x->hi;`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from wolverine.core.expressions import (
    Binary,
    Constant,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
    lvalue_text,
    text,
)
from wolverine.core.parts import parts
from wolverine.core.patch import Guarded, NewAssignment, Replacement
from wolverine.core.program import Instruction
from wolverine.core.types import INT, is_number
from wolverine.repair.source.flow import behind

_ORDERS = (">", "<")  # the greatest is kept, the least is
_NAMES = re.compile("min|max|least|most|low|high|small|larg|great|best|worst|peak", re.IGNORECASE)


def bounds(target: LValue, value: Expression) -> Iterator[Guarded]:
    """The assignment of a number where it is greater than the one that is there, or less."""
    held = Load(target)
    numbers = is_number(target.type) and value.type == target.type
    if not numbers or isinstance(value, Constant) or text(held) in map(text, parts(value)):
        return
    for operator in _ORDERS:
        yield Guarded(Binary(operator, value, held, INT), NewAssignment(target, value))


def new_bounds(places: Sequence[LValue]) -> Iterator[Guarded]:
    """Such assignments of a field to the same field of another node, or to a variable."""
    fields = [place for place in places if isinstance(place, Member)]
    for target in places:
        for field in fields:
            alike = isinstance(target, Member) and target.name == field.name
            if alike or isinstance(target, VariableReference):
                yield from bounds(target, Load(field))


def is_bound(made: Replacement) -> bool:
    """Whether an edit is one of these."""
    match made:
        case Guarded(Binary(operator, left, Load(held)), NewAssignment(target, value), None):
            same = lvalue_text(held) == lvalue_text(target) and text(left) == text(value)
            return same and operator in _ORDERS
    return False


def among_several(code: Sequence[Instruction], index: int, made: Guarded) -> bool:
    """Whether such an edit of the instruction `index` keeps the least or the greatest of several numbers.

    So it does in a loop, and with the same field of two nodes; else the number has a name that says so.
    """
    statement = made.statement
    if not isinstance(statement, NewAssignment):
        return False
    target, value = statement.target, statement.value
    same = (
        isinstance(target, Member)
        and isinstance(value, Load)
        and isinstance(value.place, Member)
        and target.name == value.place.name
    )
    named = isinstance(target, Member | VariableReference) and _NAMES.search(target.name)
    return bool(same or named or index in behind(code, index))
