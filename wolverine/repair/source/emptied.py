"""Two ends of a list that are null together: `if (q->front == NULL) q->rear = NULL;`."""

from __future__ import annotations

from collections.abc import Sequence

from wolverine.core.expressions import Constant, LValue, Member, VariableReference, lvalue_text
from wolverine.core.parts import null_test
from wolverine.core.patch import Guarded, NewAssignment
from wolverine.core.program import Assign, Instruction
from wolverine.core.types import PointerType, StructReference


def ends_together(code: Sequence[Instruction], made: Guarded) -> bool:
    """Whether one end is set to null where the other one is, which the function sets."""
    match made.statement, null_test(made.condition):
        case NewAssignment(target, Constant(0)), (tested, "=="):
            written = lvalue_text(tested)
            return _both_ends(target, tested) and any(
                isinstance(step, Assign) and lvalue_text(step.target) == written for step in code
            )
    return False


def _both_ends(one: LValue, other: LValue) -> bool:
    """Whether two places are pointers to nodes of one kind that lie beside each other outside of these."""
    if one.type != other.type or not isinstance(one.type, PointerType):
        return False
    match one, other:
        case Member(base, name), Member(same, field):
            led = one.type.target
            return isinstance(led, StructReference) and base.type != led and base == same and name != field
        case VariableReference(name, level="global"), VariableReference(other_name, level="global"):
            return name != other_name
    return False
