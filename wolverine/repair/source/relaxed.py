"""What an `if` compares is what it then stores: `if (u->d + e->w < v->d) v->d = u->d + e->w;`.

So the least or the greatest of several numbers is kept; a comparison of another number with what is replaced,
or of what is stored with another number, forgets half of that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from wolverine.core.expressions import ORDERS, Binary, Constant, Expression, Load, Logical, text, variables
from wolverine.core.parts import parts
from wolverine.core.program import Assign, Branch, Gap, Instruction
from wolverine.core.types import IntType
from wolverine.repair.source.conversion import convert


def relaxed(code: Sequence[Instruction], branch: int) -> Iterator[Expression]:
    """The condition at an instruction with one comparison made one of what is stored and what it replaces."""
    step = code[branch]
    stored = [*_stored(code, step.if_true)] if isinstance(step, Branch) else []
    if isinstance(step, Branch) and stored:
        yield from _instead(step.condition, stored)


def _instead(condition: Expression, stored: Sequence[Assign]) -> Iterator[Expression]:
    match condition:
        case Logical(_, left, right):
            for part in _instead(left, stored):
                yield replace(condition, left=part)
            for part in _instead(right, stored):
                yield replace(condition, right=part)
        case Binary(operator, left, right) if operator in ORDERS:
            sides = text(left), text(right)
            for each in stored:
                new, old = text(each.value), text(Load(each.target))
                if (new in sides) == (old in sides):
                    continue
                other = Load(each.target) if new in sides else each.value
                kept_first = sides[0] in (new, old)
                made = convert(other, right.type if kept_first else left.type)
                if made is not None:
                    yield replace(condition, right=made) if kept_first else replace(condition, left=made)


def _stored(code: Sequence[Instruction], first: int) -> Iterator[Assign]:
    """The numbers that are stored from an instruction on, one after the other, as they are in front of it."""
    before: set[str] = set()
    for step in code[first:]:
        if isinstance(step, Gap):
            continue
        if not isinstance(step, Assign):
            return
        held = Load(step.target)
        named = {text(part) for each in (step.value, held) for part in parts(each)}
        called = any(name.startswith("$") for name in variables(step.value) | variables(step.target))
        itself = text(held) in {text(part) for part in parts(step.value)}
        number = isinstance(step.target.type, IntType) and not isinstance(step.value, Constant)
        if number and not (itself or called or named & before):
            yield step
        before.add(text(held))
