"""Two arguments of a call, given in the wrong order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from wolverine.core.expressions import Load, VariableReference, variables
from wolverine.core.patch import Edit, NewValue, Patch
from wolverine.core.program import Assign, Call, Function, Program


def exchanges(function: Function) -> Iterator[tuple[Edit, Edit]]:
    """The edits that exchange two arguments of one type, for each pair of them."""
    passed: dict[str, Assign] = {}
    for step in function.code:
        if isinstance(step, Assign) and isinstance(step.target, VariableReference):
            passed[step.target.name] = step
        elif isinstance(step, Call):
            given = [
                passed[argument.place.name]
                for argument in step.arguments
                if isinstance(argument, Load)
                and isinstance(argument.place, VariableReference)
                and argument.place.name in passed
            ]
            plain = [a for a in given if not any(name.startswith("$") for name in variables(a.value))]
            for one, other in combinations(plain, 2):
                if one.target.type == other.target.type and one.value != other.value:
                    yield Edit(one.location, NewValue(other.value)), Edit(other.location, NewValue(one.value))


def exchanged(program: Program, patch: Patch) -> Iterator[tuple[Edit, Edit]]:
    """The pairs of edits of a patch that exchange two arguments."""
    made = set(patch.edits)
    for name in {program.location(edit.location).function for edit in patch.edits}:
        for one, other in exchanges(program.functions[name]) if len(made) > 1 else ():
            if one in made and other in made:
                yield one, other
