"""What is allocated where, by what takes the result."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from wolverine.core.expressions import Load, VariableReference
from wolverine.core.parts import without_casts
from wolverine.core.program import Assign, Call, Program
from wolverine.core.types import CType, PointerType, StructReference
from wolverine.semantics.allocation import MAKING


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


def sizes_made(program: Program) -> Mapping[int, StructReference]:
    """The structs that the program allocates, by size, where a size tells which."""
    found: dict[int, set[StructReference]] = defaultdict(set)
    for made in allocations(program).values():
        if isinstance(made, StructReference):
            found[program.types.size(made)].add(made)
    return {size: next(iter(structs)) for size, structs in found.items() if size and len(structs) == 1}
