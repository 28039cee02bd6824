"""Addresses that a program reckons with as integers, as `container_of` may do: `(type *)((size_t)p - n)`."""

from __future__ import annotations

from wolverine.core.expressions import (
    AddressOf,
    Binary,
    Cast,
    Constant,
    Dereference,
    Element,
    Expression,
    LValue,
    Member,
)
from wolverine.core.parts import without_casts
from wolverine.core.types import CHAR, ArrayType, IntType, PointerType
from wolverine.frontend.declared import TypeTable

_BYTES = PointerType(CHAR)
_WHOLE = 8  # bytes of an integer that holds an address


def offset_from_null(value: Expression, table: TypeTable) -> int | None:
    """Where a part begins in its object, for `&((type *)0)->part`; None for any other value."""
    return _offset(value.place, table) if isinstance(value, AddressOf) else None


def as_pointer(value: Expression) -> Expression:
    """An integer that is a pointer and so many bytes, as that pointer; any other as it is."""
    match value:
        case Binary("+" | "-" as operator, Cast(pointer, IntType() as whole), number) if (
            isinstance(pointer.type, PointerType)
            and whole.size == _WHOLE
            and isinstance(number.type, IntType)
        ):
            return Binary(operator, Cast(pointer, _BYTES, "char *"), number, _BYTES)
    return value


def _offset(place: LValue, table: TypeTable) -> int | None:
    match place:
        case Dereference(pointer):
            null = without_casts(pointer)
            return 0 if isinstance(null, Constant) and not null.value else None
        case Member(base, _, offset):
            inside = _offset(base, table)
            return None if inside is None else inside + offset
        case Element(base, Constant(int() as index)) if isinstance(base.type, ArrayType):
            inside = _offset(base, table)
            return None if inside is None else inside + index * table.size(base.type.element)
    return None
