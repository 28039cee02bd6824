"""What is allocated where, by what takes the result."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from math import prod

from wolverine.core.expressions import Cast, Constant, Load, VariableReference
from wolverine.core.parts import step_parts, without_casts
from wolverine.core.program import Assign, Call, Function, Library, Program
from wolverine.core.types import CHAR, VOID_POINTER, CType, PointerType, StructReference, VoidType
from wolverine.semantics.allocation import COPYING, FRESH, MAKING


def allocations(program: Program) -> dict[tuple[str, int], CType]:
    """What is allocated where, by (function, line): the type that the result is converted to.

    A line that allocates several types tells none.
    """
    found: dict[tuple[str, int], set[CType]] = defaultdict(set)
    for function in program.functions.values():
        results = {
            step.result: program.location(step.location).line
            for step in function.code
            if isinstance(step, Call) and step.result is not None and step.function in MAKING
        }
        for step in function.code:
            if not isinstance(step, Assign) or not isinstance(step.target.type, PointerType):
                continue
            value = without_casts(step.value)
            if isinstance(value, Load) and value.place in results:
                assert isinstance(value.place, VariableReference)
                found[function.name, results[value.place]].add(step.target.type.target)
    return {place: next(iter(types)) for place, types in found.items() if len(types) == 1}


def allocated_types(program: Program) -> dict[tuple[str, int], CType]:
    """`allocations`, and what casts tell of results that are kept as `void *`; copied texts are characters.

    That is the one struct to which the function converts the variable that takes the result; failing that
    the one of as many bytes as are asked for to which the program converts any `void *`.
    """
    found = allocations(program)
    converted = {each for function in program.functions.values() for each, _ in _converted(function)}
    for function in program.functions.values():
        locally: dict[str, set[StructReference]] = defaultdict(set)
        for struct, name in _converted(function):
            locally[name].add(struct)
        for place, size, name in _untold(program, function):
            if not isinstance(found.get(place, VoidType()), VoidType):
                continue
            near = {each for each in locally.get(name, ()) if size and _fills(program, each, size)}
            far = {each for each in converted if program.types.size(each) == size}
            chosen = near if len(near) == 1 else far
            if len(chosen) == 1:
                found[place] = next(iter(chosen))
        for place in _copied(program, function):
            if isinstance(found.get(place, VoidType()), VoidType):
                found[place] = CHAR
    return found


def _copied(program: Program, function: Function) -> Iterator[tuple[str, int]]:
    """Where nothing is allocated but copies of texts, which a list may keep as `void *`."""
    lines = {kind: set[int]() for kind in (Call, Library)}
    for step in function.code:
        if isinstance(step, Call | Library) and step.function in (*MAKING, *COPYING):
            lines[type(step)].add(program.location(step.location).line)
    for line in sorted(lines[Library] - lines[Call]):
        yield function.name, line


def _fills(program: Program, struct: StructReference, size: int) -> bool:
    one = program.types.size(struct)
    return one > 0 and size % one == 0


def _converted(function: Function) -> Iterator[tuple[StructReference, str]]:
    """The structs as which what a `void *` leads to is seen, with the variable that holds it ("": none)."""
    for step in function.code:
        casts = [(each.type, each.operand) for each in step_parts(step) if isinstance(each, Cast)]
        if isinstance(step, Assign):
            casts.append((step.target.type, step.value))
        for ctype, operand in casts:
            match ctype, operand:
                case PointerType(StructReference() as struct), Load(place) if place.type == VOID_POINTER:
                    yield struct, place.name if isinstance(place, VariableReference) else ""


def _untold(program: Program, function: Function) -> Iterator[tuple[tuple[str, int], int, str]]:
    """The allocations of known sizes: where, how many bytes, and the variable that keeps the result."""
    known = {
        step.target.name: step.value.value
        for step in function.code
        if isinstance(step, Assign)
        and isinstance(step.target, VariableReference)
        and isinstance(step.value, Constant)
    }
    kept = {
        step.value.place: step.target.name
        for step in function.code
        if isinstance(step, Assign)
        and isinstance(step.target, VariableReference)
        and isinstance(step.value, Load)
    }
    for step in function.code:
        if isinstance(step, Call) and step.result is not None and step.function in FRESH:
            sizes = [
                known.get(each.place.name)
                for each in step.arguments
                if isinstance(each, Load) and isinstance(each.place, VariableReference)
            ]
            if len(sizes) == len(step.arguments) and None not in sizes:
                line = program.location(step.location).line
                yield (function.name, line), prod(each or 0 for each in sizes), kept.get(step.result, "")


def sizes_made(program: Program) -> Mapping[int, StructReference]:
    """The structs that the program allocates, by size, where a size tells which."""
    found: dict[int, set[StructReference]] = defaultdict(set)
    for made in allocations(program).values():
        if isinstance(made, StructReference):
            found[program.types.size(made)].add(made)
    return {size: next(iter(structs)) for size, structs in found.items() if size and len(structs) == 1}
