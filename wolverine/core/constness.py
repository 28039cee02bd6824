"""What C does not let a program write: objects that are `const` where they are declared (C11 6.7.3)."""

from __future__ import annotations

from wolverine.core.expressions import (
    AddressOf,
    Binary,
    Conditional,
    Dereference,
    Element,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
)
from wolverine.core.types import StructReference, Types


def is_constant(place: LValue, types: Types) -> bool:
    """Whether the place is no modifiable lvalue (C11 6.3.2.1), so that gcc refuses what assigns to it."""
    return bool(_of_place(place, types) & 1)


def _of_place(place: LValue, types: Types) -> int:
    """Bit 0: the place is `const`; bit 1: what it points to is; and so on."""
    match place:
        case VariableReference():
            return place.constant
        case Element(base):
            return _of_place(base, types)
        case Dereference(pointer):
            return _of_value(pointer, types) >> 1
        case Member(base, name):
            struct = types.structs.get(base.type.tag) if isinstance(base.type, StructReference) else None
            field = struct.field(name) if struct is not None else None
            return (field.constant if field is not None else 0) | _of_place(base, types) & 1
    return 0


def _of_value(value: Expression, types: Types) -> int:
    """The same for a value, whose bit 0 means nothing; a cast to a pointer takes the qualifiers off."""
    match value:
        case Load(place):
            return _of_place(place, types)
        case AddressOf(place):
            return _of_place(place, types) << 1
        case Binary(_, left, right):
            return _of_value(left, types) | _of_value(right, types)
        case Conditional(_, one, other):
            return _of_value(one, types) | _of_value(other, types)
    return 0
