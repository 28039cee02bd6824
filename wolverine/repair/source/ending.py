"""What a function that forgets to return something was to return: rather what it has reckoned out in vain."""

from __future__ import annotations

from collections import Counter

from wolverine.core.expressions import Load, VariableReference
from wolverine.core.patch import NewReturn, Patch
from wolverine.core.program import Assign, Function, Program
from wolverine.semantics.dataflow import uses


def set_in_vain(function: Function, program: Program) -> frozenset[str]:
    """The variables that the function sets and reads nowhere, but for setting themselves."""
    set_here = {
        step.target.name
        for step in function.code
        if isinstance(step, Assign) and isinstance(step.target, VariableReference)
    }
    read: set[str] = set()
    for step in function.code:
        match step:
            case Assign(_, VariableReference(name)):
                read |= uses(step, function, program) - {name}
            case _:
                read |= uses(step, function, program)
    return frozenset(set_here - read)


def kept_in_vain(function: Function, program: Program) -> frozenset[str]:
    """The locals that several statements set, and that nothing reads: what they were kept for is missing.

    What is set once may be an answer that is of no interest (`rc = f();`).
    """
    targets = (step.target for step in function.code if isinstance(step, Assign))
    times = Counter(each.name for each in targets if isinstance(each, VariableReference))
    locals_ = {each.name for each in function.locals}
    return frozenset(name for name in set_in_vain(function, program) & locals_ if times[name] > 1)


def returned_variable(patch: Patch) -> str:
    """The variable that the patch's only edit returns, "" for anything else."""
    match patch.edits:
        case (edit,):
            match edit.replacement:
                case NewReturn(Load(VariableReference(name)), None):
                    return name
    return ""
