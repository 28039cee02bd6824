"""What frees nodes, and what may free all that there are."""

from __future__ import annotations

from collections.abc import Collection

from wolverine.core.patch import NewCall, Patch, unguarded
from wolverine.core.program import Call, Program, reachable
from wolverine.repair.source.flow import loops_around
from wolverine.semantics.allocation import FREEING


def can_free(program: Program) -> bool:
    """Whether the program frees nodes anywhere."""
    return any(_calls(program, name, FREEING) for name in program.functions)


def may_free(program: Program, name: str) -> bool:
    """Whether a call of a function, the library's included, frees a node or may do so."""
    return calls(program, name, FREEING)


def calls(program: Program, name: str, wanted: Collection[str]) -> bool:
    """Whether it is one of these library functions, or it or one that it may call calls one of them."""
    return name in wanted or any(_calls(program, each, wanted) for each in reachable(program, (name,)))


def may_clear(program: Program, name: str) -> bool:
    """Whether a function, or what it calls, frees nodes in a loop or by recursion."""
    for each in reachable(program, (name,)):
        code = program.functions[each].code
        for index, step in enumerate(code):
            if not isinstance(step, Call) or not may_free(program, step.function):
                continue
            again = step.function in program.functions and each in reachable(program, (step.function,))
            if again or any(loops_around(code, index)):
                return True
    return False


def _calls(program: Program, name: str, wanted: Collection[str]) -> bool:
    return any(isinstance(step, Call) and step.function in wanted for step in program.functions[name].code)


def frees(program: Program, patch: Patch) -> bool:
    """Whether an edit calls what frees nodes."""
    called = (unguarded(edit.replacement) for edit in patch.edits)
    return any(isinstance(made, NewCall) and may_free(program, made.function) for made in called)
