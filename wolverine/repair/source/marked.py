"""Marks that a recursion sets in the nodes to which it comes, and that nothing reads.

`visited = 1` is set so that the next call for the node ends at once: that it asks for it is what is missing.
So it is with the number of a walk, which a global has: `s->lastlist = listid`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from wolverine.core.expressions import (
    Binary,
    Constant,
    Dereference,
    Expression,
    Load,
    Logical,
    Member,
    VariableReference,
    text,
)
from wolverine.core.parts import against_zero, step_parts
from wolverine.core.program import Assign, Branch, Call, Function, Program, reachable
from wolverine.core.types import INT, IntType
from wolverine.repair.source.forgotten import field_of_struct


def marked(program: Program, function: Function) -> tuple[Expression, ...]:
    """What such a function may ask: whether the node has been marked, or is none or has been marked."""
    found: dict[Expression, None] = {}
    for mark, field, parameter in _marks(function):
        if _recursive(program, function) and not _read(program, field):
            none = against_zero("==", parameter)
            found |= dict.fromkeys((mark, Logical("||", none, mark)))
    return tuple(found)


def or_marked(condition: Expression, marks: Collection[Expression]) -> Iterator[Expression]:
    """The condition whether there is no node, asking besides whether it has been marked."""
    for mark in marks:
        match mark:
            case Logical("||", none) if text(none) == text(condition):
                yield mark


def asked_in_vain(program: Program, names: Collection[str]) -> bool:
    """Whether one of these functions asks for a mark that nothing in the program ever sets, but to 0."""
    given = {
        field_of_struct(step.target)
        for function in program.functions.values()
        for step in function.code
        if isinstance(step, Assign) and not (isinstance(step.value, Constant) and not step.value.value)
    }
    tests = (s for each in names for s in program.functions[each].code if isinstance(s, Branch))
    places = (part.place for test in tests for part in step_parts(test) if isinstance(part, Load))
    return any(
        isinstance(each, Member) and isinstance(each.type, IntType) and field_of_struct(each) not in given
        for each in places
    )


def _marks(function: Function) -> Iterator[tuple[Expression, Member, VariableReference]]:
    """The marks in the nodes that a function is given, each with its field and the parameter.

    Those are numbers that it sets to a constant other than 0, or to a global that it leaves as it is.
    """
    own = {step.target for step in function.code if isinstance(step, Assign)}
    for step in function.code:
        match step:
            case Assign(
                _,
                Member(Dereference(Load(VariableReference() as parameter)), type=IntType()) as field,
                Constant(value),
            ):
                if value and parameter in function.parameters:
                    yield Load(field), field, parameter
            case Assign(
                _,
                Member(Dereference(Load(VariableReference() as parameter)), type=IntType()) as field,
                Load(VariableReference(level="global") as number),
            ):
                if parameter in function.parameters and number not in own:
                    yield Binary("==", Load(field), Load(number), INT), field, parameter


def _recursive(program: Program, function: Function) -> bool:
    called = {step.function for step in function.code if isinstance(step, Call)}
    return function.name in reachable(program, called & program.functions.keys())


def _read(program: Program, field: Member) -> bool:
    """Whether the program reads a field anywhere."""
    name = field_of_struct(field)
    return any(
        isinstance(part, Load) and field_of_struct(part.place) == name
        for function in program.functions.values()
        for step in function.code
        for part in step_parts(step)
    )
