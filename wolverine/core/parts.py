"""What an expression is made of."""

from __future__ import annotations

from collections.abc import Iterator

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
)


def without_casts(expression: Expression) -> Expression:
    """What is converted, where the expression does no more than that."""
    while isinstance(expression, Cast):
        expression = expression.operand
    return expression


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
