"""Recursion that never gets on: a function calls itself with just what it was given, and changes nothing.

`return 1 + length(l);` was to go on over the link of the node: the only one that there is, or that no other
call of the function by itself goes over.
"""

from __future__ import annotations

from collections.abc import Iterator

from wolverine.core.expressions import Dereference, Expression, Load, Member, VariableReference
from wolverine.core.parts import without_casts
from wolverine.core.patch import Edit, NewValue
from wolverine.core.program import Assign, Call, Function, Program, reachable
from wolverine.core.trace import Trace
from wolverine.core.types import PointerType, StructReference
from wolverine.repair.menus.calling import writes
from wolverine.repair.source.called import argument_of
from wolverine.repair.source.retained import passed_to


def going_down(program: Program, trace: Trace) -> Iterator[Edit]:
    """The edit by which the one such call in the recursion without an end goes on to the next node."""
    if trace.crash is None or not trace.endless or not trace.bare:
        return
    function = program.functions[trace.crash.position.function]
    if not function.parameters or writes(program, reachable(program, {function.name})):
        return
    if any(isinstance(step, Assign) and step.target in function.parameters for step in function.code):
        return
    calls = [at for at, s in enumerate(function.code) if isinstance(s, Call) and s.function == function.name]
    passed = {at: _passed(function, at) for at in calls}
    given: list[Expression] = [Load(each) for each in function.parameters]
    unvaried = [at for at in calls if passed[at] == given]
    if len(unvaried) != 1:
        return
    others = [each for at in calls if at not in unvaried for each in passed[at]]
    steps = [
        (number, link)
        for number, parameter in enumerate(function.parameters)
        for link in _links(program, parameter)
        if Load(link) not in others
    ]
    if len(steps) == 1:
        [(number, link)] = steps
        filled = (function.name, number)
        at = next((i for i in reversed(range(unvaried[0])) if argument_of(function.code, i) == filled), None)
        if at is not None and (location := function.code[at].location) >= 0:
            yield Edit(location, NewValue(Load(link)))


def _passed(function: Function, at: int) -> list[Expression]:
    """What the call at an instruction passes."""
    call = function.code[at]
    assert isinstance(call, Call)
    return [without_casts(passed_to(function.code[:at], each)) for each in call.arguments]


def _links(program: Program, parameter: VariableReference) -> Iterator[Member]:
    """The fields by which the struct that a parameter leads to is linked to others of its kind."""
    match parameter.type:
        case PointerType(StructReference(tag) as struct) if tag in program.types.structs:
            for field in program.types.structs[tag].fields:
                if field.type == parameter.type:
                    yield Member(Dereference(Load(parameter), struct), field.name, field.offset, field.type)
