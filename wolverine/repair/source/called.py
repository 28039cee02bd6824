"""Calls as the source writes them: the function, and its arguments as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wolverine.core.expressions import Expression, text
from wolverine.core.parts import without_casts
from wolverine.core.patch import NewCall
from wolverine.core.program import Call, Instruction, Program
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


def _words(arguments: Iterable[Expression]) -> tuple[str, ...]:
    return tuple(text(without_casts(each)) for each in arguments)
