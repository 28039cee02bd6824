"""C's implicit conversions made explicit (C11 6.3)."""

from __future__ import annotations

from wolverine.core.expressions import (
    AddressOf,
    Binary,
    Cast,
    Constant,
    Dereference,
    Element,
    Expression,
    Load,
    LValue,
)
from wolverine.core.types import (
    INT,
    LONG,
    ArrayType,
    CType,
    FloatType,
    IntType,
    PointerType,
    VoidType,
    promoted,
)
from wolverine.frontend.declared import Unmodelled


def rvalue(place: LValue) -> Expression:
    """The value of an lvalue; an array decays to the address of its first element."""
    if isinstance(place.type, ArrayType):
        element = place.type.element
        return AddressOf(Element(place, Constant(0, LONG), element), PointerType(element))
    return Load(place)


def target_of(pointer: Expression) -> LValue:
    """`*pointer`, with `*&x` taken as x."""
    if not isinstance(pointer.type, PointerType):
        raise Unmodelled("dereference of what is no pointer")
    if isinstance(pointer, AddressOf) and pointer.place.type == pointer.type.target:
        return pointer.place
    return Dereference(pointer, pointer.type.target)


def same_representation(first: CType, second: CType) -> bool:
    """Whether a conversion between the types changes nothing."""
    if isinstance(first, IntType) and isinstance(second, IntType):
        return (first.size, first.signed, first.bits, first.name == "_Bool") == (
            second.size, second.signed, second.bits, second.name == "_Bool",
        )  # fmt: skip
    return first == second


def convert(value: Expression, ctype: CType, written: str = "") -> Expression:
    """`value` converted to the type; raises Unmodelled for strangers."""
    source = value.type
    if same_representation(source, ctype) and not written:
        return value
    match source, ctype:
        case IntType(), IntType() if isinstance(value, Constant):
            return Constant(ctype.wrap(value.value), ctype, "" if written else value.text)
        case IntType() | PointerType(), IntType():
            if ctype.name == "_Bool" and isinstance(source, PointerType):
                return Binary("!=", value, Constant(0, source), INT)
            return Cast(value, ctype, written)
        case (IntType() | FloatType(), FloatType()) | (FloatType(), IntType()):
            require_double(source)
            require_double(ctype)
            return Cast(value, ctype, written)
        case IntType(), PointerType():
            if isinstance(value, Constant) and value.value == 0:
                return Constant(0, ctype, value.text)
            return Cast(value, ctype, written)
        case PointerType(), PointerType():
            if isinstance(value, Constant) and value.value == 0 and not written:
                return Constant(0, ctype, value.text)
            return Cast(value, ctype, written)
        case _:
            if source == ctype:
                return value
            raise Unmodelled("conversion")


def require_double(ctype: CType) -> None:
    """Raise Unmodelled for `long double`."""
    if isinstance(ctype, FloatType) and ctype.size > 8:
        raise Unmodelled("long double")


def promote(value: Expression) -> Expression:
    """Integer promotion; floating values stay as they are."""
    ctype = value.type
    if isinstance(ctype, FloatType):
        require_double(ctype)
        return value
    if not isinstance(ctype, IntType):
        raise Unmodelled("arithmetic")
    wider = promoted(ctype)
    if wider is None:
        raise Unmodelled("arithmetic on a bit field wider than int")
    return value if wider == ctype else convert(value, wider)


def common(left: Expression, right: Expression) -> tuple[Expression, Expression]:
    """The usual arithmetic conversions."""
    left, right = promote(left), promote(right)
    first, second = left.type, right.type
    if isinstance(first, FloatType) or isinstance(second, FloatType):
        sizes = [ctype.size for ctype in (first, second) if isinstance(ctype, FloatType)]
        real = FloatType("float", 4) if max(sizes) == 4 else FloatType("double", 8)
        return convert(left, real), convert(right, real)
    assert isinstance(first, IntType)
    assert isinstance(second, IntType)
    if first.size != second.size:
        wide = first if first.size > second.size else second
    else:
        wide = first if not first.signed else second
    return convert(left, wide), convert(right, wide)


def comparable(left: Expression, right: Expression) -> tuple[Expression, Expression]:
    """The operands of a comparison, in one type."""
    first, second = left.type, right.type
    if isinstance(first, PointerType) and isinstance(second, PointerType):
        if first == second:
            return left, right
        if isinstance(second.target, VoidType) and not isinstance(right, Constant):
            return convert(left, second), right
        return left, convert(right, first)
    if isinstance(first, PointerType) and isinstance(right, Constant) and right.value == 0:
        return left, convert(right, first)
    if isinstance(second, PointerType) and isinstance(left, Constant) and left.value == 0:
        return convert(left, second), right
    if isinstance(first, PointerType) or isinstance(second, PointerType):
        raise Unmodelled("comparison of a pointer with a number")
    return common(left, right)
