"""Whether a pointer is null because the program was started with too few arguments."""

from __future__ import annotations

from collections.abc import Iterator

from wolverine.core.expressions import (
    Binary,
    Cast,
    Constant,
    Dereference,
    Expression,
    Load,
    VariableReference,
)
from wolverine.core.graph import Place, VariableId
from wolverine.core.program import Assign, Call, Function, Program
from wolverine.session.moments import Moment
from wolverine.session.positions import UNMAPPED


def missing_argument(program: Program, moment: Moment, pointer: Expression) -> str:
    """Which argument a null pointer of the statement at hand would be, in words; "" where it is none."""
    for number, (function, instruction) in enumerate(moment.stack):
        if instruction == UNMAPPED:
            return ""
        inside = program.functions[function]
        pointer = _source(inside, pointer)
        index = _argument(inside, pointer)
        if index is not None:
            return _words(inside, moment, number, index)
        passed = _passed(program, moment, number, pointer)
        if passed is None:
            return ""
        pointer = passed
    return ""


def _source(function: Function, pointer: Expression) -> Expression:
    """What a variable was set to, where one statement alone sets it."""
    seen = set[str]()
    while True:
        while isinstance(pointer, Cast):
            pointer = pointer.operand
        match pointer:
            case Load(VariableReference(name, level="local") as variable) if name not in seen:
                seen.add(name)
                values = [each.value for each in _setting(function, variable)]
                if len(values) != 1:
                    return pointer
                pointer = values[0]
            case _:
                return pointer


def _setting(function: Function, variable: VariableReference) -> Iterator[Assign]:
    return (step for step in function.code if isinstance(step, Assign) and step.target == variable)


def _argument(function: Function, pointer: Expression) -> int | None:
    """Which element of `main`'s second parameter an expression is."""
    if function.name != "main" or len(function.parameters) < 2:
        return None
    match pointer:
        case Load(Dereference(Binary("+", Load(VariableReference(name)), Constant(int() as index)))) if (
            name == function.parameters[1].name
        ):
            return index
    return None


def _passed(program: Program, moment: Moment, number: int, pointer: Expression) -> Expression | None:
    """What the caller of a frame has passed, where the pointer is a parameter of it."""
    function, _ = moment.stack[number]
    names = [each.name for each in program.functions[function].parameters]
    if number + 1 >= len(moment.stack) or moment.stack[number + 1][1] == UNMAPPED:
        return None
    match pointer:
        case Load(VariableReference(name, level="local")) if name in names:
            caller, behind = moment.stack[number + 1]
            code = program.functions[caller].code
            for step in reversed(code[: behind + 1]):
                if isinstance(step, Call) and step.function == function:
                    return step.arguments[names.index(name)]
    return None


def _words(main: Function, moment: Moment, number: int, index: int) -> str:
    depth = moment.graph.frames[number].depth
    count = moment.graph.cells.get(Place(VariableId(depth, "main", main.parameters[0].name), 0))
    if not isinstance(count, int) or index < count:
        return ""
    given = {0: "no arguments", 1: "one argument"}.get(count - 1, f"{count - 1} arguments")
    name = f"{main.parameters[1].name}[{index}]"
    return f"{name} is not there, as the program was given {given} (`run ARGUMENTS` gives it others)"
