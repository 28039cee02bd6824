"""Numbers of nodes that a program reckons with: `p->next->delay += p->delay` where it has `n -= p->delay`.

Only fields of which the program adds or subtracts somewhere what is no constant: others are keys and counts.
"""

from __future__ import annotations

from collections.abc import Iterator

from wolverine.core.expressions import (
    Binary,
    Constant,
    Dereference,
    Load,
    LValue,
    Member,
)
from wolverine.core.parts import parts
from wolverine.core.patch import NewAssignment
from wolverine.core.program import Program
from wolverine.core.types import PointerType, StructReference, is_number
from wolverine.repair.menus.vocabulary import MANY_PLACES, Scope, Vocabulary
from wolverine.repair.source.conversion import compound
from wolverine.repair.source.walk import expressions_of

Field = tuple[str, str]  # a struct's tag and the name of one of its fields


def reckoned(program: Program) -> frozenset[Field]:
    """The fields that some sum or difference of the program has, beside what is no constant."""
    return frozenset(
        field
        for function in program.functions.values()
        for step in function.code
        for expression in expressions_of(step)
        for part in parts(expression)
        if isinstance(part, Binary) and part.operator in "+-"
        if not isinstance(part.left, Constant) and not isinstance(part.right, Constant)
        for operand in (part.left, part.right)
        if isinstance(operand, Load) and (field := _field(operand.place)) is not None
    )


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
        if _field(field) in fields
    ]
    numbers = [v for v in scope if is_number(v.type)]
    for target in reached:
        alike: list[LValue] = [each for each in reached if _field(each) == _field(target) and each != target]
        for amount in (*alike, *(v for v in numbers if v.type == target.type)):
            for operator in "+-":
                value = compound(operator, target, Load(amount))
                if value is not None:
                    yield NewAssignment(target, value)


def _field(place: LValue) -> Field | None:
    match place:
        case Member(Dereference(_, StructReference(tag)), name) if is_number(place.type):
            return tag, name
    return None
