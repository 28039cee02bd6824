"""Pointers that lead to one node from the beginning on: to the dummy head of a list, to both ends of a queue.

The program sets them once, to what it makes for them, and never asks whether they are null: they are not, and
what they lead to comes and goes with nothing else.
"""

from __future__ import annotations

from wolverine.core.expressions import AddressOf, Constant, Expression, Load, LValue, VariableReference
from wolverine.core.graph import MemoryGraph, Place, Pointer, VariableId
from wolverine.core.parts import null_tests, step_parts, without_casts
from wolverine.core.program import (
    MAIN,
    Assign,
    Branch,
    Call,
    Function,
    Jump,
    Program,
    is_result,
    successors,
)
from wolverine.core.types import IntType, PointerType
from wolverine.semantics.allocation import FRESH
from wolverine.semantics.sentinels import is_at

_Seen = frozenset[tuple[str, str]]  # variables by function and name


def founded(program: Program, place: Place, start: MemoryGraph) -> bool:
    """Whether a place that holds a pointer at the start holds the same one for good, wherever it is set.

    A local variable does not, and `main` may put any structure together by hand.
    """
    variable = isinstance(place.object, VariableId) and place.object.depth >= 0
    local = variable and isinstance(start.type_of(place.object), PointerType)
    if local or not isinstance(start.cells.get(place), Pointer):
        return False
    setting = [
        (function, index, step)
        for function in program.functions.values()
        for index, step in enumerate(function.code)
        if isinstance(step, Assign) and is_at(step.target, place, start)
    ]
    if len(setting) != 1 or any(_is_tested(each, place, start) for each in program.functions.values()):
        return False
    [(function, index, step)] = setting
    before = (part for each in function.code[:index] for part in step_parts(each))
    if function.name == MAIN or any(_reads(part, place, start) for part in before):
        return False
    if not _is_always_set(function, index):
        return False
    return _is_new(program, function, step.value, frozenset())


def _is_always_set(function: Function, index: int) -> bool:
    """Whether every way through the function comes to an instruction, but for those that return null."""
    for at, step in enumerate(function.code[:index]):
        if any(to > index for to in successors(step, at)):
            match function.code[at - 1 : at + 1]:
                case Assign(_, target, Constant(0)), Jump() if at and is_result(target):
                    continue
            return False
    return True


def _is_set_once(program: Program, function: Function, name: str, seen: _Seen) -> bool:
    """Whether a local variable is set once, to what is new."""
    if (function.name, name) in seen or name in {each.name for each in function.parameters}:
        return False
    own = [s.value for s in function.code if isinstance(s, Assign) and _is_variable(s.target, name)]
    return len(own) == 1 and _is_new(program, function, own[0], seen | {(function.name, name)})


def _is_new(program: Program, function: Function, value: Expression, seen: _Seen) -> bool:
    """Whether a value leads to what was made for it: by a call, or to a variable or field."""
    match without_casts(value):
        case AddressOf():
            return True
        case Load(VariableReference(name, _, level)) if level != "global":
            for step in function.code:
                if isinstance(step, Call) and step.result is not None and step.result.name == name:
                    return step.function in FRESH or _makes(program, step.function, seen)
            return _is_set_once(program, function, name, seen)
    return False


def _makes(program: Program, name: str, seen: _Seen) -> bool:
    """Whether a function returns what it has made, or null where it cannot."""
    function = program.functions.get(name)
    if function is None:
        return False
    given = [s.value for s in function.code if isinstance(s, Assign) and is_result(s.target)]
    made = [each for each in given if not isinstance(without_casts(each), Constant)]
    return bool(made) and all(_is_new(program, function, each, seen) for each in made)


def _is_variable(target: LValue, name: str) -> bool:
    return isinstance(target, VariableReference) and target.name == name and target.level != "global"


def _is_tested(function: Function, place: Place, start: MemoryGraph) -> bool:
    """Whether the function asks whether the place is null."""
    asked = (
        step.condition if isinstance(step, Branch) else step.value
        for step in function.code
        if isinstance(step, Branch) or (isinstance(step, Assign) and isinstance(step.value.type, IntType))
    )
    return any(is_at(each, place, start) for value in asked for each in null_tests(value))


def _reads(part: Expression, place: Place, start: MemoryGraph) -> bool:
    return isinstance(part, Load) and is_at(part.place, place, start)
