"""Walking over expression trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from wolverine.core.expressions import (
    AddressOf,
    Binary,
    Cast,
    Conditional,
    Dereference,
    Element,
    Expression,
    Load,
    Logical,
    LValue,
    Member,
    Unary,
    text,
)
from wolverine.core.program import Assign, Branch, Call, Instruction, Library, Return


def expressions_of(step: Instruction) -> tuple[Expression, ...]:
    """The expressions that an instruction evaluates, except those inside its target."""
    match step:
        case Assign(_, _, value):
            return (value,)
        case Branch(_, condition):
            return (condition,)
        case Call(_, _, arguments) | Library(_, _, arguments):
            return arguments
        case Return(_, value) if value is not None:
            return (value,)
    return ()


def parts(expression: Expression) -> Iterator[Expression]:
    """The expression and every expression inside it, outermost first."""
    yield expression
    match expression:
        case Load(place) | AddressOf(place):
            yield from place_parts(place)
        case Unary(_, operand) | Cast(operand):
            yield from parts(operand)
        case Binary(_, left, right) | Logical(_, left, right):
            yield from parts(left)
            yield from parts(right)
        case Conditional(condition, then, otherwise):
            yield from parts(condition)
            yield from parts(then)
            yield from parts(otherwise)


def place_parts(place: LValue) -> Iterator[Expression]:
    """Every expression inside an lvalue."""
    match place:
        case Dereference(pointer):
            yield from parts(pointer)
        case Member(base):
            yield from place_parts(base)
        case Element(base, index):
            yield from place_parts(base)
            yield from parts(index)


def reads_through(expressions: Iterable[Expression], pointer: str) -> bool:
    """Whether one of the expressions itself reads the node to which the pointer of that text leads."""
    return any(isinstance(each, Load) and goes_through(each.place, pointer) for each in expressions)


def goes_through(place: LValue, pointer: str) -> bool:
    """Whether the place lies in the node to which the pointer of that text leads."""
    match place:
        case Member(base):
            return goes_through(base, pointer)
        case Dereference(inner):
            return text(inner) == pointer
    return False
