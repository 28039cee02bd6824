"""Numbers that are taken apart digit by digit: `n /= 10` goes with `n % 10`, `n >>= 1` with `n & 1`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wolverine.core.expressions import (
    Binary,
    Constant,
    Expression,
    Load,
    LValue,
    VariableReference,
)
from wolverine.core.parts import parts, step_parts, unconverted
from wolverine.core.patch import NewAssignment
from wolverine.core.program import Assign, Branch, Function, Instruction, successors
from wolverine.core.types import INT, IntType
from wolverine.repair.source.called import argument_of
from wolverine.repair.source.conversion import compound
from wolverine.repair.source.flow import loops_around

_Digit = tuple[LValue, str, Expression]  # of a place, and what takes it away: `/` and a base


def next_digits(function: Function, index: int) -> Iterator[NewAssignment]:
    """What goes on to the next digit of a number of which the loop around a gap takes the last one.

    It is one that the loop sets nowhere: every round would take the same digit.
    """
    loop = next(loops_around(function.code, index), None)
    if loop is None:
        return
    steps = [function.code[at] for at in loop]
    moved = {step.target for step in steps if isinstance(step, Assign)}
    for place, operator, base in dict.fromkeys(_digits(steps)):
        if place not in moved and not any(base == Load(each) for each in moved):
            value = compound(operator, place, base)
            if value is not None:
                yield NewAssignment(place, value)


def is_next_digit(function: Function, index: int, target: LValue, value: Expression) -> bool:
    """Whether that goes on to the next digit in the gap `index`, in a loop that goes by the number."""
    match unconverted(value):
        case Binary("/" | ">>"):
            made = NewAssignment(target, value)
            return made in next_digits(function, index) and _goes_by(function.code, index, target)
    return False


def passed_on(function: Function, index: int) -> Iterator[Expression]:
    """What is left for a recursion of a number of which the function takes the last digit.

    The instruction fills an argument of it with the whole number.
    """
    step = function.code[index]
    name, number = argument_of(function.code, index) or ("", 0)
    if name != function.name or not isinstance(step, Assign) or number >= len(function.parameters):
        return
    whole = function.parameters[number]
    if unconverted(step.value) == Load(whole):
        for place, operator, base in dict.fromkeys(_digits(function.code)):
            value = compound(operator, place, base) if place == whole else None
            if value is not None:
                yield value


def _digits(steps: Sequence[Instruction]) -> Iterator[_Digit]:
    """The last digits that are taken: by a remainder, or by a mask of ones."""
    for step in steps:
        for part in step_parts(step):
            match part:
                case Binary("%" | "&" as operator, left, right):
                    place, by = unconverted(left), unconverted(right)
                    if isinstance(place, Load) and isinstance(place.place.type, IntType):
                        digit = _taken(operator, by)
                        if digit is not None:
                            yield place.place, *digit


def _taken(operator: str, by: Expression) -> tuple[str, Expression] | None:
    """What takes away the digit that a remainder or a mask is."""
    match operator, by:
        case "%", Constant(number) if number > 1:
            return "/", by
        case "%", Load(VariableReference()):
            return "/", by
        case "&", Constant(int() as mask) if mask > 0 and not mask & (mask + 1):
            return ">>", Constant(mask.bit_length(), INT)
    return None


def _goes_by(code: Sequence[Instruction], index: int, target: LValue) -> bool:
    """Whether the loop around the gap is left by a test of the place."""
    loop = next(loops_around(code, index), range(0))
    return any(
        isinstance(step, Branch)
        and any(to not in loop for to in successors(step, at))
        and any(isinstance(part, Load) and part.place == target for part in parts(step.condition))
        for at, step in ((at, code[at]) for at in loop)
    )
