"""What nothing reads: links that a program sets and never follows, parameters that a function does not use.

Where a link that nobody asks for leads to a freed node, nobody will go there.  What a caller says and nobody
hears was forgotten.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from wolverine.core.expressions import (
    AddressOf,
    Binary,
    Cast,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
    variables,
)
from wolverine.core.parts import parts, step_parts
from wolverine.core.program import Assign, Concrete, Function, Program
from wolverine.core.types import ArrayType, CType, PointerType
from wolverine.repair.source.walk import expressions_of


def unread(program: Program) -> frozenset[int]:
    """The offsets at which structs have pointers, none of which the program ever reads.

    There are none where it reckons with pointers to pointers: these may lie in an array at any offset.
    """
    steps = [step for function in program.functions.values() for step in function.code]
    read: set[int] = set()
    for part in (each for step in steps for each in step_parts(step)):
        if _reckons(part):
            return frozenset()
        if isinstance(part, Load | AddressOf):
            read.update(_offsets(part.place))
    told = {word for step in steps if isinstance(step, Concrete) for word in _words(program, step)}
    fields = [field for layout in program.types.structs.values() for field in layout.fields]
    pointers = {field.offset for field in fields if isinstance(field.type, PointerType)}
    for field in fields:
        if field.name in told:
            read.add(field.offset)
        if isinstance(field.type, ArrayType):
            read.update(range(field.offset, field.offset + program.types.size(field.type)))
    return frozenset(pointers - read)


def unread_parameters(function: Function) -> frozenset[str]:
    """The parameters whose value the function never reads."""
    read: set[str] = set()
    for step in function.code:
        for expression in expressions_of(step):
            read |= variables(expression)
        if isinstance(step, Assign) and not isinstance(step.target, VariableReference):
            read |= variables(step.target)
    return frozenset(p.name for p in function.parameters if p.name not in read)


def _words(program: Program, step: Concrete) -> list[str]:
    return re.findall(r"\w+", program.location(step.location).text) if step.location >= 0 else []


def _reckons(part: Expression) -> bool:
    match part:
        case Binary(type=kind):
            return _to_pointer(kind)
        case Cast(operand, kind) if _to_pointer(kind):
            return any(isinstance(inner, Binary) for inner in parts(operand))
    return False


def _to_pointer(kind: CType) -> bool:
    return isinstance(kind, PointerType) and isinstance(kind.target, PointerType)


def _offsets(place: LValue) -> Iterator[int]:
    """The offsets of a field, within its struct and within those around that."""
    at = 0
    while isinstance(place, Member):
        at += place.offset
        yield at
        yield place.offset
        place = place.base
