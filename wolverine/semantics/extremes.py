"""Searches for the least or the greatest: `if (p->v < min) min = p->v;`, `if (p->v < best->v) best = p;`.

Who looks at all nodes for that does not rely on their order: in a list that is sorted it would be an end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wolverine.core.expressions import (
    Binary,
    Dereference,
    Expression,
    Load,
    Member,
    VariableReference,
)
from wolverine.core.parts import parts, without_casts
from wolverine.core.program import Assign, Branch, Instruction, Program
from wolverine.semantics.fields import field_of

_ORDERS = ("<", ">", "<=", ">=")


def only_sought(program: Program, tag: str, offset: int) -> bool:
    """Whether the program compares that field by order, and always to find the least or the greatest."""
    found = [
        _seeks(function.code, step, comparison, tag, offset)
        for function in program.functions.values()
        for step in function.code
        if isinstance(step, Branch)
        for comparison in _comparisons(step.condition, tag, offset)
    ]
    return bool(found) and all(found)


def _comparisons(condition: Expression, tag: str, offset: int) -> Iterator[Binary]:
    """The comparisons by order of the field."""
    compared = (part for part in parts(condition) if isinstance(part, Binary) and part.operator in _ORDERS)
    for each in compared:
        if _is_field(each.left, tag, offset) or _is_field(each.right, tag, offset):
            yield each


def _seeks(code: Sequence[Instruction], step: Branch, comparison: Binary, tag: str, offset: int) -> bool:
    """Whether what the branch leads to keeps one side of the comparison for the other one."""
    left, right = without_casts(comparison.left), without_casts(comparison.right)
    arm = [each for each in code[step.if_true : step.if_false] if isinstance(each, Assign)]
    return any(
        _is_field(one, tag, offset) and any(_keeps(each, one, other) for each in arm)
        for one, other in ((left, right), (right, left))
    )


def _keeps(step: Assign, one: Expression, other: Expression) -> bool:
    """Whether a variable takes the one side, whose other side it was, or which had led there."""
    match one, other:
        case Load(), Load(VariableReference() as kept):
            return step.target == kept and without_casts(step.value) == one
        case Load(Member(Dereference(node))), Load(Member(Dereference(Load(VariableReference() as kept)))):
            return step.target == kept and step.value == node
    return False


def _is_field(value: Expression, tag: str, offset: int) -> bool:
    """Whether a value is that field of a node."""
    return field_of(value) == (tag, offset)
