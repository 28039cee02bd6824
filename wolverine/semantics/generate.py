"""Python source for the expressions and instructions of lowered C.

A function's code becomes one Python factory that is bound to a machine's memory; every instruction
becomes a closure `base -> next instruction`.  Two forms of a value are generated: *plain* (the C value,
uninitialised cells raise KeyError, which the machine explains) and *raw* (as cells hold it: integers
signed, None for uninitialised), which is what copies need.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from wolverine.core.expressions import (
    BY_TEXT,
    COMPARISONS,
    AddressOf,
    Binary,
    Cast,
    Conditional,
    Constant,
    Dereference,
    Element,
    Expression,
    Load,
    Logical,
    LValue,
    Member,
    StringLiteral,
    Unary,
    VariableReference,
    looked_up,
)
from wolverine.core.types import (
    CType,
    FloatType,
    IntType,
    OpaqueType,
    PointerType,
    Types,
    VoidType,
    is_scalar,
)
from wolverine.semantics.address import KIND_SHIFT, kind_of
from wolverine.semantics.arrays import array_name, length_within
from wolverine.semantics.faults import Unmodelled


class Generator:
    """Source text for one function's expressions.

    `address` gives the address of a variable as (whether it is relative to the frame's base, constant).
    """

    def __init__(
        self,
        types: Types,
        address: Callable[[VariableReference], tuple[bool, int]],
        literal: Callable[[str, bytes | None], int],
    ) -> None:
        self._types = types
        self._address = address
        self._literal = literal

    # -- places ----------------------------------------------------------------------------------

    def place(self, place: LValue, reach: int = 0) -> tuple[str, int]:
        """The address of an lvalue as (source, constant to add); source "" when it is all constant.

        So many elements behind an array's end it may lie: 1 where only the address is taken.
        """
        match place:
            case VariableReference():
                relative, constant = self._address(place)
                return ("base" if relative else "", constant)
            case Dereference(pointer):
                return self._pointer(pointer)
            case Member(base, _, offset):
                source, constant = self.place(base, reach)
                return source, constant + offset
            case Element(base, index, ctype):
                source, constant = self.place(base, reach)
                size = self._types.size(ctype)
                length = length_within(place, self._types)
                if not length or (isinstance(index, Constant) and 0 <= index.value < length + reach):
                    return self._scaled(source, constant, index, "+", size)
                step = f"within({self.value(index)}, {length}, {reach}, {array_name(base)!r})"
                return f"({source or 0} + {step}{f' * {size}' if size != 1 else ''})", constant

    def address(self, place: LValue, extra: int = 0, *, reach: int = 0) -> str:
        """Source of the address plus a constant (see `place`)."""
        return _sum(*self.place(place, reach), extra)

    def key(self, place: LValue) -> str:
        """Source of the key of a scalar lvalue's cell."""
        return self.address(place, kind_of(place.type) << KIND_SHIFT)

    def _pointer(self, pointer: Expression) -> tuple[str, int]:
        match pointer:
            case AddressOf(place):
                return self.place(place, reach=1)
            case Binary("+" | "-" as sign, left, right, PointerType(target)) if isinstance(
                left.type, PointerType
            ):
                return self._scaled(*self._pointer(left), right, sign, self._types.size(target))
            case Cast(operand, PointerType()) if isinstance(operand.type, PointerType):
                return self._pointer(operand)
            case _:
                return self.value(pointer), 0

    def _scaled(self, source: str, constant: int, index: Expression, sign: str, size: int) -> tuple[str, int]:
        if isinstance(index, Constant):
            return source, constant + (index.value if sign == "+" else -index.value) * size
        step = f"{self.value(index)} * {size}" if size != 1 else self.value(index)
        return f"({source or 0} {sign} {step})", constant

    # -- values ----------------------------------------------------------------------------------

    def value(self, expression: Expression) -> str:
        """Source of the plain value."""
        match expression:
            case Constant(value, FloatType(), _, real):
                return _real(float(value) if real is None else real)
            case Constant(value):
                return str(value) if value >= 0 else f"({value})"
            case StringLiteral(text, _, data):
                return str(self._literal(text, data))
            case Load(place):
                if (found := looked_up(place)) is not None:
                    return f"looked_up({found[0]!r}, {self.value(found[1])})"
                if not is_scalar(place.type):
                    return f"({self.address(place)})"  # struct values are named by their address
                cell = f"cells[{self.key(place)}]"
                return f"({cell} & {_mask(place.type)})" if _unsigned(place.type) else cell
            case AddressOf(place):
                return f"({self.address(place, reach=1)})"
            case Unary(operator, operand, ctype):
                return self._unary(operator, operand, ctype)
            case Binary(operator, left, right, ctype):
                if operator in COMPARISONS:
                    return f"(1 if {self.truth(expression)} else 0)"
                return self._binary(operator, left, right, ctype)
            case Logical():
                return f"(1 if {self.truth(expression)} else 0)"
            case Conditional(condition, then, otherwise):
                return f"({self.value(then)} if {self.truth(condition)} else {self.value(otherwise)})"
            case Cast(operand, ctype, written):
                return self._cast(operand, ctype, written=bool(written))

    def raw(self, expression: Expression, ctype: CType) -> str:
        """Source of the value converted to the scalar type `ctype`, as a cell of that type holds it."""
        match expression:
            case Load(place) if _same_cells(place.type, ctype) and looked_up(place) is None:
                if isinstance(place, VariableReference):
                    return f"get({self.key(place)})"
                return f"(v if (v := get(k := {self.key(place)})) is not None else miss(k))"
            case Cast(operand, kept) if _same_cells(kept, ctype) and _same_cells(operand.type, ctype):
                return self.raw(operand, ctype)
            case Conditional(condition, then, otherwise):
                return (
                    f"({self.raw(then, ctype)} if {self.truth(condition)} else {self.raw(otherwise, ctype)})"
                )
            case Constant(value) if isinstance(ctype, IntType):
                return _signed(ctype.wrap(value), ctype.size)
        plain = self._cast(expression, ctype)
        if isinstance(ctype, IntType) and _unsigned(ctype):
            return f"({_wrap(plain, 8 * ctype.size, True)})"
        return plain

    def truth(self, expression: Expression) -> str:
        """Source that is true in Python where the expression is not 0 in C."""
        match expression:
            case Binary(operator, left, right) if operator in COMPARISONS:
                if isinstance(left.type, PointerType) and operator not in ("==", "!="):
                    return f"(ordered({self.value(left)}, {self.value(right)}) {operator} 0)"
                return f"({self.value(left)} {operator} {self.value(right)})"
            case Logical(operator, left, right):
                word = "and" if operator == "&&" else "or"
                return f"({self.truth(left)} {word} {self.truth(right)})"
            case Unary("!", operand):
                return f"(not {self.truth(operand)})"
            case Cast(operand, IntType() as kept) if kept.name == "_Bool" or (
                isinstance(operand.type, IntType) and kept.width >= operand.type.width
            ):
                return self.truth(operand)
            case _:
                return self.value(expression)

    def _unary(self, operator: str, operand: Expression, ctype: CType) -> str:
        if operator == "!":
            return f"(0 if {self.truth(operand)} else 1)"
        inner = self.value(operand)
        match operator, ctype:
            case "+", _:
                return inner
            case "-", FloatType():
                return f"(-{inner})"
            case "-", IntType(_, size, signed):
                return f"({_wrap('-' + inner, 8 * size, signed)})"
            case "~", IntType(_, size, signed):
                return f"({_wrap('~' + inner, 8 * size, signed)})"
        raise Unmodelled(f"operator {operator} on this type")

    def _binary(self, operator: str, left: Expression, right: Expression, ctype: CType) -> str:
        if isinstance(ctype, PointerType):
            if isinstance(left.type, PointerType):
                source, constant = self._scaled(
                    *self._pointer(left), right, operator, self._types.size(ctype.target)
                )
            else:
                source, constant = self._scaled(
                    *self._pointer(right), left, operator, self._types.size(ctype.target)
                )
            return f"({_sum(source, constant)})"
        one, two = self.value(left), self.value(right)
        if operator == BY_TEXT:
            return f"order({one}, {two})"
        if isinstance(left.type, PointerType):
            size = self._types.size(left.type.target)
            return f"(distance({one}, {two}) // {size or 1})"
        match ctype:
            case FloatType(_, size):
                if size > 8 or operator not in "+-*/":
                    raise Unmodelled("arithmetic on long double")
                result = f"fdivide({one}, {two})" if operator == "/" else f"({one} {operator} {two})"
                return f"single({result})" if size == 4 else result
            case IntType(_, size, signed):
                if size > 8:
                    raise Unmodelled("arithmetic on 128 bits")
                if operator in "&^|":
                    return f"({one} {operator} {two})"
                if operator in "+-*":
                    return f"({_wrap(f'{one} {operator} {two}', 8 * size, signed)})"
                if operator in "/%":
                    name = "divide" if operator == "/" else "remainder"
                    return f"({_wrap(f'{name}({one}, {two})', 8 * size, signed)})"
                count = f"({two} & {8 * max(size, 4) - 1})"
                if operator == ">>":
                    return f"({one} >> {count})"
                return f"({_wrap(f'({one} << {count})', 8 * size, signed)})"
        raise Unmodelled(f"operator {operator} on this type")

    def _cast(self, operand: Expression, ctype: CType, *, written: bool = False) -> str:
        source = operand.type
        inner = self.value(operand)
        match source, ctype:
            case _, VoidType():
                return inner
            case _, IntType("_Bool"):
                return f"(1 if {self.truth(operand)} else 0)"
            case IntType(), IntType():
                fits = ctype.width > source.width and (ctype.signed or not source.signed)
                if fits or (ctype.width, ctype.signed) == (source.width, source.signed):
                    return inner
                return f"({_wrap(inner, ctype.width, ctype.signed)})"
            case PointerType(), PointerType():
                return inner
            case IntType(), PointerType():
                return inner if isinstance(operand, Constant) and not operand.value else f"pointer({inner})"
            case PointerType(), IntType():
                reader = "integer" if written else "mistaken"
                return f"({_wrap(f'{reader}({inner})', ctype.width, ctype.signed)})"
            case IntType(), FloatType():
                return f"single({inner})" if ctype.size == 4 else f"double({inner})"
            case FloatType(), FloatType():
                return f"single({inner})" if ctype.size == 4 and source.size > 4 else inner
            case FloatType(), IntType():
                return f"({_wrap(f'truncate({inner})', ctype.width, ctype.signed)})"
            case OpaqueType(), OpaqueType():
                return inner
        if source == ctype:
            return inner
        raise Unmodelled("a conversion between these types")


def spread(types: Types, ctype: CType) -> tuple[int, ...]:
    """The keys of the cells that a value may have, relative to its address."""
    keys = (offset + (kind_of(scalar) << KIND_SHIFT) for offset, scalar in types.possible(ctype))
    return tuple(dict.fromkeys(keys))


def _same_cells(one: CType, two: CType) -> bool:
    """Whether copying a cell of one type to one of the other needs no conversion."""
    match one, two:
        case IntType(), IntType():
            narrower = two.bits and (one.bits, one.signed) != (two.bits, two.signed)
            return one.size == two.size and not narrower and (two.name != "_Bool" or one.name == "_Bool")
        case PointerType(), PointerType():
            return True
        case FloatType(), FloatType():
            return one.size == two.size
        case _:
            return one == two


def _unsigned(ctype: CType) -> bool:
    return isinstance(ctype, IntType) and not ctype.signed and ctype.name != "_Bool"


def _mask(ctype: CType) -> int:
    assert isinstance(ctype, IntType)
    return (1 << 8 * ctype.size) - 1


def _wrap(source: str, width: int, signed: bool) -> str:
    full = (1 << width) - 1
    if not signed:
        return (
            f"{source} & {full}"
            if source.endswith(")") and source.startswith("(")
            else f"({source}) & {full}"
        )
    half = 1 << width - 1
    return f"({source} + {half} & {full}) - {half}"


def _real(value: float) -> str:
    return f"({value!r})" if math.isfinite(value) else f"float({str(value)!r})"


def _signed(value: int, size: int) -> str:
    half = 1 << 8 * size - 1
    value = (value + half & 2 * half - 1) - half
    return str(value) if value >= 0 else f"({value})"


def _sum(source: str, constant: int, extra: int = 0) -> str:
    total = constant + extra
    if not source:
        return str(total)
    return f"{source} + {total}" if total else source
