"""What is stored over right away: `p->prev = p; p->prev = q;`, where `p->prev = q;` is what people write."""

from __future__ import annotations

from wolverine.core.expressions import LValue, Member
from wolverine.core.patch import Edit, NewAssignment, Patch
from wolverine.core.program import Program
from wolverine.repair.source.blocks import statement
from wolverine.repair.source.walk import located


def stores_instead(program: Program, patch: Patch, other: Patch) -> bool:
    """Whether the other patch gives statements another value where the patch adds statements that set them.

    They set the same fields: where both patches come to the same everywhere, what the statements store is
    stored over under the patch.
    """
    added, changed = set(patch.edits) - set(other.edits), set(other.edits) - set(patch.edits)
    one = sorted(field for each in added if (field := _adds(program, each)) is not None)
    instead = sorted(field for each in changed if (field := _gives(program, each)) is not None)
    return bool(one) and one == instead and len(added) == len(changed) == len(one)


def _adds(program: Program, edit: Edit) -> tuple[str, str] | None:
    """The field that a new statement sets, with its function."""
    location = program.location(edit.location)
    match edit.replacement:
        case NewAssignment(target) if location.kind == "gap":
            return _field(location.function, target)
    return None


def _gives(program: Program, edit: Edit) -> tuple[str, str] | None:
    """The field that a statement sets which is given another value, with its function."""
    location = program.location(edit.location)
    if location.kind != "assignment":
        return None
    function = program.functions[location.function]
    match statement(function, located(function, edit.location)), edit.replacement:
        case NewAssignment(target), NewAssignment(same) if target == same:
            return _field(location.function, target)
    return None


def _field(function: str, target: LValue) -> tuple[str, str] | None:
    match target:
        case Member(_, name):
            return function, name
    return None
