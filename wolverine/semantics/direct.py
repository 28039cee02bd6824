"""Closures for simple expressions, put together without compiling source.

Most places and values that a repair looks at are variables, fields behind pointers and constants.  A
closure for one of these costs less than a microsecond to make, source for it a hundred times as much.
The closures do what the source of `generate` does, exceptions included; for every other expression
there is None, and source is needed.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from wolverine.core.expressions import (
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
    Unary,
    VariableReference,
)
from wolverine.core.types import CType, IntType, PointerType, Types
from wolverine.semantics.address import KIND_SHIFT, kind_of, signed_raw
from wolverine.semantics.arrays import array_name, length_within

Evaluate = Callable[[int], Any]
_Spot = tuple[Evaluate, int]  # an address as a closure and a constant to be added
_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge,
}  # fmt: skip
_COUNT: dict[str, Callable[[int, int], int]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}
_WORD = 8


class Direct:
    """Closures over the cells of one memory, for the expressions of one function.

    `address` gives the address of a variable as (whether it is relative to the frame's base, constant),
    `types` what is in a type; `within` lets subscripts stay in their arrays (`Memory.within`).
    """

    def __init__(
        self,
        cells: dict[int, Any],
        miss: Callable[[int], Any],
        address: Callable[[VariableReference], tuple[bool, int]],
        types: Types,
        within: Callable[[Any, int, int, str], Any],
    ) -> None:
        self._types = types
        self._size = types.size
        self._within = within
        self._cells = cells
        self._miss = miss
        self._address = address
        self._places: dict[int, tuple[VariableReference, tuple[bool, int]]] = {}

    def key(self, place: LValue) -> Evaluate | None:
        """`base -> key` of the cell of a scalar lvalue."""
        return self._sum(place, kind_of(place.type) << KIND_SHIFT)

    def raw(self, expression: Expression, ctype: CType) -> Evaluate | None:
        """`base -> value` as a cell of type `ctype` holds it, None for what is uninitialised."""
        match expression:
            case Load(place) if place.type == ctype and isinstance(ctype, (IntType, PointerType)):
                return self._held(place)
            case Constant(number) if isinstance(ctype, IntType):
                return _constant(signed_raw(ctype.wrap(number), ctype.size))
            case AddressOf() | Binary() if expression.type == ctype and _plain_is_raw(ctype):
                return self.value(expression)
            case Constant(_, PointerType()) if isinstance(ctype, PointerType):
                return self.value(expression)
            case Conditional(condition, then, otherwise):
                return _either(self.truth(condition), self.raw(then, ctype), self.raw(otherwise, ctype))
        return None

    def truth(self, condition: Expression) -> Evaluate | None:
        """`base -> ` something that is true where the condition is not 0."""
        match condition:
            case Binary(sign, left, right) if sign in _COMPARE:
                if isinstance(left.type, PointerType) and sign not in ("==", "!="):
                    return None
                return self._both(_COMPARE[sign], left, right)
            case Logical(sign, left, right):
                one, two = self.truth(left), self.truth(right)
                if one is None or two is None:
                    return None
                first, second = one, two
                if sign == "&&":
                    return lambda base: first(base) and second(base)
                return lambda base: first(base) or second(base)
            case Unary("!", operand):
                inner = self.truth(operand)
                return None if inner is None else _opposite(inner)
            case Cast(operand, IntType() as kept) if kept.name == "_Bool" or (
                isinstance(operand.type, IntType) and kept.width >= operand.type.width
            ):
                return self.truth(operand)
            case Load():
                return self.value(condition)
        return None

    def value(self, expression: Expression) -> Evaluate | None:
        """`base -> ` the plain value; KeyError where it is uninitialised."""
        match expression:
            case Constant(number, IntType() | PointerType()):
                return _constant(number)
            case Load(place):
                return self._read(place)
            case AddressOf(place):
                return self._sum(place, 0, reach=1)
            case Binary("+" | "-" | "*" as sign, left, right, IntType(_, size, True, 0)) if (
                size <= _WORD and isinstance(left.type, IntType) and isinstance(right.type, IntType)
            ):
                made = self._both(_COUNT[sign], left, right)
                return None if made is None else _wrapped(made, size)
            case Cast(operand, IntType() as ctype) if _keeps(operand.type, ctype):
                return self.value(operand)
            case Binary("+" | "-", left, _, PointerType()) if isinstance(left.type, PointerType):
                return _moved_by(self._led(expression), 0)
            case Conditional(condition, then, otherwise):
                return _either(self.truth(condition), self.value(then), self.value(otherwise))
        return None

    def _both(self, apply: Callable[[Any, Any], Any], left: Expression, right: Expression) -> Evaluate | None:
        one, two = self.value(left), self.value(right)
        if one is None or two is None:
            return None
        first, second = one, two
        if isinstance(right, Constant):
            number = right.value
            return lambda base: apply(first(base), number)
        return lambda base: apply(first(base), second(base))

    # -- places ----------------------------------------------------------------------------------

    def _variable(self, variable: VariableReference) -> tuple[bool, int]:
        found = self._places.get(id(variable))
        if found is None:
            found = self._places[id(variable)] = (variable, self._address(variable))
        return found[1]

    def _sum(self, place: LValue, extra: int, reach: int = 0) -> Evaluate | None:
        """`base -> ` the address of the place plus a constant (see `Generator.place`)."""
        while isinstance(place, Member):
            extra += place.offset
            place = place.base
        cells = self._cells
        match place:
            case VariableReference():
                relative, constant = self._variable(place)
                return _moved(constant + extra) if relative else _constant(constant + extra)
            case Dereference(Load(VariableReference() as pointer)) if isinstance(pointer.type, PointerType):
                relative, constant = self._variable(pointer)
                at = constant + (kind_of(pointer.type) << KIND_SHIFT)
                if not extra:
                    return (lambda base: cells[base + at]) if relative else (lambda _base: cells[at])
                if relative:
                    return lambda base: cells[base + at] + extra
                return lambda _base: cells[at] + extra
            case Dereference(Load(inner)) if isinstance(inner.type, PointerType):
                found = self._sum(inner, kind_of(inner.type) << KIND_SHIFT)
                if found is None:
                    return None
                lead = found
                if not extra:
                    return lambda base: cells[lead(base)]
                return lambda base: cells[lead(base)] + extra
        return _moved_by(self._spot(place, reach), extra)

    def _spot(self, place: LValue, reach: int = 0) -> _Spot | None:
        """The address of a place."""
        match place:
            case VariableReference():
                relative, constant = self._variable(place)
                return (_base if relative else _constant(0)), constant
            case Member(inner, _, offset):
                found = self._spot(inner, reach)
                return None if found is None else (found[0], found[1] + offset)
            case Dereference(pointer):
                return self._led(pointer)
            case Element(inner, index, ctype):
                spot, length = self._spot(inner, reach), length_within(place, self._types)
                if not length or (isinstance(index, Constant) and 0 <= index.value < length + reach):
                    return self._scaled(spot, index, "+", self._size(ctype))
                return self._stepped(spot, self._staying(index, length, reach, inner), "+", self._size(ctype))
        return None

    def _led(self, pointer: Expression) -> _Spot | None:
        """Where a pointer leads."""
        match pointer:
            case AddressOf(place):
                return self._spot(place, reach=1)
            case Binary("+" | "-" as sign, left, right, PointerType(target)) if isinstance(
                left.type, PointerType
            ):
                return self._scaled(self._led(left), right, sign, self._size(target))
            case Cast(operand, PointerType()) if isinstance(operand.type, PointerType):
                return self._led(operand)
        found = self.value(pointer)
        return None if found is None else (found, 0)

    def _scaled(self, spot: _Spot | None, index: Expression, sign: str, size: int) -> _Spot | None:
        """So many elements further on or back."""
        if spot is None:
            return None
        lead, constant = spot
        if isinstance(index, Constant):
            return lead, constant + (index.value if sign == "+" else -index.value) * size
        return self._stepped(spot, self.value(index), sign, size)

    def _staying(self, index: Expression, length: int, reach: int, array: LValue) -> Evaluate | None:
        """A subscript that stays in its array."""
        found, within, name = self.value(index), self._within, array_name(array)
        if found is None:
            return None
        number = found
        return lambda base: within(number(base), length, reach, name)

    @staticmethod
    def _stepped(spot: _Spot | None, found: Evaluate | None, sign: str, size: int) -> _Spot | None:
        if spot is None or found is None:
            return None
        lead, constant = spot
        count = found if size == 1 else _times(found, size)
        if sign == "+":
            return (lambda base: lead(base) + count(base)), constant
        return (lambda base: lead(base) - count(base)), constant

    def _read(self, place: LValue) -> Evaluate | None:
        """The plain value of what a place holds."""
        if not isinstance(place.type, (IntType, PointerType)):
            return None
        cells = self._cells
        found = self.key(place)
        if found is None:
            return None
        lead = found
        if isinstance(place.type, IntType) and not place.type.signed and place.type.name != "_Bool":
            mask = (1 << 8 * place.type.size) - 1
            return lambda base: cells[lead(base)] & mask
        if isinstance(place, VariableReference):
            relative, constant = self._variable(place)
            at = constant + (kind_of(place.type) << KIND_SHIFT)
            return (lambda base: cells[base + at]) if relative else (lambda _base: cells[at])
        return lambda base: cells[lead(base)]

    def _held(self, place: LValue) -> Evaluate | None:
        get, miss = self._cells.get, self._miss
        found = self.key(place)
        if found is None:
            return None
        lead = found
        if isinstance(place, VariableReference):
            return lambda base: get(lead(base))

        def held(base: int) -> Any:
            key = lead(base)
            value = get(key)
            return value if value is not None else miss(key)

        return held


def _plain_is_raw(ctype: CType) -> bool:
    """Whether cells of the type hold a computed value as it is."""
    return isinstance(ctype, PointerType) or (
        isinstance(ctype, IntType)
        and ctype.signed
        and ctype.name != "_Bool"
        and ctype.size <= _WORD
        and not ctype.bits
    )


def _keeps(source: CType, target: IntType) -> bool:
    """Whether converting an integer to the type changes no value."""
    if not isinstance(source, IntType) or target.name == "_Bool":
        return False
    wider = target.width > source.width and (target.signed or not source.signed)
    return wider or (target.width, target.signed) == (source.width, source.signed)


def _constant(number: int) -> Evaluate:
    return lambda _base: number


def _moved(number: int) -> Evaluate:
    return lambda base: base + number


def _base(base: int) -> int:
    return base


def _times(inner: Evaluate, factor: int) -> Evaluate:
    return lambda base: inner(base) * factor


def _moved_by(spot: _Spot | None, extra: int) -> Evaluate | None:
    if spot is None:
        return None
    lead, constant = spot
    total = constant + extra
    return (lambda base: lead(base) + total) if total else lead


def _either(truth: Evaluate | None, one: Evaluate | None, two: Evaluate | None) -> Evaluate | None:
    if truth is None or one is None or two is None:
        return None
    condition, then, otherwise = truth, one, two
    return lambda base: then(base) if condition(base) else otherwise(base)


def _opposite(inner: Evaluate) -> Evaluate:
    return lambda base: not inner(base)


def _wrapped(inner: Evaluate, size: int) -> Evaluate:
    half = 1 << 8 * size - 1
    full = (half << 1) - 1
    return lambda base: (inner(base) + half & full) - half
