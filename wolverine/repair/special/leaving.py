"""What is freed on one way out of a function, and forgotten on another: `free_all(first); return NULL;`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wolverine.core.expressions import Expression, Load, VariableReference, text
from wolverine.core.parts import without_casts
from wolverine.core.patch import NewCall, Patch
from wolverine.core.program import Assign, Call, Function, Gap, Jump, Program, is_result

_Called = tuple[str, tuple[str, ...]]  # a function and its arguments


def frees_as_elsewhere(program: Program, patch: Patch) -> bool:
    """Whether the patch puts a call before a `return` that stands before another one in the function."""
    if len(patch.edits) != 1:
        return False
    [edit] = patch.edits
    made, location = edit.replacement, program.location(edit.location)
    if not isinstance(made, NewCall) or made.target is not None or location.kind != "gap":
        return False
    function = program.functions[location.function]
    gap = next(i for i, step in enumerate(function.code) if step.location == location.id)
    wanted = made.function, _words(made.arguments)
    return _leaves(function, gap) and wanted in set(_called_last(function))


def _called_last(function: Function) -> Iterator[_Called]:
    """What is called in statements right before a `return`."""
    passed: dict[str, Expression] = {}
    for index, step in enumerate(function.code):
        match step:
            case Assign(_, VariableReference(name), value) if name.startswith("$"):
                passed[name] = value
            case Call(_, name, arguments, None) if _leaves(function, index):
                yield name, _words([_given(each, passed) for each in arguments])


def _given(argument: Expression, passed: dict[str, Expression]) -> Expression:
    match argument:
        case Load(VariableReference(name)):
            return passed.get(name, argument)
    return argument


def _words(arguments: Sequence[Expression]) -> tuple[str, ...]:
    return tuple(text(without_casts(each)) for each in arguments)


def _leaves(function: Function, index: int) -> bool:
    """Whether nothing comes behind an instruction but a `return`."""
    code = function.code
    behind = index + 1
    while isinstance(code[behind], Gap) or (isinstance(a := code[behind], Assign) and is_result(a.target)):
        behind += 1
    step = code[behind]
    return isinstance(step, Jump) and step.target == function.end
