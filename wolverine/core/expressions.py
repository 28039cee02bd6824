"""Expressions of lowered C: pure, typed trees.

Side effects (calls, assignments, ++) never stand inside an expression; lowering takes them out
into statements of their own.  `Logical` and `Conditional` evaluate lazily, as in C.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from wolverine.core.characters import CLASSES, NAMES, table_of
from wolverine.core.hashing import Hashed, hashed_once
from wolverine.core.types import INT, CType, PointerType


@hashed_once
@dataclass(frozen=True, slots=True)
class VariableReference(Hashed):
    """An lvalue: a variable.  `name` and `function` as in `VariableId`.

    A global has `level` "global" and no function, a static local "global" and its function; locals,
    parameters and temporaries have "local".  `constant` as in `types.Field`.
    """

    name: str
    type: CType
    level: Literal["global", "local"] = "local"
    function: str = ""
    constant: int = field(default=0, compare=False)


@hashed_once
@dataclass(frozen=True, slots=True)
class Dereference(Hashed):
    """An lvalue: the object of type `type` that `pointer` leads to (`*p`)."""

    pointer: Expression
    type: CType


@hashed_once
@dataclass(frozen=True, slots=True)
class Member(Hashed):
    """An lvalue: a field of a struct lvalue.  `p->f` is `Member(Dereference(Load(p)), ...)`."""

    base: LValue
    name: str
    offset: int
    type: CType


@hashed_once
@dataclass(frozen=True, slots=True)
class Element(Hashed):
    """An lvalue: `base[index]` of an array lvalue (`p[i]` on a pointer is a Dereference of p + i)."""

    base: LValue
    index: Expression
    type: CType


LValue = VariableReference | Dereference | Member | Element


@hashed_once
@dataclass(frozen=True, slots=True)
class Constant(Hashed):
    """An integer constant, already wrapped to its type; the null pointer is 0 with a pointer type.

    A floating constant has its value in `real`.  `text` is how the source wrote it ("NULL", "'a'", "MAX"),
    "" for the plain number.
    """

    value: int
    type: CType
    text: str = ""
    real: float | None = None


@hashed_once
@dataclass(frozen=True, slots=True)
class StringLiteral(Hashed):
    """A string literal, whose address is not modelled, only carried; or the name of a function.

    `data` are the bytes of a literal with the final zero, None for a function.  Neither is a table of
    characters, which is looked into only (`looked_up`).
    """

    text: str
    type: CType
    data: bytes | None = None


@hashed_once
@dataclass(frozen=True, slots=True)
class Load(Hashed):
    """The value in a scalar (or struct) lvalue."""

    place: LValue

    @property
    def type(self) -> CType:
        """The type of the value."""
        return self.place.type


@hashed_once
@dataclass(frozen=True, slots=True)
class AddressOf(Hashed):
    """`&lvalue`, also an array's decay; `type` is a pointer type."""

    place: LValue
    type: CType


@hashed_once
@dataclass(frozen=True, slots=True)
class Unary(Hashed):
    """`-`, `~`, `!` and `+`; operands are promoted by lowering."""

    operator: str
    operand: Expression
    type: CType


@hashed_once
@dataclass(frozen=True, slots=True)
class Binary(Hashed):
    """Arithmetic `+ - * / % & | ^ << >>`, comparisons `== != < <= > >=`, and `strcmp` (BY_TEXT).

    Integer operands have been converted to one type by lowering.  Pointer + integer counts in
    elements, pointer - pointer gives elements; comparisons have type int.
    """

    operator: str
    left: Expression
    right: Expression
    type: CType


@hashed_once
@dataclass(frozen=True, slots=True)
class Logical(Hashed):
    """`&&` and `||`, the right side only when needed; type int."""

    operator: str
    left: Expression
    right: Expression
    type: CType = INT


