"""Expressions of lowered C: pure, typed trees.

Side effects (calls, assignments, ++) never stand inside an expression; lowering takes them out
into statements of their own.  `Logical` and `Conditional` evaluate lazily, as in C.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from wolverine.core.types import INT, CType, PointerType


@dataclass(frozen=True, slots=True)
class VariableReference:
    """An lvalue: a variable.  `name` and `function` as in `VariableId`.

    A global has `level` "global" and no function, a static local "global" and its function; locals,
    parameters and temporaries have "local".
    """

    name: str
    type: CType
    level: Literal["global", "local"] = "local"
    function: str = ""


@dataclass(frozen=True, slots=True)
class Dereference:
    """An lvalue: the object of type `type` that `pointer` leads to (`*p`)."""

    pointer: Expression
    type: CType


@dataclass(frozen=True, slots=True)
class Member:
    """An lvalue: a field of a struct lvalue.  `p->f` is `Member(Dereference(Load(p)), ...)`."""

    base: LValue
    name: str
    offset: int
    type: CType


@dataclass(frozen=True, slots=True)
class Element:
    """An lvalue: `base[index]` of an array lvalue (`p[i]` on a pointer is a Dereference of p + i)."""

    base: LValue
    index: Expression
    type: CType


LValue = VariableReference | Dereference | Member | Element


@dataclass(frozen=True, slots=True)
class Constant:
    """An integer constant, already wrapped to its type; the null pointer is 0 with a pointer type.

    A floating constant has its value in `real`.  `text` is how the source wrote it ("NULL", "'a'", "MAX"),
    "" for the plain number.
    """

    value: int
    type: CType
    text: str = ""
    real: float | None = None


@dataclass(frozen=True, slots=True)
class StringLiteral:
    """A string literal, whose address is not modelled, only carried; or the name of a function.

    `data` are the bytes of a literal with the final zero, None for a function.
    """

    text: str
    type: CType
    data: bytes | None = None


@dataclass(frozen=True, slots=True)
class Load:
    """The value in a scalar (or struct) lvalue."""

    place: LValue

    @property
    def type(self) -> CType:
        """The type of the value."""
        return self.place.type


@dataclass(frozen=True, slots=True)
class AddressOf:
    """`&lvalue`, also an array's decay; `type` is a pointer type."""

    place: LValue
    type: CType


@dataclass(frozen=True, slots=True)
class Unary:
    """`-`, `~`, `!` and `+`; operands are promoted by lowering."""

    operator: str
    operand: Expression
    type: CType


@dataclass(frozen=True, slots=True)
class Binary:
    """Arithmetic `+ - * / % & | ^ << >>` and comparisons `== != < <= > >=`.

    Integer operands have been converted to one type by lowering.  Pointer + integer counts in
    elements, pointer - pointer gives elements; comparisons have type int.
    """

    operator: str
    left: Expression
    right: Expression
    type: CType


@dataclass(frozen=True, slots=True)
class Logical:
    """`&&` and `||`, the right side only when needed; type int."""

    operator: str
    left: Expression
    right: Expression
    type: CType = INT


@dataclass(frozen=True, slots=True)
class Conditional:
    """`condition ? then : otherwise`."""

    condition: Expression
    then: Expression
    otherwise: Expression
    type: CType


@dataclass(frozen=True, slots=True)
class Cast:
    """A conversion; `written` is the type's name when the source writes the cast, else ""."""

    operand: Expression
    type: CType
    written: str = ""


Expression = Constant | StringLiteral | Load | AddressOf | Unary | Binary | Logical | Conditional | Cast

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")

_PRECEDENCE = {
    "*": 10, "/": 10, "%": 10, "+": 9, "-": 9, "<<": 8, ">>": 8, "<": 7, "<=": 7, ">": 7, ">=": 7,
    "==": 6, "!=": 6, "&": 5, "^": 4, "|": 3, "&&": 2, "||": 1,
}  # fmt: skip
_UNARY = 11
_POSTFIX = 12


def source_name(name: str) -> str:
    """A variable's name as the source writes it, without the declaration line."""
    return name.partition("@")[0]


def lvalue_text(place: LValue) -> str:
    """C text of an lvalue."""
    return _lvalue(place)[0]


def text(expression: Expression) -> str:
    """C text of an expression; null pointers are written NULL."""
    return _expression(expression)[0]


def _wrap(part: tuple[str, int], level: int) -> str:
    return part[0] if part[1] >= level else f"({part[0]})"


def _lvalue(place: LValue) -> tuple[str, int]:
    match place:
        case VariableReference(name):
            return source_name(name), _POSTFIX
        case Member(Dereference(Binary("+", pointer, index, PointerType())), name):
            return f"{_wrap(_expression(pointer), _POSTFIX)}[{text(index)}].{name}", _POSTFIX
        case Member(Dereference(pointer), name):
            return f"{_wrap(_expression(pointer), _POSTFIX)}->{name}", _POSTFIX
        case Member(base, name):
            return f"{_wrap(_lvalue(base), _POSTFIX)}.{name}", _POSTFIX
        case Element(base, index):
            return f"{_wrap(_lvalue(base), _POSTFIX)}[{text(index)}]", _POSTFIX
        case Dereference(Binary("+", pointer, index, PointerType())):
            return f"{_wrap(_expression(pointer), _POSTFIX)}[{text(index)}]", _POSTFIX
        case Dereference(pointer):
            return f"*{_wrap(_expression(pointer), _UNARY)}", _UNARY


def _expression(expression: Expression) -> tuple[str, int]:
    match expression:
        case Constant(value, ctype, written):
            if written:
                return written, _POSTFIX
            if isinstance(ctype, PointerType) and value == 0:
                return "NULL", _POSTFIX
            return str(value), _POSTFIX if value >= 0 else _UNARY
        case StringLiteral(written):
            return written, _POSTFIX
        case Load(place):
            return _lvalue(place)
        case AddressOf(Element(base, Constant(0)), PointerType()):
            return _lvalue(base)
        case AddressOf(place):
            return f"&{_wrap(_lvalue(place), _UNARY)}", _UNARY
        case Unary(operator, operand):
            inner = _wrap(_expression(operand), _UNARY)
            return f"{operator}{' ' if inner.startswith(operator) else ''}{inner}", _UNARY
        case Binary(operator, left, right) | Logical(operator, left, right):
            level = _PRECEDENCE[operator]
            return (
                f"{_wrap(_expression(left), level)} {operator} {_wrap(_expression(right), level + 1)}",
                level,
            )
        case Conditional(condition, then, otherwise):
            return f"{_wrap(_expression(condition), 1)} ? {text(then)} : {text(otherwise)}", 0
        case Cast(operand, _, written):
            if not written:
                return _expression(operand)
            return f"({written}){_wrap(_expression(operand), _UNARY)}", _UNARY


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
