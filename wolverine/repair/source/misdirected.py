"""Assignments to variables that nothing reads any more: `head = NULL;` where `*head = NULL;` was meant.

Such a dead store does nothing, which is hardly what it was written for: it was rather to set what the
variable leads to, or the field of its name (Engler et al., "Bugs as deviant behavior", SOSP 2001).
"""

from __future__ import annotations

from wolverine.core.expressions import Dereference, Load, LValue, Member, VariableReference
from wolverine.core.program import Assign, Function, Program
from wolverine.semantics.dataflow import reads


def misdirected(function: Function, program: Program) -> frozenset[int]:
    """The instructions of a function that set one of its variables in vain."""
    read = reads(function, program)
    return frozenset(
        index
        for index, step in enumerate(function.code)
        if isinstance(step, Assign)
        and isinstance(step.target, VariableReference)
        and step.target.level == "local"
        and not step.target.name.startswith("$")
        and step.target.name not in read[index + 1]
    )


def directs(place: LValue, other: LValue) -> bool:
    """Whether the other place is what a variable leads to, or a field of the variable's name."""
    match place, other:
        case VariableReference(), Dereference(Load(through)):
            return through == place
        case VariableReference(name), Member(_, field):
            return field == name
    return False
