"""What is freed on one way out of a function, and forgotten on another: `free_all(first); return NULL;`."""

from __future__ import annotations

from collections.abc import Iterator

from wolverine.core.expressions import Load, VariableReference
from wolverine.core.patch import Edit, NewCall, Patch
from wolverine.core.program import Assign, Call, Function, Gap, Jump, Program, is_result
from wolverine.repair.source.called import Called, as_written, new_call
from wolverine.repair.source.frees import may_free
from wolverine.repair.source.given_back import variables_returned
from wolverine.semantics.replacing import slot_at


def frees_as_elsewhere(program: Program, patch: Patch) -> bool:
    """Whether the patch puts a call before a `return` that stands before another one in the function."""
    if len(patch.edits) != 1:
        return False
    [edit] = patch.edits
    made, location = edit.replacement, program.location(edit.location)
    if not isinstance(made, NewCall) or made.target is not None or location.kind != "gap":
        return False
    function = program.functions[location.function]
    return _leaves(function, slot_at(function, location.id)) and new_call(made) in set(_called_last(function))


def frees_what_is_given_back(program: Program, patch: Patch) -> bool:
    """Whether it only frees, before a `return` of something else, what another `return` gives back.

    Who gives up half-way drops what it has made so far: that is no part of a structure which was to stay.
    """
    match patch.edits:
        case (Edit(location, NewCall(called, (Load(VariableReference() as freed),), None)),):
            where = program.location(location)
            function = program.functions[where.function]
            at = slot_at(function, location)
            given_back = {variable for _, variable in variables_returned(function)}
            if where.kind != "gap" or freed not in given_back or not may_free(program, called):
                return False
            return _leaves(function, at) and not _gives(function, at, freed)
    return False


def _gives(function: Function, index: int, variable: VariableReference) -> bool:
    """Whether the `return` that comes behind an instruction gives the variable's value back."""
    step = next(step for step in function.code[index + 1 :] if not isinstance(step, Gap))
    return isinstance(step, Assign) and step.value == Load(variable)


def _called_last(function: Function) -> Iterator[Called]:
    """What is called in statements right before a `return`."""
    code = function.code
    for index, step in enumerate(code):
        if isinstance(step, Call) and step.result is None and _leaves(function, index):
            yield as_written(code, index, step)


def _leaves(function: Function, index: int) -> bool:
    """Whether nothing comes behind an instruction but a `return`."""
    code = function.code
    behind = index + 1
    while isinstance(code[behind], Gap) or (isinstance(a := code[behind], Assign) and is_result(a.target)):
        behind += 1
    step = code[behind]
    return isinstance(step, Jump) and step.target == function.end
