"""What frees nodes, and what may free all that there are."""

from __future__ import annotations

from wolverine.core.program import Call, Program, reachable
from wolverine.repair.source.flow import loops_around
from wolverine.semantics.allocation import FREEING


def can_free(program: Program) -> bool:
    """Whether the program frees nodes anywhere."""
    return any(_frees(program, name) for name in program.functions)


def may_clear(program: Program, name: str) -> bool:
    """Whether a function, or what it calls, frees nodes in a loop or by recursion."""
    within = {each: reachable(program, (each,)) for each in reachable(program, (name,))}
    freeing = {each for each in within if _frees(program, each)}
    for each in within:
        code = program.functions[each].code
        for index, step in enumerate(code):
            if not isinstance(step, Call):
                continue
            called = within.get(step.function, ())
            frees = step.function in FREEING or not freeing.isdisjoint(called)
            if frees and (each in called or any(loops_around(code, index))):
                return True
    return False


def _frees(program: Program, name: str) -> bool:
    return any(isinstance(step, Call) and step.function in FREEING for step in program.functions[name].code)
