"""New nodes (Wolverine2 section 4): what an edit may allocate, and pointers that lead nowhere without one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from wolverine.core.expressions import (
    AddressOf,
    Constant,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
    lvalue_text,
    text,
    variables,
)
from wolverine.core.parts import parts
from wolverine.core.patch import NewNode
from wolverine.core.program import Assign, Call, Function, Library, Location, Program
from wolverine.core.types import CType, IntType, PointerType, StructReference, is_text
from wolverine.repair.menus.menu import Choice
from wolverine.repair.source.walk import expressions_of
from wolverine.semantics.allocation import FRESH
from wolverine.semantics.losing import freed


def allocations(program: Program, places: Mapping[int, LValue]) -> Iterator[Choice]:
    """A new node for each place that leads to structs; cleared where the program clears all of its own.

    `places` go by their numbers in the menu.
    """
    called = {step.function for f in program.functions.values() for step in f.code if isinstance(step, Call)}
    zeroed = "calloc" in called and "malloc" not in called
    for number, place in places.items():
        match place.type:
            case PointerType(StructReference(tag) as struct) if tag in program.types.structs:
                yield Choice(NewNode(place, program.types.size(struct), zeroed), number)


def copied(function: Function) -> Iterator[tuple[LValue, Expression]]:
    """The places that a function copies strings to, each with the string."""
    for step in function.code:
        match step:
            case Library(_, "strcpy", (Load(place), string)):
                yield place, string


def strings(program: Program, function: Function) -> bool:
    """Whether the file of a function copies strings onto the heap, so that it may have to do so elsewhere.

    What frees a field with a string expects a copy there.
    """
    called = string_functions(program, function)
    fields = (each for each in freed(program) if isinstance(each, Load) and isinstance(each.place, Member))
    return "strdup" in called or (bool(called) and any(is_text(field.type) for field in fields))


def string_functions(program: Program, function: Function) -> frozenset[str]:
    """The functions for strings of <string.h> that the file of a function calls, and so includes."""
    within = (each for each in program.functions.values() if each.file == function.file)
    called = {step.function for each in within for step in each.code if isinstance(step, Library)}
    return frozenset(each for each in called if each.startswith("str") and not each.startswith("strto"))


def string_copies(places: Sequence[LValue]) -> Iterator[NewNode]:
    """A copy for each field that holds a string, of that or of the same field elsewhere.

    So it is where a struct was assigned as a whole.
    """
    held = [each for each in places if isinstance(each, Member) and is_text(each.type)]
    for place in held:
        for other in held:
            if (other.name, other.base.type) == (place.name, place.base.type):
                yield NewNode(place, 1, string=Load(other), copied=True)


def string_copy(target: LValue, value: Expression) -> NewNode | None:
    """A copy of the string in the place of the pointer to it that is assigned; None for other values."""
    if not is_text(target.type) or not isinstance(value, Load) or not is_text(value.type):
        return None
    return NewNode(target, 1, string=value, copied=True)


def allocatable(location: Location, value: Expression) -> bool:
    """Whether a new node may be assigned there instead of the value, which no call gives."""
    plain = location.kind == "initialiser" or (location.kind == "assignment" and location.semicolon)
    return plain and not any(name.startswith("$") for name in variables(value))


def makers(program: Program) -> dict[CType, list[str]]:
    """The functions that allocate and return a pointer to a struct, by the type of that pointer."""
    found: dict[CType, list[str]] = {}
    for name, function in program.functions.items():
        match function.result:
            case PointerType(StructReference()):
                if any(isinstance(s, Call) and s.function in FRESH for s in function.code):
                    found.setdefault(function.result, []).append(name)
    return found


def unset(program: Program, function: str, place: LValue) -> bool:
    """Whether the function, of a global the program, assigns nothing but null to the place."""
    match place.type:
        case PointerType(StructReference() | IntType(size=1)):
            pass
        case _:
            return False
    names = [function]
    if isinstance(place, VariableReference):
        if place.level == "global":
            names = list(program.functions)
        elif place in program.functions[function].parameters:
            return False
    written = lvalue_text(place)
    for name in names:
        for step in program.functions[name].code:
            null = isinstance(step, Assign) and isinstance(step.value, Constant) and step.value.value == 0
            if isinstance(step, Assign) and lvalue_text(step.target) == written and not null:
                return False
            inside = (part for each in expressions_of(step) for part in parts(each))
            if any(isinstance(each, AddressOf) and text(each) == f"&{written}" for each in inside):
                return False
    return True
