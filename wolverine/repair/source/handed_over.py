"""What calls ask of what they are given, as whoever calls would ask it: `key[1] == 0` of `f(key + 1)`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wolverine.core.arguments import with_other
from wolverine.core.exchanging import named
from wolverine.core.expressions import (
    COMPARISONS,
    Binary,
    Constant,
    Expression,
    Load,
    VariableReference,
    text,
    variables,
)
from wolverine.core.parts import negated, parts
from wolverine.core.program import Assign, Call, Function, Instruction, Program
from wolverine.repair.source.retained import passed_to
from wolverine.repair.source.walk import expressions_of

_MOST = 12  # tests at one place


def handed_over(program: Program, function: Function, index: int) -> list[Expression]:
    """What the calls in front of an instruction compare with constants, and the opposites of these tests.

    They are of one parameter each, which keeps its value, and of an argument that has its value still.
    """
    found: dict[str, Expression] = {}
    for at, step in enumerate(function.code[:index]):
        if not (isinstance(step, Call) and step.function in program.functions):
            continue
        called, behind = program.functions[step.function], _set(function.code[at:index])
        given = dict(zip(called.parameters, step.arguments, strict=False))
        changed = _set(called.code)
        for test in _compared(called):
            match named(test):
                case [parameter] if parameter in given and parameter.name not in changed:
                    value = passed_to(function.code[:at], given[parameter])
                    names = variables(value)
                    if names.isdisjoint(behind) and not any(name.startswith("$") for name in names):
                        made = with_other(test, Load(parameter), value)
                        found |= {text(each): each for each in (made, negated(made))}
    return [*found.values()][:_MOST]


def _compared(called: Function) -> Iterator[Binary]:
    """What a function compares with constants."""
    for step in called.code:
        for whole in expressions_of(step):
            for part in parts(whole):
                match part:
                    case Binary(operator, _, Constant()) if operator in COMPARISONS:
                        yield part


def _set(code: Sequence[Instruction]) -> frozenset[str]:
    """The variables that are assigned to."""
    targets = (step.target for step in code if isinstance(step, Assign))
    return frozenset(each.name for each in targets if isinstance(each, VariableReference))
