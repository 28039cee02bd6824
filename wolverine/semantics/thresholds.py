"""Constants that the program compares fields with by order: `if (p->price < 10)`.

Fresh heaps have small numbers, for all of which such a question would have one and the same answer.
"""

from __future__ import annotations

from collections.abc import Mapping

from wolverine.core.expressions import ORDERS, Binary, Constant, Expression, Load, Member
from wolverine.core.parts import step_parts, without_casts
from wolverine.core.program import Program
from wolverine.core.types import IntType, StructReference

Field = tuple[str, int]  # struct and offset

_SMALL = range(6)  # numbers among which fresh heaps have some on either side


def thresholds(program: Program) -> Mapping[Field, tuple[int, ...]]:
    """The constants by field, in order; small ones, which fresh heaps have anyway, are none."""
    found: dict[Field, set[int]] = {}
    for function in program.functions.values():
        for step in function.code:
            for part in step_parts(step):
                match part:
                    case Binary(operator, left, right) if operator in ORDERS:
                        for one, other in ((left, right), (right, left)):
                            field, limit = _field(without_casts(one)), without_casts(other)
                            if (
                                field is not None
                                and isinstance(limit, Constant)
                                and limit.value not in _SMALL
                            ):
                                found.setdefault(field, set()).add(limit.value)
    return {field: tuple(sorted(limits)) for field, limits in found.items()}


def _field(value: Expression) -> Field | None:
    match value:
        case Load(Member(base, _, offset, IntType(size=size))) if size > 1:
            if isinstance(base.type, StructReference):
                return base.type.tag, offset
    return None
