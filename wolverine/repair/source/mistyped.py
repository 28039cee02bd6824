"""Values of another type than what they are assigned to, of which every compiler warns: `p = p->count`.

That somebody has written one field for another shows there as nowhere else.
"""

from __future__ import annotations

from collections.abc import Collection

from wolverine.core.expressions import Cast, Constant, Expression
from wolverine.core.patch import NewAssignment, NewValue, Patch, Replacement
from wolverine.core.program import Assign, Program
from wolverine.core.types import IntType, PointerType, StructReference


def mistyped(program: Program) -> frozenset[int]:
    """The statements, by location, that assign a number to a pointer, or what leads to another struct."""
    return frozenset(
        step.location
        for function in program.functions.values()
        for step in function.code
        if isinstance(step, Assign) and _converted(step.value)
    )


def mends_types(patch: Patch, wrong: Collection[int]) -> bool:
    """Whether all that a patch does is to let such statements assign something of the right type."""
    return bool(patch.edits) and all(
        edit.location in wrong and _fits(edit.replacement) for edit in patch.edits
    )


def _fits(made: Replacement) -> bool:
    return isinstance(made, NewValue | NewAssignment) and not _converted(made.value)


def _converted(value: Expression) -> bool:
    """Whether a value is converted although nothing in the source says so."""
    match value:
        case Cast(Constant(), _, ""):
            return False
        case Cast(operand, IntType(), ""):
            return isinstance(operand.type, PointerType)
        case Cast(operand, PointerType(wanted), ""):
            if isinstance(operand.type, IntType):
                return True
            given = operand.type.target if isinstance(operand.type, PointerType) else None
            return (
                isinstance(given, StructReference) and isinstance(wanted, StructReference) and given != wanted
            )
    return False
