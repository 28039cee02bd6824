"""What a function forgets: a field, where it sets others of the same node; and what it was given."""

from __future__ import annotations

from collections.abc import Collection

from wolverine.core.expressions import (
    AddressOf,
    Constant,
    Dereference,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
    lvalue_text,
)
from wolverine.core.parts import parts, without_casts
from wolverine.core.patch import NewAssignment, NewBlock, NewReturn, Replacement, Several, unguarded
from wolverine.core.program import Assign, Call, Function, Instruction, Library, Program, Return
from wolverine.core.types import PointerType, StructReference
from wolverine.repair.source.flow import behind
from wolverine.repair.source.walk import expressions_of
from wolverine.semantics.losing import made_for
from wolverine.semantics.scanning import SCANNING

_NO_FIELD = ("", "")


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


def sets_on_some_ways(program: Program, name: str, target: LValue) -> bool:
    """Whether `target` is a field of a node that the function makes, which it sets, but not on all ways."""
    wanted, code = _field(target), program.functions[name].code
    if wanted is None or wanted[0] not in made_for(program, name):
        return False
    setting = {i for i, step in enumerate(code) if isinstance(step, Assign) and _field(step.target) == wanted}
    made = [i for i, step in enumerate(code) if _takes(step, wanted[0])]
    ends = {i for i, step in enumerate(code) if isinstance(step, Return)}
    return bool(setting) and any(not ends.isdisjoint(behind(code, at, barred=setting)) for at in made)


def _takes(step: Instruction, variable: str) -> bool:
    """Whether an instruction lets a variable take something, other than null."""
    match step:
        case Call(_, _, _, VariableReference(name)):
            return name == variable
        case Assign(_, VariableReference(name), value):
            return name == variable and not _is_null(value)
    return False


def fields_set(program: Program) -> frozenset[tuple[str, str]]:
    """The fields that some function of the program sets, by the struct's tag and the name."""
    steps = (step for function in program.functions.values() for step in function.code)
    found = (field_of_struct(step.target) for step in steps if isinstance(step, Assign))
    return frozenset(field for field in found if field is not None)


def never_linked(program: Program) -> frozenset[tuple[str, str]]:
    """The links that the program follows and never sets, but to null: what was to set them is missing.

    None where that is not known: a function is not modelled, or what sets them is given their address.
    """
    if any(function.unsupported for function in program.functions.values()):
        return frozenset()
    set_somewhere, followed = set[tuple[str, str]](), set[tuple[str, str]]()
    for function in program.functions.values():
        for step in function.code:
            if isinstance(step, Assign) and not _is_null(step.value):
                set_somewhere.add(field_of_struct(step.target) or _NO_FIELD)
            for part in (part for each in expressions_of(step) for part in parts(each)):
                match part:
                    case Load(Member(type=PointerType(StructReference())) as place):
                        followed.add(field_of_struct(place) or _NO_FIELD)
                    case AddressOf(place):
                        set_somewhere.add(field_of_struct(place) or _NO_FIELD)
    return frozenset(followed - set_somewhere)


def links(replacement: Replacement, fields: Collection[tuple[str, str]]) -> bool:
    """Whether an edit puts in place what sets one of the fields to a node."""
    made = unguarded(replacement)
    match made:
        case NewAssignment():
            assignments: tuple[Replacement, ...] = (made,)
        case NewReturn(before=NewAssignment() as before):
            assignments = (before,)
        case NewBlock(statements) | Several(statements):
            assignments = statements
        case _:
            return False
    return any(
        isinstance(each, NewAssignment)
        and field_of_struct(each.target) in fields
        and not _is_null(each.value)
        for each in assignments
    )


def _is_null(value: Expression) -> bool:
    return isinstance(without_casts(value), Constant)


def unread(function: Function, location: int, target: LValue) -> bool:
    """Whether `target`, set at a location, is read behind it and not before, although it has a value there.

    It is a parameter, or what is read into it (`scanf("%d", &n)`).
    """
    if not isinstance(target, VariableReference):
        return False
    if target not in function.parameters and not _is_input(function, location, target):
        return False
    held = Load(target)
    reading = [
        step.location for step in function.code if any(held in parts(each) for each in expressions_of(step))
    ]
    return bool(reading) and min(reading) > location


def _is_input(function: Function, location: int, variable: VariableReference) -> bool:
    """Whether a call in front of a location reads input into a variable."""
    return any(
        isinstance(step, Library)
        and step.function in SCANNING
        and step.location < location
        and any(isinstance(each, AddressOf) and each.place == variable for each in step.arguments)
        for step in function.code
    )


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
