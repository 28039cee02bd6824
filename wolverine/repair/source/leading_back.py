"""Links there and back: beside `x->f = y` stands `y->g = x`, where the program goes by two such fields.

So it is with nodes that know their place in an array: beside `heap[i] = y` stands `y->at = i`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from wolverine.core.expressions import Dereference, Expression, Load, LValue, Member, lvalue_text, text
from wolverine.core.parts import without_casts
from wolverine.core.program import Assign, Gap, Instruction, Program
from wolverine.core.types import CType
from wolverine.repair.source.walk import element_of


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


def placed(program: Program) -> frozenset[tuple[CType, str]]:
    """The fields in which nodes have their places in an array.

    The program sets `heap[i]->at = i`, or `heap[i] = p` and `p->at = i` in one function.
    """
    found: set[tuple[CType, str]] = set()
    for function in program.functions.values():
        stored: set[tuple[str, str]] = set()
        told: list[tuple[CType, str, str, str]] = []
        for step in function.code:
            if not isinstance(step, Assign):
                continue
            value = text(without_casts(step.value))
            if (held := element_of(step.target)) is not None:
                stored.add((value, held[1]))
            match step.target:
                case Member(Dereference(pointer) as node, name):
                    told.append((node.type, name, text(pointer), value))
                    led = element_of(pointer.place) if isinstance(pointer, Load) else None
                    if led is not None and led[1] == value:
                        found.add((node.type, name))
        found |= {(type_, name) for type_, name, *where in told if tuple(where) in stored}
    return frozenset(found)


def tells_place(
    code: Sequence[Instruction],
    index: int,
    target: LValue,
    value: Expression,
    known: Collection[tuple[CType, str]],
) -> bool:
    """Whether what is put into a gap tells a node its place, where a statement near by stores it there.

    Nothing between the two changes node or place.  `known` are the fields that are `placed`.
    """
    match target:
        case Member(Dereference(pointer) as node, name) if (node.type, name) in known:
            led, at = text(pointer), text(without_casts(value))
        case _:
            return False
    return any(
        text(without_casts(step.value)) == led and (element_of(step.target) or ("", ""))[1] == at
        for way in (range(index - 1, -1, -1), range(index + 1, len(code)))
        for step in _undisturbed(code, way, (led, at))
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
