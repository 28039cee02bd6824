"""Values as C converts them to another type, where a slip may have put them there."""

from __future__ import annotations

from wolverine.core.expressions import Binary, Cast, Constant, Expression, Load, LValue
from wolverine.core.parts import unconverted
from wolverine.core.types import VOID_POINTER, CType, FloatType, IntType, PointerType, is_number, promoted


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


def compound(operator: str, place: LValue, amount: Expression) -> Expression | None:
    """What `+=` and the like assign to an integer or floating place; None where C has no type for it."""
    if not isinstance(place.type, IntType) or not isinstance(amount.type, IntType):
        return Binary(operator, Load(place), amount, place.type)
    wider = promoted(place.type)
    left, right = (convert(each, wider) if wider else None for each in (Load(place), amount))
    if left is None or right is None or wider is None:
        return None
    return convert(Binary(operator, left, right, wider), place.type)


def passed_as(value: Expression, ctype: CType) -> Expression | None:
    """What the source passes for a parameter, as it would be passed for one of that type."""
    if value.type == ctype:
        return value
    value = unconverted(value)
    pointers = isinstance(value.type, PointerType) and isinstance(ctype, PointerType)
    if pointers and VOID_POINTER in (value.type, ctype) and value.type != ctype:
        return Cast(value, ctype)
    return convert(value, ctype)
