"""Links that no statement of a program ever sets: where one is gone through, something else was forgotten.

Such a field is assigned nothing but null and what fields of its kind hold, which is null as well.
"""

from __future__ import annotations

from collections.abc import Iterator

from wolverine.core.expressions import AddressOf, Constant, Expression, Load, LValue, Member
from wolverine.core.parts import gone_through, parts, place_parts, without_casts
from wolverine.core.program import Assign, Instruction, Library, Program
from wolverine.core.trace import Trace
from wolverine.core.types import PointerType, StructReference
from wolverine.repair.source.forgotten import field_of_struct
from wolverine.repair.source.walk import expressions_of

Field = tuple[str, str]  # a struct's tag and the field's name

_COPYING = ("memcpy", "memmove")


def unlinked(program: Program) -> frozenset[Field]:
    """The links to structs that are gone through and never set to anything but null."""
    through: set[Field] = set()
    others: set[Field] = set()
    for function in program.functions.values():
        for step in function.code:
            if isinstance(step, Library) and step.function in _COPYING:
                return frozenset()  # what it fills is not told
            through.update(_passed(step))
            for part in _parts(step):
                held = field_of_struct(part.place) if isinstance(part, AddressOf) else None
                if held is not None:
                    others.add(held)
            field = _link(step.target) if isinstance(step, Assign) else None
            if isinstance(step, Assign) and field is not None and not _null(step.value, field):
                others.add(field)
    return frozenset(through - others)


def crashed_through(program: Program, function: str, instruction: int) -> frozenset[Field]:
    """Those that an instruction goes through."""
    passed = frozenset(_passed(program.functions[function].code[instruction]))
    return passed & unlinked(program) if passed else passed


def crashed_unlinked(program: Program, trace: Trace) -> frozenset[Field]:
    """Those that the trace ends by going through, where a crash is all that is known."""
    if trace.crash is None or not trace.bare:
        return frozenset()
    return crashed_through(program, *trace.crash.position[1:3])


def forgets_link(program: Program, function: str, place: LValue, fields: frozenset[Field]) -> bool:
    """Whether a place is one of these links, in a function that sets another one of such nodes.

    A function that goes through it itself relies on that it has been set.
    """
    field = _link(place)
    if field is None or field not in fields:
        return False
    code = program.functions[function].code
    set_here = (_link(step.target) for step in code if isinstance(step, Assign))
    others = any(other is not None and other[0] == field[0] and other != field for other in set_here)
    return others and all(field not in _passed(step) for step in code)


def sets_link(place: LValue, fields: frozenset[Field]) -> bool:
    """Whether a place is one of these links."""
    return _link(place) in fields


def _passed(step: Instruction) -> Iterator[Field]:
    """The links that an instruction goes through."""
    places = [part.place for part in _parts(step) if isinstance(part, Load | AddressOf)]
    if isinstance(step, Assign):
        places.append(step.target)
    for place in places:
        for each in gone_through(place):
            if (field := _link(each)) is not None:
                yield field


def _parts(step: Instruction) -> list[Expression]:
    inside = [part for each in expressions_of(step) for part in parts(each)]
    return [*inside, *place_parts(step.target)] if isinstance(step, Assign) else inside


def _link(place: LValue) -> Field | None:
    match place:
        case Member(type=PointerType(StructReference())):
            return field_of_struct(place)
    return None


def _null(value: Expression, field: Field) -> bool:
    plain = without_casts(value)
    if isinstance(plain, Load):
        return _link(plain.place) == field
    return isinstance(plain, Constant) and not plain.value
