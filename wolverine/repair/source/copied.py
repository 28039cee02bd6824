"""Comparisons that were copied: `p->down->column < column`, where columns are on the way along `right`.

Both sides of what is copied stay as they were, where both were to change: along the other link nodes are
ordered by another field, which goes with another variable (Li et al., "CP-Miner", OSDI 2004).  Which one that
is the function says where it compares the field elsewhere, or sets it: `fresh->row = row`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from wolverine.core.expressions import (
    COMPARISONS,
    AddressOf,
    Binary,
    Expression,
    Load,
    Logical,
    Member,
    VariableReference,
    variables,
)
from wolverine.core.parts import without_casts
from wolverine.core.program import Assign, Branch, Instruction
from wolverine.core.types import CType
from wolverine.repair.source.flow import loops_around


class _Compared(NamedTuple):
    """A field of a struct that is compared with a variable."""

    struct: CType
    field: Member
    variable: VariableReference
    operator: str

    @property
    def pair(self) -> tuple[CType, str, VariableReference]:
        return self.struct, self.field.name, self.variable


def of_another_field(code: Sequence[Instruction], index: int, condition: Expression) -> Iterator[Expression]:
    """The condition at an index with one comparison of another field with what the code compares it with.

    In a copy also with what the code sets that field to.
    """
    others = [*_all(code), *(_set(code) if is_copy(code, index, condition) else ())]
    return _instead({each.pair: each for each in others}.values(), condition)


def _instead(others: Collection[_Compared], condition: Expression) -> Iterator[Expression]:
    match condition:
        case Logical(_, left, right):
            for part in _instead(others, left):
                yield replace(condition, left=part)
            for part in _instead(others, right):
                yield replace(condition, right=part)
        case Binary(operator, Load(Member() as field), Load(VariableReference() as variable)):
            mine = _Compared(field.base.type, field, variable, operator)
            for other in others if operator in COMPARISONS else ():
                if _goes_instead(mine, other):
                    named = replace(other.field, base=field.base)
                    yield replace(condition, left=Load(named), right=Load(other.variable))


def is_copy(code: Sequence[Instruction], index: int, condition: Expression) -> bool:
    """Whether the code at another index has a comparison of the condition, along another way to the node.

    That is another expression, or the same one in a loop that goes on over another link.
    """
    mine = [*_within(condition)]
    if not mine:
        return False
    links = _links(code, index)
    for at, step in enumerate(code):
        if at != index and isinstance(step, Branch):
            for each, other in product(mine, _within(step.condition)):
                if each.pair == other.pair and each.operator == other.operator:
                    if each.field != other.field:
                        return True
                    if links and (elsewhere := _links(code, at)) and not links & elsewhere:
                        return True
    return False


def _links(code: Sequence[Instruction], index: int) -> frozenset[str]:
    """The links over which the innermost loop around an index leads variables on: `p = p->next`."""
    loop = next(loops_around(code, index), range(0))
    return frozenset(
        value.place.name
        for step in (code[at] for at in loop)
        if isinstance(step, Assign) and isinstance(step.target, VariableReference)
        if isinstance(value := without_casts(step.value), Load | AddressOf)
        and isinstance(value.place, Member)
        and step.target.name in variables(value)
    )


def _goes_instead(mine: _Compared, other: _Compared) -> bool:
    return (
        mine.struct == other.struct
        and mine.field.name != other.field.name
        and mine.variable != other.variable
        and (mine.field.type, mine.variable.type) == (other.field.type, other.variable.type)
    )


def _set(code: Sequence[Instruction]) -> Iterator[_Compared]:
    """The fields that are set to variables, of one node each: what others get as well orders none of them."""
    found = [
        _Compared(field.base.type, field, variable, "=")
        for step in code
        if isinstance(step, Assign)
        for field, variable in [(step.target, step.value.place if isinstance(step.value, Load) else None)]
        if isinstance(field, Member) and isinstance(variable, VariableReference)
    ]
    for each in found:
        if all(other.field == each.field for other in found if other.pair[:2] == each.pair[:2]):
            yield each


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
