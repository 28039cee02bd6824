"""Expressions with other places, or fields, for some of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from wolverine.core.expressions import (
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
    VariableReference,
)
from wolverine.core.parts import parts, place_parts
from wolverine.core.program import Assign
from wolverine.core.types import CType

Exchange = Mapping[LValue, LValue]  # of variables, and of what is to be another place as a whole
Fields = Mapping[tuple[CType, str], tuple[str, int]]  # by struct and name: another name, with its offset
SAME: Fields = {}


def named(*steps: Assign | Expression) -> Sequence[VariableReference]:
    """The variables of statements and expressions, each once."""
    inside: list[Expression] = []
    for step in steps:
        if isinstance(step, Assign):
            inside += (*place_parts(step.target), Load(step.target), *parts(step.value))
        else:
            inside += parts(step)
    places = (part.place for part in inside if isinstance(part, Load))
    return [*dict.fromkeys(each for place in places for each in _within(place))]


def _within(place: LValue) -> Iterator[VariableReference]:
    match place:
        case VariableReference():
            yield place
        case Member(base) | Element(base):
            yield from _within(base)


def exchanged_place(place: LValue, exchange: Exchange, fields: Fields = SAME) -> LValue | None:
    """The place with other variables; None where one of its own has no other.

    It names other `fields` of the same type where these have some.
    """
    if isinstance(place, VariableReference) or place in exchange:
        return exchange.get(place)
    match place:
        case Member(base, name, offset) if (made := exchanged_place(base, exchange, fields)) is not None:
            other, there = fields.get((base.type, name), (name, offset))
            return replace(place, base=made, name=other, offset=there)
        case Dereference(pointer) if (led := exchanged_value(pointer, exchange, fields)) is not None:
            return replace(place, pointer=led)
        case Element(base, index):
            made, at = exchanged_place(base, exchange, fields), exchanged_value(index, exchange, fields)
            return replace(place, base=made, index=at) if made is not None and at is not None else None
    return None


def exchanged_value(value: Expression, exchange: Exchange, fields: Fields = SAME) -> Expression | None:
    """The value with other variables, and fields; None where one of its own variables has no other."""
    match value:
        case Load(place):
            made = exchanged_place(place, exchange, fields)
            return Load(made) if made is not None else None
        case Cast(operand) | Unary(_, operand):
            inner = exchanged_value(operand, exchange, fields)
            return replace(value, operand=inner) if inner is not None else None
        case Binary(_, left, right) | Logical(_, left, right):
            one, two = exchanged_value(left, exchange, fields), exchanged_value(right, exchange, fields)
            return replace(value, left=one, right=two) if one is not None and two is not None else None
        case Conditional(condition, then, otherwise):
            test, one = exchanged_value(condition, exchange, fields), exchanged_value(then, exchange, fields)
            two = exchanged_value(otherwise, exchange, fields)
            if test is None or one is None or two is None:
                return None
            return Conditional(test, one, two, value.type)
    return value if not any(isinstance(part, Load) for part in parts(value)) else None
