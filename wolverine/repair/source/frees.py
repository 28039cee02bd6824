"""What frees nodes, and what may free all that there are."""

from __future__ import annotations

from wolverine.core.program import Call, Program, reachable
from wolverine.repair.source.flow import loops_around
from wolverine.semantics.allocation import FREEING


def can_free(program: Program) -> bool:
    """Whether the program frees nodes anywhere."""
    return any(_frees(program, name) for name in program.functions)


def may_free(program: Program, name: str) -> bool:
    """Whether a call of a function, the library's included, frees a node or may do so."""
    if name not in program.functions:
        return name in FREEING
    return any(_frees(program, each) for each in reachable(program, (name,)))


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


def _frees(program: Program, name: str) -> bool:
    return any(isinstance(step, Call) and step.function in FREEING for step in program.functions[name].code)
