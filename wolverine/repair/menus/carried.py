"""What a loop carries on to the next round and never reads: `carry` is forgotten in `v = p->digit * d`."""

from __future__ import annotations

from collections.abc import Iterator

from wolverine.core.expressions import Binary, Constant, Expression, Load, LValue, VariableReference
from wolverine.core.parts import parts, step_parts
from wolverine.core.program import Assign, Function
from wolverine.core.types import is_number
from wolverine.repair.source.flow import loops_around


def with_carried(function: Function, index: int, target: LValue, value: Expression) -> Iterator[Binary]:
    """The value, plus a local variable that the loop around makes of the target and does not read.

    It has a value in the first round: it is set in front of the loop, too.
    """
    loop = next(loops_around(function.code, index), None)
    if loop is None or isinstance(value, Constant) or not is_number(value.type):
        return
    steps = [function.code[at] for at in loop]
    read = {part.place for step in steps for part in step_parts(step) if isinstance(part, Load)}
    begun = {step.target for step in function.code[: loop.start] if isinstance(step, Assign)}
    made = dict.fromkeys(
        step.target for step in steps if isinstance(step, Assign) and Load(target) in parts(step.value)
    )
    for place in made:
        if not isinstance(place, VariableReference) or place.level != "local" or place.type != value.type:
            continue
        if place in begun and place not in read:
            yield Binary("+", value, Load(place), value.type)
