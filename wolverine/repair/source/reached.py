"""Searches that go by comparisons and never ask whether they have come to what they look for.

`while (x) x = key < x->key ? x->left : x->right;` comes to an end below every node.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from wolverine.core.expressions import ORDERS, Binary, Expression, Load, Logical, VariableReference
from wolverine.core.parts import step_parts, unconverted
from wolverine.core.program import Function
from wolverine.repair.source.flow import loops_around

_Compared = frozenset[Expression]  # the two sides


def or_found(function: Function, index: int, condition: Expression) -> Iterator[Logical]:
    """The condition of a loop with such a question besides, where the function does not ask it yet."""
    loop = next(loops_around(function.code, index), range(0))
    for at in (at for at in loop if at != index):
        for part in step_parts(function.code[at]):
            if isinstance(part, Binary) and part.operator in ORDERS:
                made = Logical("&&", condition, replace(part, operator="!="))
                if asks_whether_found(function, index, condition, made):
                    yield made


def asks_whether_found(function: Function, index: int, condition: Expression, new: Expression) -> bool:
    """Whether a loop's condition asks besides for what its rounds compare with what the function was given.

    Nothing in the function asks yet whether these are equal, nor does the condition compare them itself.
    """
    match new:
        case Logical("&&", left, Binary("!=") as asked) if left == condition:
            wanted = _compared(asked)
        case _:
            return False
    if not any(_is_given(function, each) for each in wanted):
        return False
    loop = next(loops_around(function.code, index), range(0))
    known = [
        (at, part)
        for at, step in enumerate(function.code)
        for part in step_parts(step)
        if isinstance(part, Binary) and _compared(part) == wanted
    ]
    ordered = any(at in loop and at != index and part.operator in ORDERS for at, part in known)
    return ordered and not any(part.operator in ("==", "!=") for _, part in known)


def _compared(comparison: Binary) -> _Compared:
    return frozenset((unconverted(comparison.left), unconverted(comparison.right)))


def _is_given(function: Function, value: Expression) -> bool:
    """Whether a value is a parameter."""
    match value:
        case Load(VariableReference() as variable):
            return variable in function.parameters
    return False
