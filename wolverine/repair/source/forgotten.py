"""What a function forgets: a field, where it sets others of the same node; and what it was given."""

from __future__ import annotations

from wolverine.core.expressions import (
    Dereference,
    Load,
    LValue,
    Member,
    VariableReference,
    lvalue_text,
    variables,
)
from wolverine.core.program import Assign, Function, Program
from wolverine.core.types import StructReference
from wolverine.repair.source.walk import expressions_of


def forgets(function: Function, target: LValue) -> bool:
    """Whether `target` is a field that the function never sets of a node of which it sets others."""
    wanted = _field(target)
    if wanted is None:
        return False
    variable, name = wanted
    fields = {
        found[1]
        for step in function.code
        if isinstance(step, Assign) and (found := _field(step.target)) is not None and found[0] == variable
    }
    return bool(fields) and name not in fields


def fields_set(program: Program) -> frozenset[tuple[str, str]]:
    """The fields that some function of the program sets, by the struct's tag and the name."""
    steps = (step for function in program.functions.values() for step in function.code)
    found = (field_of_struct(step.target) for step in steps if isinstance(step, Assign))
    return frozenset(field for field in found if field is not None)


def unread(function: Function, location: int, target: LValue) -> bool:
    """Whether `target`, set at a location, is a parameter that is read behind it and not before."""
    if not isinstance(target, VariableReference) or target not in function.parameters:
        return False
    reading = [
        step.location
        for step in function.code
        if any(target.name in variables(each) for each in expressions_of(step))
    ]
    return bool(reading) and min(reading) > location


def field_of_struct(place: LValue) -> tuple[str, str] | None:
    """The struct's tag and the name of the field that a place is; None for any other place."""
    match place:
        case Member(base, name) if isinstance(base.type, StructReference):
            return base.type.tag, name
    return None


def _field(place: LValue) -> tuple[str, str] | None:
    """What leads to the node and the field of `x->f` and `(*x)->f`."""
    match place:
        case Member(
            Dereference(Load(VariableReference() | Dereference(Load(VariableReference())) as led)), name
        ):
            return lvalue_text(led), name
    return None
