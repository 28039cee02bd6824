"""The least of several is looked for, and the first one is kept anyway: `best == NULL || p->v < least`.

Where the number with which they are compared begins as no bound of theirs (`least = 0`), none is kept without
that.  What it keeps besides is compared as it is: it crashes nowhere where the comparison does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wolverine.core.expressions import (
    ORDERS,
    Binary,
    Constant,
    Expression,
    Load,
    Logical,
    VariableReference,
    text,
)
from wolverine.core.parts import against_zero, without_casts
from wolverine.core.program import Assign, Branch, Gap, Instruction
from wolverine.core.types import PointerType


def first_kept(code: Sequence[Instruction], branch: int) -> Iterator[Expression]:
    """The condition at an instruction behind the test whether nothing has been kept yet.

    The `if` keeps the number that it compares, and where that was found in a variable that is null at first.
    """
    step = code[branch]
    if not isinstance(step, Branch) or not isinstance(step.condition, Binary):
        return
    condition, kept = step.condition, [*_assigned(code, step.if_true)]
    sides = {text(condition.left), text(condition.right)}
    bound = any({text(each.value), text(Load(each.target))} == sides for each in kept)
    if condition.operator not in ORDERS or not bound:
        return
    emptied = [s.target for s in code[:branch] if isinstance(s, Assign) and _is_null(s)]
    for target in (each.target for each in kept if each.target in emptied):
        if isinstance(target, VariableReference) and isinstance(target.type, PointerType):
            nothing = against_zero("==", target)
            yield Logical("||", nothing, condition)


def _assigned(code: Sequence[Instruction], first: int) -> Iterator[Assign]:
    """The assignments from an instruction on, one after the other."""
    for step in code[first:]:
        if isinstance(step, Assign):
            yield step
        elif not isinstance(step, Gap):
            return


def _is_null(step: Assign) -> bool:
    match without_casts(step.value):
        case Constant(0):
            return True
    return False
