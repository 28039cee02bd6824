"""An edit as it would be made in a function that is the same with names exchanged: a rotation's mirror image.

Who has forgotten something in one of them has forgotten it in the copy (Li et al., "CP-Miner", OSDI 2004).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from wolverine.core.exchanging import Exchange, Fields, exchanged_place, exchanged_value, named
from wolverine.core.expressions import Expression, Load, LValue, Member
from wolverine.core.parts import parts
from wolverine.core.patch import Deletion, Edit, Guarded, NewAssignment, NewValue, Replacement
from wolverine.core.program import Assign, Function, Program
from wolverine.core.types import CType, StructReference
from wolverine.repair.source.twins import names_exchanged
from wolverine.repair.source.walk import located


def counterparts(program: Program, edit: Edit) -> Iterator[Edit]:
    """The edit in each of these functions, at the statement that is its own there."""
    function = program.functions[program.location(edit.location).function]
    index = located(function, edit.location)
    for other in program.functions.values():
        if other is function or [*map(type, other.code)] != [*map(type, function.code)]:
            continue
        names = names_exchanged(program, function, other)
        made = _made(program, function, other, names, edit.replacement) if names is not None else None
        if made is not None:
            yield Edit(other.code[index].location, made)


def _made(
    program: Program, function: Function, other: Function, names: Mapping[str, str], made: Replacement
) -> Replacement | None:
    """The replacement in the names of the other function; None where it cannot be said there."""
    said = _said(made)
    if said is None:
        return None
    theirs = {each.name: each for each in (*other.parameters, *other.locals)}
    own = {each.name for each in (*function.parameters, *function.locals)}
    variables: dict[LValue, LValue] = {}
    for each in named(*said):
        instead = theirs.get(names.get(each.name, each.name)) if each.name in own else each
        if instead is None or instead.type != each.type:
            return None
        variables[each] = instead
    return _exchanged(made, variables, _fields(program, names, said))


def _said(made: Replacement) -> Sequence[Assign | Expression] | None:
    match made:
        case Deletion():
            return ()
        case NewValue(value):
            return (value,)
        case NewAssignment(target, value):
            return (Assign(-1, target, value),)
        case Guarded(condition, NewAssignment(target, value), None):
            return condition, Assign(-1, target, value)
    return None


def _fields(program: Program, names: Mapping[str, str], said: Sequence[Assign | Expression]) -> Fields:
    """The fields that another one of their struct and type stands for."""
    found: dict[tuple[CType, str], tuple[str, int]] = {}
    for step in said:
        values = (Load(step.target), step.value) if isinstance(step, Assign) else (step,)
        places = (part.place for value in values for part in parts(value) if isinstance(part, Load))
        for place in places:
            match place:
                case Member(base, name) if isinstance(base.type, StructReference) and name in names:
                    field = program.types.structs[base.type.tag].field(names[name])
                    if field is not None and field.type == place.type:
                        found[base.type, name] = field.name, field.offset
    return found


def _exchanged(made: Replacement, variables: Exchange, fields: Fields) -> Replacement | None:
    match made:
        case NewValue(value):
            other = exchanged_value(value, variables, fields)
            return NewValue(other) if other is not None else None
        case NewAssignment(target, value):
            place, other = (
                exchanged_place(target, variables, fields),
                exchanged_value(value, variables, fields),
            )
            return NewAssignment(place, other) if place is not None and other is not None else None
        case Guarded(condition, NewAssignment() as statement, None):
            test = exchanged_value(condition, variables, fields)
            inner = _exchanged(statement, variables, fields)
            if test is None or not isinstance(inner, NewAssignment):
                return None
            return Guarded(test, inner)
    return made
