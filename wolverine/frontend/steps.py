"""Questions about single instructions."""

from __future__ import annotations

import re

from wolverine.core.expressions import Expression, VariableReference, text
from wolverine.core.program import Assign, Branch, Call, Concrete, Instruction

_TEMPORARY = re.compile(r"\$\w+")


def temporaries_in(value: Expression) -> list[str]:
    """The temporaries that the value reads."""
    return _TEMPORARY.findall(text(value))


def assigned_names(step: Assign) -> list[str]:
    """The variable that is assigned as a whole, if one is."""
    return [step.target.name] if isinstance(step.target, VariableReference) else []


def defined_names(step: Instruction) -> tuple[str, ...]:
    """The variables that the instruction fills."""
    match step:
        case Assign():
            return tuple(assigned_names(step))
        case Call(result=result) if result is not None:
            return (result.name,)
        case Concrete(results=results):
            return tuple(variable.name for variable in results)
        case _:
            return ()


def value_of(instruction: Instruction | None) -> Expression | None:
    """What an edit of the value replaces."""
    match instruction:
        case Assign(_, _, value):
            return value
        case Branch(_, condition):
            return condition
        case _:
            return None
