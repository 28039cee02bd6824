"""An order by two fields: `a->year > b->year || a->year == b->year && a->name < b->name`.

The second one decides only where the first ones are equal.  Without that it is an order by neither.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from wolverine.core.expressions import ORDERS, Binary, Expression, Load, Logical, Member, text
from wolverine.core.parts import without_casts


def tied(condition: Expression) -> Iterator[Expression]:
    """The expression with one comparison by a second field where the first ones are equal."""
    match condition:
        case Logical("||", Binary() as first, Binary() as second):
            field, other = _ordered(first), _ordered(second)
            if field is not None and other is not None and field[0] != other[0] and field[1] == other[1]:
                yield replace(condition, right=Logical("&&", replace(first, operator="=="), second))
        case Logical(_, left, right):
            for part in tied(left):
                yield replace(condition, left=part)
            for part in tied(right):
                yield replace(condition, right=part)


def _ordered(comparison: Binary) -> tuple[int, frozenset[str]] | None:
    """The offset of the field by which two structs are ordered, and these; None where it is no such order."""
    if comparison.operator not in ORDERS:
        return None
    sides = [without_casts(each) for each in (comparison.left, comparison.right)]
    match sides:
        case [Load(Member(one, _, offset)), Load(Member(other, _, same))] if offset == same:
            structs = frozenset((text(Load(one)), text(Load(other))))
            return (offset, structs) if len(structs) == 2 else None
    return None
