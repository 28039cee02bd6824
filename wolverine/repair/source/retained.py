"""What callers pass to a function and go on with, whatever comes back: `print(list)` behind `b = copy(list)`.

The result of other functions stands for what they were given: `list = reverse(list)`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wolverine.core.expressions import (
    Dereference,
    Element,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
    lvalue_text,
)
from wolverine.core.program import Assign, Call, Function, Instruction, Program
from wolverine.semantics.dataflow import possibly_read


def retained(program: Program, name: str) -> frozenset[int]:
    """The parameters of a function, by index, of which every caller goes on with what it passes.

    That is a variable that may be read later, or a field or element, which is not where the result is
    stored; or what the caller was given itself, by callers that go on with it.
    """
    return _retained(program, name, frozenset())


def _retained(program: Program, name: str, within: frozenset[str]) -> frozenset[int]:
    """That, asked `within` these functions."""
    return frozenset(at for at, found in _passed(program, name, within | {name}).items() if all(found))


def surrendered(program: Program, name: str) -> frozenset[int]:
    """The parameters that a function keeps for itself, by index: `insert(&list, new_node(7));`.

    It stores them elsewhere than in its variables, and no caller goes on with what it passes.
    """
    kept = {
        step.value.place.name
        for step in program.functions[name].code
        if isinstance(step, Assign)
        and not (isinstance(step.target, VariableReference) and step.target.level == "local")
        and isinstance(step.value, Load)
        and isinstance(step.value.place, VariableReference)
    }
    given = _passed(program, name, frozenset([name]))
    names = [parameter.name for parameter in program.functions[name].parameters]
    return frozenset(at for at, found in given.items() if not any(found) and names[at] in kept)


def stores_itself(program: Program, name: str, arguments: Sequence[Expression], target: LValue) -> bool:
    """Whether a function sets that field itself: `list->head = push(list, 7)` keeps nothing besides."""
    function = program.functions.get(name)
    match target:
        case Member(Dereference(holder), field) if function is not None:
            given = [p.name for p, a in zip(function.parameters, arguments, strict=True) if a == holder]
            for step in function.code:
                match step:
                    case Assign(_, Member(Dereference(Load(VariableReference(of))), same)) if same == field:
                        if of in given:
                            return True
    return False


def _passed(program: Program, name: str, within: frozenset[str]) -> dict[int, list[bool]]:
    """Of the arguments by index, whether callers go on with them, where that can be told."""
    counts: dict[int, list[bool]] = {}
    for caller in program.functions.values():
        for index, step in enumerate(caller.code):
            if isinstance(step, Call) and step.function == name:
                for at, held in enumerate(_held(program, caller, index, step, within)):
                    if held is not None:
                        counts.setdefault(at, []).append(held)
    return counts


def passed_to(before: Sequence[Instruction], argument: Expression) -> Expression:
    """What was assigned to the temporary that is passed, among the instructions before the call."""
    match argument:
        case Load(VariableReference() as temporary):
            for step in reversed(before):
                if isinstance(step, Assign) and step.target == temporary:
                    return step.value
    return argument


def _held(
    program: Program, caller: Function, index: int, call: Call, within: frozenset[str]
) -> Iterator[bool | None]:
    """Whether the caller goes on with each of the arguments; None where that cannot be told."""
    code, units = caller.code, caller.unit_of
    behind = next((i for i in range(index, len(code)) if units[i] != units[index]), len(code))
    stored = {
        lvalue_text(step.target)
        for step in code[index:behind]
        if isinstance(step, Assign) and _loads(step.value, call.result)
    }
    later: frozenset[str] | None = None
    for argument in call.arguments:
        match passed_to(code[:index], argument):
            case Load(VariableReference(variable, level="local") as place):
                if later is None:
                    later = possibly_read(caller, behind, program)
                kept = variable in later or _given_to_keep(program, caller, variable, within)
                yield kept and lvalue_text(place) not in stored
            case Load(VariableReference() | Member() | Element() | Dereference() as place):
                yield lvalue_text(place) not in stored
            case _:
                yield None


def _given_to_keep(program: Program, caller: Function, variable: str, within: frozenset[str]) -> bool:
    """Whether it is a parameter of the caller's that its callers go on with."""
    names = [parameter.name for parameter in caller.parameters]
    if variable not in names or caller.name in within:
        return False
    return names.index(variable) in _retained(program, caller.name, within)


def _loads(value: Expression, result: LValue | None) -> bool:
    return result is not None and isinstance(value, Load) and value.place == result
