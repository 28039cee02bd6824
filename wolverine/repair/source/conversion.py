"""Values as C converts them to another type, where a slip may have put them there."""

from __future__ import annotations

from wolverine.core.expressions import Cast, Constant, Expression
from wolverine.core.types import VOID_POINTER, CType, FloatType, IntType, PointerType, is_number


def convert(value: Expression, ctype: CType) -> Expression | None:
    """`value` as C would convert it for an assignment to `ctype`; None where it should not be tried."""
    if value.type == ctype:
        return value
    match value, ctype:
        case Constant(number, IntType(), written), IntType():
            return Constant(ctype.wrap(number), ctype, written)
        case Constant(0, PointerType(), written), PointerType():
            return Constant(0, ctype, written)
        case _, IntType() if isinstance(value.type, IntType):
            if ctype.bits and value.type.bits:
                return None  # bit fields of two sorts mean two things
            return Cast(value, ctype)
        case _, FloatType() if is_number(value.type) and is_number(ctype):
            return Cast(value, ctype)
    return None


def passed_as(value: Expression, ctype: CType) -> Expression | None:
    """What the source passes for a parameter, as it would be passed for one of that type."""
    if value.type == ctype:
        return value
    while isinstance(value, Cast) and not value.written:
        value = value.operand
    pointers = isinstance(value.type, PointerType) and isinstance(ctype, PointerType)
    if pointers and VOID_POINTER in (value.type, ctype) and value.type != ctype:
        return Cast(value, ctype)
    return convert(value, ctype)
