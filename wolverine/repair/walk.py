"""Walking over expression trees."""

from __future__ import annotations

from collections.abc import Iterable

from wolverine.core.expressions import (
    COMPARISONS,
    Binary,
    Constant,
    Dereference,
    Element,
    Expression,
    Load,
    LValue,
    Member,
    text,
)
from wolverine.core.parts import parts
from wolverine.core.program import Assign, Branch, Call, Instruction, Library, Return
from wolverine.core.types import PointerType


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


def reads_through(expressions: Iterable[Expression], pointer: str) -> bool:
    """Whether one of the expressions itself reads the node to which the pointer of that text leads."""
    return any(isinstance(each, Load) and goes_through(each.place, pointer) for each in expressions)


def goes_through(place: LValue, pointer: str) -> bool:
    """Whether the place lies in the node to which the pointer of that text leads."""
    match place:
        case Member(base) | Element(base):
            return goes_through(base, pointer)
        case Dereference(inner):
            return text(inner) == pointer
    return False


def compares_pointers(code: Iterable[Instruction]) -> bool:
    """Whether the code compares pointers of which neither is null."""
    return any(compared(expression) for step in code for expression in expressions_of(step))


def compared(expression: Expression) -> bool:
    """Whether the expression compares pointers of which neither is null."""
    return any(
        isinstance(part, Binary)
        and part.operator in COMPARISONS
        and all(
            isinstance(s.type, PointerType) and not isinstance(s, Constant) for s in (part.left, part.right)
        )
        for part in parts(expression)
    )
