"""Calls as the source writes them: the function, and its arguments as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wolverine.core.expressions import Constant, Expression, Load, text
from wolverine.core.parts import without_casts
from wolverine.core.patch import NewCall
from wolverine.core.program import Assign, Call, Instruction, Program
from wolverine.core.types import PointerType
from wolverine.repair.source.retained import passed_to

Called = tuple[str, tuple[str, ...]]


def as_written(code: Sequence[Instruction], at: int, step: Call) -> Called:
    """The call that is the instruction `at` of the code."""
    return step.function, _words(passed_to(code[:at], each) for each in step.arguments)


def new_call(made: NewCall) -> Called:
    """The call that an edit makes."""
    return made.function, _words(made.arguments)


def calls_made(program: Program) -> frozenset[Called]:
    """All calls of a program."""
    return frozenset(
        as_written(function.code, at, step)
        for function in program.functions.values()
        for at, step in enumerate(function.code)
        if isinstance(step, Call)
    )


def nulls_passed(program: Program) -> frozenset[tuple[str, int]]:
    """The functions, with the number of an argument, to which some call passes the null pointer for that."""
    return frozenset(
        argument
        for function in program.functions.values()
        for at, step in enumerate(function.code)
        if isinstance(step, Assign) and isinstance(step.target.type, PointerType)
        if isinstance(without_casts(step.value), Constant)
        if (argument := argument_of(function.code, at)) is not None
    )


def argument_of(code: Sequence[Instruction], index: int) -> tuple[str, int] | None:
    """The function, and the number of the argument, for which an instruction fills a temporary."""
    step = code[index]
    if not isinstance(step, Assign):
        return None
    passed = Load(step.target)
    for each in code[index + 1 :]:
        if isinstance(each, Call) and passed in each.arguments:
            return each.function, each.arguments.index(passed)
        if isinstance(each, Assign) and each.target == step.target:
            return None
    return None


def _words(arguments: Iterable[Expression]) -> tuple[str, ...]:
    return tuple(text(without_casts(each)) for each in arguments)
