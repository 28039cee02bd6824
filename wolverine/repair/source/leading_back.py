"""Links there and back: beside `x->f = y` stands `y->g = x`, where the program goes by two such fields."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from wolverine.core.expressions import Dereference, Expression, LValue, Member, lvalue_text, text
from wolverine.core.parts import without_casts
from wolverine.core.program import Assign, Gap, Instruction


def leads_back(
    code: Sequence[Instruction],
    index: int,
    target: LValue,
    value: Expression,
    opposite: Collection[frozenset[str]],
) -> bool:
    """Whether what is put into a gap links a node back to the one that a statement near by links to it.

    Nothing between the two changes what leads to either node.  `opposite` are the pairs of such fields.
    """
    match target:
        case Member(Dereference(pointer), back):
            here, there = text(pointer), text(without_casts(value))
        case _:
            return False
    return any(
        _links(step, there, here, back, opposite)
        for way in (range(index - 1, -1, -1), range(index + 1, len(code)))
        for step in _undisturbed(code, way, (here, there))
    )


def _undisturbed(code: Sequence[Instruction], way: range, words: Collection[str]) -> Iterator[Assign]:
    """The assignments from a gap on, up to where one of these values changes, or something else is done."""
    for at in way:
        step = code[at]
        if isinstance(step, Gap):
            continue
        if not isinstance(step, Assign):
            return
        changes = lvalue_text(step.target) in words
        if not changes or way.step > 0:
            yield step
        if changes:
            return


def _links(step: Assign, one: str, other: str, back: str, opposite: Collection[frozenset[str]]) -> bool:
    match step.target:
        case Member(Dereference(pointer), forth):
            led = text(pointer) == one and text(without_casts(step.value)) == other
            return led and frozenset((forth, back)) in opposite
    return False
