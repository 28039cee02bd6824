"""Assignments that end a loop by force: they make true what it goes on until, whatever it has come to."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from wolverine.core.expressions import (
    AddressOf,
    Binary,
    Constant,
    Dereference,
    Expression,
    Load,
    LValue,
    text,
)
from wolverine.core.parts import conjuncts, without_casts
from wolverine.core.program import Branch, Instruction
from wolverine.repair.source.flow import loops_around


def forced(
    code: Sequence[Instruction], index: int, behind: Collection[int], target: LValue, value: Expression
) -> bool:
    """Whether an assignment in the gap `index` makes true what ends the loop around it: `while (x != y)`.

    `behind` are the instructions that may be executed behind it.  So it is with `i = n` in `while (i < n)`.
    """
    if isinstance(value, AddressOf):  # `p = &y` in `while (*p != y)`
        target, value = Dereference(Load(target), value.place.type), Load(value.place)
    wanted = {text(Load(target)), text(value)}
    return index in behind and any(
        isinstance(step, Branch)
        and at in behind
        and (
            (
                isinstance(step.condition, Binary)
                and step.condition.operator == "!="
                and {text(step.condition.left), text(step.condition.right)} == wanted
            )
            or (
                any(_goes_by(each, target, value) for each in conjuncts(step.condition))
                and _ends(code, index, at)
            )
        )
        for at, step in enumerate(code)
    )


def _goes_by(condition: Expression, target: LValue, value: Expression) -> bool:
    """Whether a comparison does not hold where the target has the value: `i < n` where `i` is `n + 1`."""
    match condition:
        case Binary("<" | "<=" | ">" | ">=" as operator, left, right):
            upwards = operator in ("<", "<=")
            for one, other, more in ((left, right, upwards), (right, left, not upwards)):
                if without_casts(one) == Load(target):
                    beyond = _beyond(without_casts(value), without_casts(other), "+" if more else "-")
                    return beyond is not None and beyond >= (operator in ("<=", ">="))
    return False


def _beyond(value: Expression, limit: Expression, operator: str) -> int | None:
    """How far a value lies beyond a limit, where that can be seen; None where it cannot, or does not."""
    if text(value) == text(limit):
        return 0
    match value:
        case Binary(sign, left, Constant(number)) if sign == operator and text(left) == text(limit):
            return number
    return None


def _ends(code: Sequence[Instruction], index: int, at: int) -> bool:
    """Whether a loop around the gap `index` ends where the condition `at` does not hold."""
    step = code[at]
    assert isinstance(step, Branch)
    return any(
        at in loop and step.if_true in loop and step.if_false not in loop
        for loop in loops_around(code, index)
    )
