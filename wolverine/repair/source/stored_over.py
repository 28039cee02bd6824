"""What is stored over right away: `p->prev = p; p->prev = q;`, where `p->prev = q;` is what people write."""

from __future__ import annotations

from collections.abc import Collection

from wolverine.core.expressions import Load, LValue, Member
from wolverine.core.parts import parts
from wolverine.core.patch import Edit, NewAssignment, Patch
from wolverine.core.program import Program
from wolverine.repair.source.blocks import statement
from wolverine.repair.source.walk import located


def stores_instead(program: Program, patch: Patch, other: Patch) -> bool:
    """Whether the other patch gives statements another value where the patch adds statements that set them.

    They set the same fields: where both patches come to the same everywhere, what the statements store is
    stored over under the patch.  Not so where a statement goes on from what is set in front of it:
    `p->n = 0;` before `p->n++;`.
    """
    added, changed = set(patch.edits) - set(other.edits), set(other.edits) - set(patch.edits)
    one = sorted(field for each in added if (field := _adds(program, each)) is not None)
    instead = sorted(field for each in changed if (field := _gives(program, each, added)) is not None)
    return bool(one) and one == instead and len(added) == len(changed) == len(one)


def _adds(program: Program, edit: Edit) -> tuple[str, str] | None:
    """The field that a new statement sets, with its function."""
    location = program.location(edit.location)
    match edit.replacement:
        case NewAssignment(target) if location.kind == "gap":
            return _field(location.function, target)
    return None


def _gives(program: Program, edit: Edit, added: Collection[Edit]) -> tuple[str, str] | None:
    """The field that a statement sets which is given another value, with its function.

    None where it reckons with what an added statement may have set.
    """
    location = program.location(edit.location)
    if location.kind != "assignment":
        return None
    function = program.functions[location.function]
    index = located(function, edit.location)
    match statement(function, index), edit.replacement:
        case NewAssignment(target, value), NewAssignment(same) if target == same:
            reckoned = Load(target) in parts(value)
            if reckoned and any(_is_before(program, each, location.function, index) for each in added):
                return None
            return _field(location.function, target)
    return None


def _is_before(program: Program, edit: Edit, name: str, index: int) -> bool:
    """Whether an edit is in a function in front of that instruction."""
    return (
        program.location(edit.location).function == name
        and located(program.functions[name], edit.location) < index
    )


def _field(function: str, target: LValue) -> tuple[str, str] | None:
    match target:
        case Member(_, name):
            return function, name
    return None
