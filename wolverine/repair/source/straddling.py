"""Assignments amid the reads of what they overwrite."""

from __future__ import annotations

from collections.abc import Sequence

from wolverine.core.expressions import Load, LValue, Member, VariableReference, lvalue_text, variables
from wolverine.core.parts import step_parts
from wolverine.core.program import Assign, Instruction
from wolverine.repair.source.flow import behind


def straddled(code: Sequence[Instruction], index: int, target: LValue) -> bool:
    """Whether a field that is set at an instruction outside of loops is read in front of it and behind it.

    The statements behind it were written for what the field holds there without it.
    """
    if not isinstance(target, Member):
        return False
    field, roots = lvalue_text(target), variables(target)
    changing = {
        at
        for at, step in enumerate(code)
        if isinstance(step, Assign)
        and (
            lvalue_text(step.target) == field
            or (isinstance(step.target, VariableReference) and step.target.name in roots)
        )
    }
    reading = {at for at, step in enumerate(code) if _reads(step, field)}
    onward = behind(code, index, barred=changing)
    return (
        index not in onward
        and not reading.isdisjoint(onward)
        and any(index in behind(code, at, barred=changing) for at in reading - changing)
    )


def _reads(step: Instruction, field: str) -> bool:
    return any(isinstance(part, Load) and lvalue_text(part.place) == field for part in step_parts(step))
