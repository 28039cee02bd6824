"""The characters by which a program is told what to do: `if (choice == 'n')`, `case 'q':`."""

from __future__ import annotations

from wolverine.core.expressions import Binary, Constant, Expression
from wolverine.core.graph import VariableId
from wolverine.core.parts import parts
from wolverine.core.program import Program, reachable
from wolverine.core.trace import Effect, Trace
from wolverine.core.types import IntType
from wolverine.repair.source.walk import expressions_of


def keys(program: Program, trace: Trace, function: str) -> str:
    """With which characters a function, and those that it calls, compare something, each once.

    Those come first that the execution read into a variable there, the last one first of all.
    """
    names = reachable(program, {function})
    compared = {
        key: None
        for name in sorted(names, key=lambda each: (each != function, each))
        for step in program.functions[name].code
        for expression in expressions_of(step)
        for part in parts(expression)
        for key in _compared(part)
    }
    typed = [
        chr(value)
        for event in reversed(trace.events)
        if isinstance(event, Effect) and event.position.function in names
        for place, value in event.cells.items()
        if isinstance(value, int)
        and 0 < value < 128
        and isinstance(place.object, VariableId)
        and _is_number(program, place.object)
    ]
    return "".join(dict.fromkeys((*(key for key in typed if key in compared), *compared)))


def _compared(expression: Expression) -> list[str]:
    """The letters and the like with which an expression compares."""
    match expression:
        case Binary("==" | "!=", left, right):
            sides = (each for each in (left, right) if isinstance(each, Constant) and each.text[:1] == "'")
            return [key for each in sides if 0 < each.value < 128 and (key := chr(each.value)).isalnum()]
    return []


def _is_number(program: Program, variable: VariableId) -> bool:
    """Whether it is a variable for one number or character."""
    function = program.functions.get(variable.function)
    known = (*function.locals, *function.parameters, *program.globals) if function else program.globals
    return any(each.name == variable.name and isinstance(each.type, IntType) for each in known)
