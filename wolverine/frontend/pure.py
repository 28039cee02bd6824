"""Functions that only work something out: a call of which nobody reads the value may as well not be there."""

from __future__ import annotations

from wolverine.core.expressions import VariableReference
from wolverine.core.program import Assign, Call, Concrete, Function, Library, Program, reachable
from wolverine.semantics.library import LOOKING


def pure(program: Program) -> frozenset[str]:
    """The program's functions that write to nothing but their variables, and call none that do more."""
    return frozenset(
        name
        for name in program.functions
        if all(_looks(program, program.functions[each]) for each in reachable(program, (name,)))
    )


def _looks(program: Program, function: Function) -> bool:
    if function.unsupported:
        return False
    for number, step in enumerate(function.code):
        match step:
            case Assign(_, VariableReference(level=level)) if level != "global":
                pass
            case Library(_, called) | Call(_, called) if called in LOOKING or called in program.functions:
                pass
            case Concrete() if number and isinstance(function.code[number - 1], Library):
                pass  # the same call
            case Assign() | Library() | Call() | Concrete():
                return False
    return True
