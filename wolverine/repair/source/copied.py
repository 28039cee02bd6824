"""Comparisons that were copied: `p->down->column < column`, where columns are on the way along `right`.

Both sides of what is copied stay as they were, where both were to change: along the other link nodes are
ordered by another field, which goes with another variable (Li et al., "CP-Miner", OSDI 2004).  Which one that
is the function says where it compares the field elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from wolverine.core.expressions import (
    COMPARISONS,
    Binary,
    Expression,
    Load,
    Logical,
    Member,
    VariableReference,
)
from wolverine.core.program import Branch, Instruction
from wolverine.core.types import CType


class _Compared(NamedTuple):
    """A field of a struct that is compared with a variable."""

    struct: CType
    field: Member
    variable: VariableReference
    operator: str

    @property
    def pair(self) -> tuple[CType, str, VariableReference]:
        return self.struct, self.field.name, self.variable


def of_another_field(code: Sequence[Instruction], condition: Expression) -> Iterator[Expression]:
    """The condition with one comparison of another field with what the code compares that one with."""
    match condition:
        case Logical(_, left, right):
            for part in of_another_field(code, left):
                yield replace(condition, left=part)
            for part in of_another_field(code, right):
                yield replace(condition, right=part)
        case Binary(operator, Load(Member() as field), Load(VariableReference() as variable)):
            mine = _Compared(field.base.type, field, variable, operator)
            others = {each.pair: each for each in _all(code)} if operator in COMPARISONS else {}
            for other in others.values():
                if _goes_instead(mine, other):
                    named = replace(other.field, base=field.base)
                    yield replace(condition, left=Load(named), right=Load(other.variable))


def is_copy(code: Sequence[Instruction], index: int, condition: Expression) -> bool:
    """Whether the code at another index has a comparison of the condition, along another way to the node."""
    elsewhere = [*_all([*code[:index], *code[index + 1 :]])]
    return any(
        each.pair == other.pair and each.operator == other.operator and each.field != other.field
        for each in _within(condition)
        for other in elsewhere
    )


def _goes_instead(mine: _Compared, other: _Compared) -> bool:
    return (
        mine.struct == other.struct
        and mine.field.name != other.field.name
        and mine.variable != other.variable
        and (mine.field.type, mine.variable.type) == (other.field.type, other.variable.type)
    )


def _all(code: Sequence[Instruction]) -> Iterator[_Compared]:
    for step in code:
        if isinstance(step, Branch):
            yield from _within(step.condition)


def _within(condition: Expression) -> Iterator[_Compared]:
    match condition:
        case Logical(_, left, right):
            yield from _within(left)
            yield from _within(right)
        case Binary(operator, Load(Member() as field), Load(VariableReference() as variable)):
            if operator in COMPARISONS:
                yield _Compared(field.base.type, field, variable, operator)
