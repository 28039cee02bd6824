"""Links over which the lists go on that hang in the rows of a table.

In each row a list begins: `for (e = bucket[h]; e != NULL; e = e->chain)`, or `e->chain = bucket[h]` where
something is put into one.  Over other links the same nodes may lead from row to row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wolverine.core.expressions import (
    AddressOf,
    Binary,
    Dereference,
    Element,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
    variables,
)
from wolverine.core.parts import without_casts
from wolverine.core.program import Assign, Instruction, Program
from wolverine.core.types import PointerType, StructReference


class Chain(NamedTuple):
    """The field or variable `table` has rows that go on in structs `tag` over the link at an offset."""

    table: str
    tag: str
    link: int


def chained(program: Program) -> frozenset[Chain]:
    """What the functions of a program say of its tables."""
    return frozenset(each for f in program.functions.values() for each in _chained(f.code))


def _chained(code: Sequence[Instruction]) -> Iterator[Chain]:
    for index, step in enumerate(code):
        if not isinstance(step, Assign):
            continue
        value = without_casts(step.value)
        if (table := _row(value)) is not None:
            if isinstance(step.target, VariableReference):
                link = _next_step(code[index + 1 :], step.target)
            else:
                link = step.target
            yield from _chain(table, link)
        elif (table := _table(step.target)) is not None and isinstance(value, Load):
            yield from _chain(table, value.place)


def _chain(table: str, link: LValue | None) -> Iterator[Chain]:
    match link:
        case Member(base, offset=offset, type=PointerType(StructReference(tag))):
            if base.type == StructReference(tag):
                yield Chain(table, tag, offset)


def _next_step(code: Sequence[Instruction], variable: VariableReference) -> LValue | None:
    """What the next assignment to a variable reads or points to, if it leads the variable on."""
    for step in code:
        if isinstance(step, Assign) and step.target == variable:
            value = without_casts(step.value)
            leads_on = isinstance(value, Load | AddressOf) and variable.name in variables(value)
            return value.place if isinstance(value, Load | AddressOf) and leads_on else None
    return None


def _row(value: Expression) -> str | None:
    """The table of which a value is a row, or points to one."""
    match value:
        case Load(place) | AddressOf(place):
            return _table(place)
        case Binary("+", Load(place), _) if isinstance(value.type, PointerType):
            return _named(place) if isinstance(value.type.target, PointerType) else None
    return None


def _table(place: LValue) -> str | None:
    """The name of a table of which a place is a row."""
    match place:
        case Element(base, _, PointerType()):
            return _named(base)
        case Dereference(Binary("+", Load(base), _), PointerType()):
            return _named(base)
    return None


def _named(place: LValue) -> str | None:
    match place:
        case Member(_, name) | VariableReference(name):
            return name
    return None