@hashed_once
@dataclass(frozen=True, slots=True)
class Conditional(Hashed):
    """`condition ? then : otherwise`."""

    condition: Expression
    then: Expression
    otherwise: Expression
    type: CType


@hashed_once
@dataclass(frozen=True, slots=True)
class Cast(Hashed):
    """A conversion; `written` is the type's name when the source writes the cast, else ""."""

    operand: Expression
    type: CType
    written: str = ""


Expression = Constant | StringLiteral | Load | AddressOf | Unary | Binary | Logical | Conditional | Cast

ORDERS = ("<", "<=", ">", ">=")
COMPARISONS = ("==", "!=", *ORDERS)
BY_TEXT = "strcmp"  # of two strings; only repairs have it, calls of the source are instructions

_PRECEDENCE = {
    "*": 10, "/": 10, "%": 10, "+": 9, "-": 9, "<<": 8, ">>": 8, "<": 7, "<=": 7, ">": 7, ">=": 7,
    "==": 6, "!=": 6, "&": 5, "^": 4, "|": 3, "&&": 2, "||": 1,
}  # fmt: skip
_BITWISE = ("&", "^", "|", "<<", ">>")
_PRODUCT = _PRECEDENCE["*"]
_KEPT = 20_000  # expressions of which it is kept what was found
_Part = tuple[str, int]  # text, and how closely it binds
_UNARY = 11
_POSTFIX = 12


def source_name(name: str) -> str:
    """A variable's name as the source writes it, without the declaration line."""
    return name.partition("@")[0]


@lru_cache(maxsize=_KEPT)
def lvalue_text(place: LValue) -> str:
    """C text of an lvalue."""
    return _lvalue(place)[0]


@lru_cache(maxsize=_KEPT)
def text(expression: Expression) -> str:
    """C text of an expression; null pointers are written NULL."""
    return _expression(expression)[0]


def _wrap(part: _Part, level: int) -> str:
    return part[0] if part[1] >= level else f"({part[0]})"


def _lvalue(place: LValue) -> _Part:
    return _PLACES[type(place)](place)


def _expression(expression: Expression) -> _Part:
    return _WRITTEN[type(expression)](expression)


def _variable(place: VariableReference) -> _Part:
    return source_name(place.name), _POSTFIX


def _member(place: Member) -> _Part:
    base = place.base
    if type(base) is not Dereference:
        return f"{_wrap(_lvalue(base), _POSTFIX)}.{place.name}", _POSTFIX
    if (subscripted := _subscripted(base.pointer)) is not None:
        return f"{subscripted}.{place.name}", _POSTFIX
    return f"{_wrap(_expression(base.pointer), _POSTFIX)}->{place.name}", _POSTFIX


def _element(place: Element) -> _Part:
    return f"{_wrap(_lvalue(place.base), _POSTFIX)}[{text(place.index)}]", _POSTFIX


def _dereference(place: Dereference) -> _Part:
    if (subscripted := _subscripted(place.pointer)) is not None:
        return subscripted, _POSTFIX
    return f"*{_wrap(_expression(place.pointer), _UNARY)}", _UNARY


def _subscripted(pointer: Expression) -> str | None:
    """`p[i]` for what `p + i` leads to."""
    if type(pointer) is Binary and pointer.operator == "+" and isinstance(pointer.type, PointerType):
        return f"{_wrap(_expression(pointer.left), _POSTFIX)}[{text(pointer.right)}]"
    return None


def _constant(constant: Constant) -> _Part:
    if constant.text:
        return constant.text, _POSTFIX
    if constant.value == 0 and isinstance(constant.type, PointerType):
        return "NULL", _POSTFIX
    return str(constant.value), _POSTFIX if constant.value >= 0 else _UNARY


def _literal(literal: StringLiteral) -> _Part:
    return literal.text, _POSTFIX


def _load(load: Load) -> _Part:
    return _lvalue(load.place)


