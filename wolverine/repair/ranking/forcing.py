"""Assignments that end a loop by force: they make true what it goes on until, whatever it has come to.

So may what sets the number that counts its rounds to what a node holds, if that happens to be large.
"""

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
    Member,
    VariableReference,
    text,
)
from wolverine.core.parts import amount_added, conjuncts, parts, without_casts
from wolverine.core.program import Assign, Branch, Instruction
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


def miscounts(code: Sequence[Instruction], index: int, target: LValue, value: Expression) -> bool:
    """Whether an assignment at `index` sets a number to a field: `i = p->key` in `for (...; i < n; i++)`.

    It is one by which a loop around it goes, and which that loop does nothing with but count.
    """
    inside = [part.place for part in parts(value) if isinstance(part, Load)]
    if not isinstance(target, VariableReference) or target in inside:
        return False
    fields = any(isinstance(place, Member) for place in inside)
    return fields and any(_counts(code, loop, target) for loop in loops_around(code, index))


def _counts(code: Sequence[Instruction], loop: range, target: LValue) -> bool:
    """Whether a loop goes by a number that it counts by one number or another, and sets in no other way."""
    set_here = [code[at] for at in loop if at < len(code)]
    sums = [amount_added(s.target, s.value) for s in set_here if isinstance(s, Assign) and s.target == target]
    ends = (s.condition for s in set_here if isinstance(s, Branch) and s.if_false not in loop)
    compared = (each for condition in ends for each in conjuncts(condition) if isinstance(each, Binary))
    goes = any(Load(target) in map(without_casts, (each.left, each.right)) for each in compared)
    return goes and bool(sums) and all(isinstance(each, Constant) for each in sums)


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
