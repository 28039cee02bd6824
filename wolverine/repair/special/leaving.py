"""What is freed on one way out of a function, and forgotten on another: `free_all(first); return NULL;`."""

from __future__ import annotations

from collections.abc import Iterator

from wolverine.core.patch import NewCall, Patch
from wolverine.core.program import Assign, Call, Function, Gap, Jump, Program, is_result
from wolverine.repair.source.called import Called, as_written, new_call
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
