"""Functions that end without `return` though their value is used (C11 6.9.1 paragraph 12)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wolverine.core.expressions import Load, VariableReference
from wolverine.core.program import RESULT_NAME, Assign, Call, Function, Gap, Program, Return, successors
from wolverine.core.types import is_scalar
from wolverine.semantics.activation import Activation
from wolverine.semantics.dataflow import possibly_read


@dataclass(frozen=True, slots=True)
class Valueless:
    """What is wrong, in words, and the call whose value is used, as (function, instruction)."""

    message: str
    call: tuple[str, int]


def valueless(program: Program, frame: Activation) -> Valueless | None:
    """Why an activation that returns nothing should have returned something; None where that is no matter."""
    caller, name = frame.caller, frame.linked.name
    function = program.functions[name]
    if caller is None or not is_scalar(function.result) or not runs_out(function):
        return None
    outer = program.functions[caller.linked.name]
    step = outer.code[frame.back - 1] if frame.back else None
    if not isinstance(step, Call) or step.function != name or step.result is None:
        return None
    if not _read_on(outer, frame.back, step.result.name, program):
        return None
    return Valueless(f"{name} ends without `return`, and its value is used", (outer.name, frame.back - 1))


def lacking_return(program: Program) -> Iterator[Function]:
    """The functions that can come to their end without `return` and whose value some call of them uses."""
    for name, function in sorted(program.functions.items()):
        if is_scalar(function.result) and runs_out(function) and _value_used(program, name):
            yield function


def _value_used(program: Program, name: str) -> bool:
    return any(
        isinstance(step, Call)
        and step.function == name
        and step.result is not None
        and _read_on(outer, index + 1, step.result.name, program)
        for outer in program.functions.values()
        for index, step in enumerate(outer.code)
    )


def _read_on(function: Function, index: int, name: str, program: Program) -> bool:
    """Whether what a variable holds may be read from an instruction on, not counting a copy for nothing."""
    step = function.code[index]
    match step:
        case Assign(_, VariableReference(copy, _, "local"), Load(VariableReference(source))) if (
            source == name
        ):
            return copy in possibly_read(function, index + 1, program)
    return name in possibly_read(function, index, program)


def runs_out(function: Function) -> bool:
    """Whether the closing brace of a function can be come to without a `return` before."""
    seen, work = {0}, [0]
    while work:
        index = work.pop()
        step = function.code[index]
        if index == function.end:
            return True
        match step:
            case Assign(_, VariableReference(name)) if name == RESULT_NAME:
                continue
        for behind in successors(step, index):
            if behind not in seen and behind < len(function.code):
                seen.add(behind)
                work.append(behind)
    return False


def ends_without(function: Function, index: int) -> bool:
    """Whether a gap is the last of a function that can come there without a `return`."""
    if not is_scalar(function.result) or not isinstance(function.code[index], Gap):
        return False
    return all(isinstance(step, Return) for step in function.code[index + 1 : function.end + 1]) and runs_out(
        function
    )
