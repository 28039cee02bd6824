"""Fields that a node is given when it is made and keeps: of trees that are built from the leaves up.

`e->size = l->size + r->size + 1` stands where `e` is allocated, and nobody sets the size of another node.
Where such a number is wrong it was reckoned wrong; nobody changes that of a node that was made before.
"""

from __future__ import annotations

from wolverine.core.expressions import (
    AddressOf,
    Dereference,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
)
from wolverine.core.parts import parts, without_casts
from wolverine.core.program import Assign, Call, Function, Program
from wolverine.repair.source.forgotten import field_of_struct
from wolverine.repair.source.walk import expressions_of
from wolverine.semantics.allocation import MAKING

Field = tuple[str, str]  # a struct's tag and the name of one of its fields


def lasting(program: Program) -> frozenset[Field]:
    """The fields that are reckoned from the same ones of other nodes, and set in new nodes only."""
    set_later, reckoned = set[Field](), set[Field]()
    for function in program.functions.values():
        new = new_nodes(function)
        for step in function.code:
            named = [part for each in expressions_of(step) for part in parts(each)]
            fields = (field_of_struct(part.place) for part in named if isinstance(part, AddressOf))
            set_later.update(field for field in fields if field is not None)
            if not isinstance(step, Assign) or (field := field_of_struct(step.target)) is None:
                continue
            if not is_of(step.target, new):
                set_later.add(field)
            elif any(isinstance(part, Load) and field_of_struct(part.place) == field for part in named):
                reckoned.add(field)
    return frozenset(reckoned - set_later)


def new_nodes(function: Function) -> frozenset[VariableReference]:
    """The variables that lead to what the function has allocated itself, and to nothing else."""
    calls = [step for step in function.code if isinstance(step, Call)]
    given = {step.result for step in calls if step.function in MAKING}
    given.difference_update(step.result for step in calls if step.function not in MAKING)
    assigned: dict[VariableReference, list[Expression]] = {}
    for step in function.code:
        if isinstance(step, Assign) and isinstance(step.target, VariableReference):
            assigned.setdefault(step.target, []).append(without_casts(step.value))
    led = (
        target
        for target, values in assigned.items()
        if all(isinstance(value, Load) and value.place in given for value in values)
    )
    return frozenset(led).difference(function.parameters)


def is_of(place: LValue, variables: frozenset[VariableReference]) -> bool:
    """Whether that is a field of the node to which one of the variables leads."""
    match place:
        case Member(Dereference(Load(VariableReference() as name))):
            return name in variables
    return False
