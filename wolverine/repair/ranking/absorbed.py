"""Comparisons of one number that say nothing more together than one of them does, or nothing at all.

`i < 0 || i < 4` is `i < 4`, and `i < 4 || i >= 4` holds of every number: nobody means such a condition.
Nor does anybody mean `b && b`: one of the two was to ask for something else.  Who asks for one of two
equalities (`k == n || s == t`) rather does not ask for the contrary of one of them: `k != n || s == t`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from wolverine.core.expressions import (
    Binary,
    Constant,
    Expression,
    Logical,
    lvalue_text,
    text,
)
from wolverine.core.parts import null_test, parts, without_casts
from wolverine.core.program import Branch, Function, Gap, Instruction
from wolverine.repair.source.settled import HOLDS


def absorbs(condition: Expression) -> bool:
    """Whether two comparisons that the condition joins say no more than one of them, or nothing at all."""
    for part in parts(condition):
        if isinstance(part, Logical):
            compared = [
                made for each in _joined(part, part.operator) if (made := _compared(each)) is not None
            ]
            if any(_idle(part.operator, one, two) for one, two in combinations(compared, 2)):
                return True
    return False


def asks_of_another(condition: Expression, new: Expression) -> bool:
    """Whether a condition that asks for one thing twice asks in one of the two places for another like it."""
    if absorbs(new):
        return False
    for asked, instead in zip(_asked(condition), _asked(new), strict=False):
        if _twice(asked) and not _twice(instead) and len(asked) == len(instead):
            changed = [pair for pair in zip(asked, instead, strict=True) if text(pair[0]) != text(pair[1])]
            return len(changed) == 1 and len({len([*parts(each)]) for each in changed[0]}) == 1
    return False


def mixes_alternatives(function: Function, index: int, new: Expression) -> bool:
    """Whether of two equalities one of which is to hold the first becomes its contrary.

    The second one is behind a call, so that it is a branch of its own.
    """
    code, unit = function.code, function.unit_of
    match code[index], new:
        case Branch(_, Binary("==", left, right), if_true), Binary("!=", same, other):
            if (left, right) != (same, other):
                return False
            behind = (step for step, at in zip(code[index + 1 :], unit[index + 1 :]) if at == unit[index])
            match next((step for step in behind if isinstance(step, Branch)), None):
                case Branch(_, Binary("=="), held) if held == if_true:
                    return True
    return False


def forestalls(code: Sequence[Instruction], branch: Branch, new: Expression) -> bool:
    """Whether the `else if` behind a branch never holds where `new` does not, as it may where that does not.

    `else if (a < b)` has a meaning behind `if (a > b)`, and none behind another `if (a < b)`.
    """
    at = branch.if_false
    while isinstance(code[at], Gap):
        at += 1
    match code[at], new:
        case Branch(_, Binary(operator, left, right)), Binary(_, one, other):
            if (text(left), text(right)) != (text(one), text(other)) or operator not in HOLDS:
                return False
            before = branch.condition
            return _leaves_none(new, operator) and not (
                isinstance(before, Binary)
                and (text(before.left), text(before.right)) == (text(left), text(right))
                and _leaves_none(before, operator)
            )
    return False


def _leaves_none(first: Binary, operator: str) -> bool:
    """Whether a comparison of the same sides never holds where the `first` one does not."""
    if first.operator not in HOLDS:
        return False
    possible = [sign for sign in (-1, 0, 1) if not HOLDS[first.operator](sign, 0)]
    return not any(HOLDS[operator](sign, 0) for sign in possible)


def _asked(condition: Expression) -> Iterator[list[Expression]]:
    """What the condition joins, of each of its parts that join something."""
    for part in parts(condition):
        if isinstance(part, Logical):
            yield [*_joined(part, part.operator)]


def _twice(asked: Sequence[Expression]) -> bool:
    return len({text(each) for each in asked}) < len(asked)


_Compared = tuple[str, str, int, bool]  # what is compared, how, with which number; whether it may be negative


def _joined(condition: Expression, operator: str) -> Iterator[Expression]:
    match condition:
        case Logical(joined, left, right) if joined == operator:
            yield from _joined(left, operator)
            yield from _joined(right, operator)
        case _:
            yield condition


def _compared(condition: Expression) -> _Compared | None:
    tested = null_test(condition)
    if tested is not None:
        place, way = tested
        return lvalue_text(place), way, 0, False
    match condition:
        case Binary(operator, left, Constant(value)) if operator in HOLDS:
            return text(without_casts(left)), operator, value, True
    return None


def _idle(operator: str, one: _Compared, two: _Compared) -> bool:
    (name, _, first, signed), (other, _, second, _) = one, two
    if name != other:
        return False
    near = {at for number in (first, second) for at in (number - 1, number, number + 1) if signed or at >= 0}
    table = [(_holds(one, at), _holds(two, at)) for at in near]
    joined = [(a or b) if operator == "||" else (a and b) for a, b in table]
    return len(set(joined)) == 1 or joined in ([a for a, _ in table], [b for _, b in table])


def _holds(compared: _Compared, number: int) -> bool:
    _, operator, value, _ = compared
    return HOLDS[operator](number, value)
