"""Parameters that lead to what a program has looked for in a structure: to any of its nodes.

An execution shows them at one node, at the end of a list, say. Only callers tell that this is no rule.
"""

from __future__ import annotations

from collections.abc import Iterator

from wolverine.core.expressions import Expression, Load, VariableReference
from wolverine.core.parts import without_casts
from wolverine.core.program import RESULT_NAME, Assign, Call, Function, Program
from wolverine.semantics.walked import sent_on

_Parameter = tuple[str, int]  # function, position
_Seen = set[tuple[str, int | str]]  # parameters by their position, other variables by name


def sought(program: Program, function: str, name: str) -> bool:
    """Whether some caller passes a node that it, or a function that it calls, has walked to."""
    code = program.functions.get(function)
    names = [parameter.name for parameter in code.parameters] if code is not None else []
    return name in names and _sought(program, (function, names.index(name)), set())


def _sought(program: Program, parameter: _Parameter, seen: _Seen) -> bool:
    if parameter in seen:
        return False
    seen.add(parameter)
    function, at = parameter
    return any(
        _is_found(program, caller, without_casts(step.arguments[at]), seen)
        for caller in program.functions.values()
        for step in caller.code
        if isinstance(step, Call) and step.function == function and at < len(step.arguments)
    )


def _is_found(program: Program, function: Function, value: Expression, seen: _Seen) -> bool:
    """Whether a value is that of a variable with which the function walks, or what a search has returned."""
    match value:
        case Load(VariableReference(name, _, "local")):
            pass
        case _:
            return False
    if (function.name, name) in seen:  # variables may change places
        return False
    seen.add((function.name, name))
    names = [parameter.name for parameter in function.parameters]
    if sent_on(function, name):
        return True
    if name in names and _sought(program, (function.name, names.index(name)), seen):
        return True
    for each in _sources(function, name):
        if isinstance(each, Call):
            called = program.functions.get(each.function)
            if called is not None and _searches(called):
                return True
        elif each != value and _is_found(program, function, each, seen):
            return True
    return False


def _sources(function: Function, name: str) -> Iterator[Call | Expression]:
    """The calls whose result, and the values of the variables that, a variable is given."""
    for step in function.code:
        match step:
            case Call(_, _, _, VariableReference(to)) if to == name:
                yield step
            case Assign(_, VariableReference(to), value) if to == name:
                copied = without_casts(value)
                if isinstance(copied, Load) and copied.place != step.target:
                    yield copied


def _searches(function: Function) -> bool:
    """Whether a function returns a variable that it sends on, or what it has itself returned further on."""
    names = {RESULT_NAME}
    work = [RESULT_NAME]
    while work:
        name = work.pop()
        if sent_on(function, name):
            return True
        for each in _sources(function, name):
            match each:
                case Call(_, called) if called == function.name:
                    return True
                case Load(VariableReference(copied, _, "local")) if copied not in names:
                    names.add(copied)
                    work.append(copied)
    return False
