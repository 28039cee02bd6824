"""What is left of a position behind a part that was passed over: `find(t->right, i - t->weight)`.

A function that has found a number to lie at or beyond what another one counts (`i < t->weight` is false)
lets a recursion go on with what is left of it; where it has asked for the very next one, too, with one less.
"""

from __future__ import annotations

from collections.abc import Iterator

from wolverine.core.expressions import Binary, Constant, Expression, Load, LValue
from wolverine.core.parts import parts, unconverted
from wolverine.core.program import Assign, Branch, Function
from wolverine.core.types import IntType
from wolverine.repair.source.called import argument_of

_ORDER = ("<", "<=", ">", ">=")


def counted_off(function: Function, index: int) -> Iterator[Expression]:
    """What the recursion may be given for a parameter that the instruction passes on to it as it is."""
    step = function.code[index]
    name, number = argument_of(function.code, index) or ("", 0)
    if name != function.name or not isinstance(step, Assign) or number >= len(function.parameters):
        return
    whole = function.parameters[number]
    if not isinstance(whole.type, IntType) or unconverted(step.value) != Load(whole):
        return
    compared = dict.fromkeys(_compared(function, whole))
    for operator, part in compared:
        if operator in _ORDER:
            rest = Binary("-", Load(whole), part, whole.type)
            yield rest
            if ("==", part) in compared or ("!=", part) in compared:
                yield Binary("-", rest, Constant(1, whole.type), whole.type)


def _compared(function: Function, whole: LValue) -> Iterator[tuple[str, Expression]]:
    """With what its conditions compare the number, and how; constants count nothing."""
    for step in function.code:
        for each in parts(step.condition) if isinstance(step, Branch) else ():
            match each:
                case Binary(operator, left, right) if Load(whole) in (left, right):
                    other = right if left == Load(whole) else left
                    if other.type == whole.type and any(isinstance(part, Load) for part in parts(other)):
                        yield operator, other
