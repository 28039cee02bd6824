"""Constants that the program compares fields with by order: `if (p->price < 10)`.

Fresh heaps have small numbers, for all of which such a question would have one and the same answer.
"""

from __future__ import annotations

from collections.abc import Mapping

from wolverine.core.expressions import ORDERS, Binary, Constant
from wolverine.core.parts import step_parts, without_casts
from wolverine.core.program import Program
from wolverine.semantics.fields import Field, number_field

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
                            field, limit = number_field(one), without_casts(other)
                            if (
                                field is not None
                                and isinstance(limit, Constant)
                                and limit.value not in _SMALL
                            ):
                                found.setdefault(field, set()).add(limit.value)
    return {field: tuple(sorted(limits)) for field, limits in found.items()}