def _address(address: AddressOf) -> _Part:
    match address:
        case AddressOf(Element(base, Constant(0)), PointerType()):
            return _lvalue(base)
    return f"&{_wrap(_lvalue(address.place), _UNARY)}", _UNARY


def _unary(unary: Unary) -> _Part:
    inner = _wrap(_expression(unary.operand), _UNARY)
    return f"{unary.operator}{' ' if inner.startswith(unary.operator) else ''}{inner}", _UNARY


def looked_up(place: LValue) -> tuple[str, Expression] | None:
    """The library's table of characters that a place is in, and the index; None for other places."""
    match place:
        case Dereference(Binary("+", StringLiteral(name, _, None), index)):
            table = table_of(name)
            return None if table is None else (table, index)
    return None


def is_classified(value: Expression) -> bool:
    """Whether a value is what a macro of the library stands for that asks for a class of characters."""
    return isinstance(value, Binary) and value.operator == "&" and _classified(value) is not None


def _classified(binary: Binary | Logical) -> _Part | None:
    """`isspace(c)` for what that macro stands for."""
    tested = binary.left
    while isinstance(tested, Cast):
        tested = tested.operand
    match tested, binary.right:
        case Load(place), Constant(mask) if mask in NAMES and (found := looked_up(place)) is not None:
            return (f"{NAMES[mask]}({text(found[1])})", _POSTFIX) if found[0] == CLASSES else None
    return None


def _binary(binary: Binary | Logical) -> _Part:
    if binary.operator == BY_TEXT:
        return f"{BY_TEXT}({text(binary.left)}, {text(binary.right)})", _POSTFIX
    if binary.operator == "&" and (classified := _classified(binary)) is not None:
        return classified
    level = _PRECEDENCE[binary.operator]
    left, right, least = _expression(binary.left), _expression(binary.right), level
    if binary.operator in _BITWISE:  # `a & (b - 1)`: few know that this needs no parentheses
        least = level if left[1] == level else _PRODUCT
    rest = _PRODUCT if binary.operator in _BITWISE else level + 1
    return f"{_wrap(left, least)} {binary.operator} {_wrap(right, rest)}", level


def _conditional(asked: Conditional) -> _Part:
    condition = _wrap(_expression(asked.condition), 1)
    return f"{condition} ? {text(asked.then)} : {text(asked.otherwise)}", 0


def _cast(cast: Cast) -> _Part:
    if not cast.written:
        return _expression(cast.operand)
    return f"({cast.written}){_wrap(_expression(cast.operand), _UNARY)}", _UNARY


# Looked up by type, which takes a tenth of the time of matching: searches write thousands of candidates.
_PLACES: dict[type, Callable[[Any], _Part]] = {
    VariableReference: _variable,
    Member: _member,
    Element: _element,
    Dereference: _dereference,
}
_WRITTEN: dict[type, Callable[[Any], _Part]] = {
    Constant: _constant,
    StringLiteral: _literal,
    Load: _load,
    AddressOf: _address,
    Unary: _unary,
    Binary: _binary,
    Logical: _binary,
    Conditional: _conditional,
    Cast: _cast,
}


@lru_cache(maxsize=_KEPT)
def variables(expression: Expression | LValue) -> frozenset[str]:
    """The names (as in `VariableId`) of the variables that occur."""
    match expression:
        case VariableReference(name):
            return frozenset((name,))
        case Constant() | StringLiteral():
            return frozenset()
        case Dereference(pointer):
            return variables(pointer)
        case Member(base):
            return variables(base)
        case Element(base, index):
            return variables(base) | variables(index)
        case Load(place) | AddressOf(place):
            return variables(place)
        case Unary(_, operand) | Cast(operand):
            return variables(operand)
        case Binary(_, left, right) | Logical(_, left, right):
            return variables(left) | variables(right)
        case Conditional(condition, then, otherwise):
            return variables(condition) | variables(then) | variables(otherwise)
