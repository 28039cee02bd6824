"""Numbers of nodes that a program reckons with: `p->next->delay += p->delay` where it has `n -= p->delay`.

Only fields of which the program adds or subtracts somewhere what is no constant: others are keys and counts.
What a new node gets in such a field may be reckoned from that of another one: where a stretch is divided,
the second half begins at `p->start + offset` rather than at `offset`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wolverine.core.expressions import (
    Binary,
    Cast,
    Constant,
    Dereference,
    Expression,
    Load,
    LValue,
    Member,
)
from wolverine.core.parts import parts, without_casts
from wolverine.core.patch import NewAssignment
from wolverine.core.program import Assign, Instruction, Program
from wolverine.core.types import IntType, PointerType, StructReference, is_number, promoted
from wolverine.repair.menus.vocabulary import MANY_PLACES, Scope, Vocabulary
from wolverine.repair.source.called import argument_of
from wolverine.repair.source.conversion import compound
from wolverine.repair.source.walk import expressions_of

Field = tuple[str, str]  # a struct's tag and the name of one of its fields


def reckoned(program: Program, *, converted: bool = False) -> frozenset[Field]:
    """The fields that some sum or difference of the program has, beside what is no constant.

    Where they are `converted`, they count as well: `text + p->start`.
    """
    return frozenset(
        field
        for function in program.functions.values()
        for step in function.code
        for expression in expressions_of(step)
        for part in parts(expression)
        if isinstance(part, Binary) and part.operator in "+-"
        if not isinstance(part.left, Constant) and not isinstance(part.right, Constant)
        for each in (part.left, part.right)
        for operand in (without_casts(each) if converted else _promoted(each),)
        if isinstance(operand, Load) and (field := field_of(operand.place)) is not None
    )


def _promoted(value: Expression) -> Expression:
    """The number that C reckons with as one of a wider type: a field of `uint16_t` as an `int`."""
    match value:
        case Cast(operand, ctype, "") if (
            isinstance(operand.type, IntType) and promoted(operand.type) == ctype
        ):
            return operand
    return value


def sums(vocabulary: Vocabulary, scope: Scope, fields: frozenset[Field]) -> Iterator[NewAssignment]:
    """One of these fields, plus or minus the same one of another node, or a variable."""
    places = vocabulary.places(scope)
    if not fields or len(places) > MANY_PLACES:
        return
    reached = [
        field
        for place in places
        if isinstance(place.type, PointerType)
        for field in vocabulary.fields(Load(place))
        if field_of(field) in fields
    ]
    numbers = [v for v in scope if is_number(v.type)]
    for target in reached:
        alike: list[LValue] = [
            each for each in reached if field_of(each) == field_of(target) and each != target
        ]
        for amount in (*alike, *(v for v in numbers if v.type == target.type)):
            for operator in "+-":
                value = compound(operator, target, Load(amount))
                if value is not None:
                    yield NewAssignment(target, value)


def from_others(
    vocabulary: Vocabulary, scope: Scope, field: Field | None, value: Expression
) -> Iterator[Expression]:
    """What this field of a node is plus a value, with which such a field is set."""
    if field is None or isinstance(value, Constant):
        return
    if any(isinstance(part, Load) and field_of(part.place) == field for part in parts(value)):
        return
    for variable in scope:
        if variable.type == PointerType(StructReference(field[0])):
            for other in vocabulary.fields(Load(variable)):
                if field_of(other) == field and other.type == value.type:
                    yield Binary("+", Load(other), value, value.type)


def passed_for(program: Program, code: Sequence[Instruction], index: int) -> Field | None:
    """The field in which a function of the program stores what the instruction passes to it, if it is one."""
    name, number = argument_of(code, index) or ("", 0)
    if name not in program.functions or number >= len(program.functions[name].parameters):
        return None
    called = program.functions[name]
    fields = {
        field_of(step.target)
        for step in called.code
        if isinstance(step, Assign) and without_casts(step.value) == Load(called.parameters[number])
    }
    return fields.pop() if len(fields) == 1 else None


def field_of(place: LValue) -> Field | None:
    """The field of a node that the place is, if that is a number."""
    match place:
        case Member(Dereference(_, StructReference(tag)), name) if is_number(place.type):
            return tag, name
    return None
