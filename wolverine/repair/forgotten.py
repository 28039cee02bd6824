"""Fields that a function forgets: it sets others of the same node, and never this one."""

from __future__ import annotations

from wolverine.core.expressions import Dereference, Load, LValue, Member, VariableReference
from wolverine.core.program import Assign, Function


def forgets(function: Function, target: LValue) -> bool:
    """Whether `target` is a field that the function never sets of a node of which it sets others."""
    wanted = _field(target)
    if wanted is None:
        return False
    variable, name = wanted
    fields = {
        found[1]
        for step in function.code
        if isinstance(step, Assign) and (found := _field(step.target)) is not None and found[0] == variable
    }
    return bool(fields) and name not in fields


def _field(place: LValue) -> tuple[str, str] | None:
    """The variable and the field of `x->f`."""
    match place:
        case Member(Dereference(Load(VariableReference(variable))), name):
            return variable, name
    return None
