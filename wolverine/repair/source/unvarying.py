"""Calls from within a function itself that are given numbers alone: `height(0)`.

Who lets a function call itself passes something that it was given, or has found there.  With numbers alone it
does the same each time: where it ends at once for them, the call might as well be left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wolverine.core.expressions import Expression, Load, LValue
from wolverine.core.parts import parts
from wolverine.core.program import Assign, Call, Function
from wolverine.repair.source.called import argument_of
from wolverine.repair.source.retained import passed_to


def passes_numbers_alone(function: Function, index: int, value: Expression) -> bool:
    """Whether the function calls itself with numbers alone once the instruction passes that value."""
    argument = argument_of(function.code, index)
    if argument is None or argument[0] != function.name or not _is_fixed(value):
        return False
    _, passed = next(_calls_behind(function, index))
    return not all(map(_is_fixed, passed)) and all(
        number == argument[1] or _is_fixed(each) for number, each in enumerate(passed)
    )


def leaves_numbers_alone(function: Function, index: int, target: LValue, value: Expression) -> bool:
    """Whether it does so further down once the target is set to that value in front of the instruction."""
    if not _is_fixed(value):
        return False
    for at, passed in _calls_behind(function, index):
        if any(isinstance(step, Assign) and step.target == target for step in function.code[index:at]):
            return False
        if not all(map(_is_fixed, passed)) and all(_is_fixed(each, target) for each in passed):
            return True
    return False


def _calls_behind(function: Function, index: int) -> Iterator[tuple[int, Sequence[Expression]]]:
    """The function's calls of itself behind an instruction, with what they pass."""
    for at, step in enumerate(function.code[index:], index):
        if isinstance(step, Call) and step.function == function.name and step.arguments:
            yield at, [passed_to(function.code[:at], each) for each in step.arguments]


def _is_fixed(value: Expression, known: LValue | None = None) -> bool:
    """Whether an expression reads nothing, or nothing but what is known."""
    return all(part.place == known for part in parts(value) if isinstance(part, Load))
