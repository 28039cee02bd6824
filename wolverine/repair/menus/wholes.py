"""What a pointer leads to is copied, rather than the pointer: `*p = *q` in the place of `p = q`."""

from __future__ import annotations

from wolverine.core.expressions import Dereference, Expression, Load, LValue
from wolverine.core.patch import NewAssignment
from wolverine.core.types import PointerType, StructReference


def whole(target: LValue, value: Expression) -> NewAssignment | None:
    """The struct to which `value` leads copied into that to which `target` leads; None without structs."""
    match target.type, value:
        case PointerType(StructReference() as struct), Load(place) if place != target:
            return NewAssignment(Dereference(Load(target), struct), Load(Dereference(value, struct)))
    return None


def is_whole(made: NewAssignment) -> bool:
    """Whether it copies a struct from one node to another."""
    match made:
        case NewAssignment(Dereference(type=StructReference()), Load(Dereference())):
            return True
    return False
