"""Values of another type than what they are assigned to, of which every compiler warns: `p = p->count`.

That somebody has written one field for another shows there as nowhere else.  Of a call that is given two such
values both are wrong: they are in the wrong order.

Of `_Bool` no compiler warns, but who has declared one keeps truths in it and does not count: `seen[i] = n`
and `n = seen[i]` are hardly ever meant.
"""

from __future__ import annotations

from collections.abc import Mapping

from wolverine.core.expressions import COMPARISONS, Binary, Cast, Constant, Expression, Logical, Unary
from wolverine.core.parts import without_casts
from wolverine.core.patch import NewAssignment, NewValue, Patch, Replacement
from wolverine.core.program import Assign, Program
from wolverine.core.types import CType, IntType, PointerType, StructReference, is_number


def mistyped(program: Program) -> dict[int, tuple[str, int]]:
    """The locations that assign a number to a pointer, or what leads to another struct.

    With their functions, and the units in these.
    """
    return {
        step.location: (function.name, unit)
        for function in program.functions.values()
        for step, unit in zip(function.code, function.unit_of, strict=True)
        if isinstance(step, Assign) and _converted(step.value)
    }


def mends_types(patch: Patch, wrong: Mapping[int, tuple[str, int]]) -> bool:
    """Whether all that a patch does is to let such statements assign something of the right type.

    None of them is left in a unit then.
    """
    mended = {edit.location for edit in patch.edits if edit.location in wrong and _fits(edit.replacement)}
    units = {wrong[each] for each in mended}
    left = any(unit in units and each not in mended for each, unit in wrong.items())
    return bool(patch.edits) and len(mended) == len(patch.edits) and not left


def mixes_truths(target: CType, value: Expression) -> bool:
    """Whether a number becomes a truth value (C's `_Bool`) in the place of that type, or a truth a number."""
    plain = without_casts(value)
    match plain:
        case Constant(number):
            return _is_truth(target) and number not in (0, 1)
        case Logical() | Unary("!"):
            return False
        case Binary(operator):
            return _is_truth(target) and operator not in COMPARISONS
    return is_number(target) and is_number(plain.type) and _is_truth(target) != _is_truth(plain.type)


def _is_truth(ctype: CType) -> bool:
    return isinstance(ctype, IntType) and ctype.name == "_Bool"


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
