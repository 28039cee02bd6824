"""`=` where `==` was meant: an assignment that the condition behind it reads at once."""

from __future__ import annotations

from collections.abc import Iterator

from wolverine.core.expressions import Binary, Load
from wolverine.core.patch import Deletion, Edit, NewValue, Patch
from wolverine.core.program import Assign, Branch, Function, Gap, Program
from wolverine.core.types import INT, IntType, PointerType


def meant(function: Function, index: int) -> tuple[int, Binary] | None:
    """The branch that asks what the assignment at an instruction stored, and the comparison meant.

    None where there is none such.
    """
    step = function.code[index]
    if not isinstance(step, Assign) or not isinstance(step.target.type, (IntType, PointerType)):
        return None
    at = index + 1
    while isinstance(function.code[at], Gap):
        at += 1
    if function.unit_of[at] != function.unit_of[index]:
        return None  # the step of a `for` stands in front of its condition
    match function.code[at]:
        case Branch(_, Load(asked)) if asked == step.target and step.value.type == asked.type:
            return at, Binary("==", Load(asked), step.value, INT)
    return None


def instead(function: Function, branch: int) -> Binary | None:
    """The comparison that was meant where a branch asks what was just stored."""
    at = branch - 1
    while at >= 0 and isinstance(function.code[at], Gap):
        at -= 1
    found = meant(function, at) if at >= 0 else None
    return found[1] if found is not None and found[0] == branch else None


def comparisons(program: Program, patch: Patch) -> Iterator[tuple[Edit, Edit]]:
    """The two edits that make an assignment a comparison, for each that the patch does."""
    made = {edit.location: edit for edit in patch.edits}
    for gone in patch.edits:
        if isinstance(gone.replacement, Deletion):
            function = program.functions[program.location(gone.location).function]
            index = next(i for i, step in enumerate(function.code) if step.location == gone.location)
            found = meant(function, index)
            if found is not None:
                asked = made.get(function.code[found[0]].location)
                if asked is not None and asked.replacement == NewValue(found[1]):
                    yield gone, asked
