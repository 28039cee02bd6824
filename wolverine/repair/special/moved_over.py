"""Lists whose head lies in an element of an array over which others are moved: the whole list is freed first.

Who closes the gap that an element leaves means to remove it, with all that hangs on it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from wolverine.core.expressions import LValue, Member
from wolverine.core.patch import Candidate, Edit
from wolverine.core.program import Program
from wolverine.core.trace import Problem
from wolverine.core.types import StructReference
from wolverine.repair.source.moved_over import moved_over
from wolverine.repair.special.leftover import Whole
from wolverine.repair.special.loops import lists_freed, lists_led_to, unused


def freeing_moved_over(
    problem: Problem, whole: Whole, by: tuple[str, int], nodes: Collection[int]
) -> Sequence[Candidate]:
    """What frees the list over which the statement at `by` (function, instruction) moves another one."""
    return lists_freed(problem, whole, ([each] for each in frees_moved_over(problem.program, *by)), nodes)


def frees_moved_over(program: Program, name: str, index: int) -> Iterator[Edit]:
    """The loops that free such lists in front of what moves others over them."""
    found = moved_over(program.functions[name], index)
    if found is None:
        return
    location, place = found
    rest = unused(program)
    for head in _heads(program, place):
        yield from (Edit(location, made) for made in lists_led_to(program, head, rest))


def _heads(program: Program, place: LValue) -> Iterator[LValue]:
    """The place itself, or the fields of the struct that it is."""
    match place.type:
        case StructReference(tag) if tag in program.types.structs:
            for each in program.types.structs[tag].fields:
                yield Member(place, each.name, each.offset, each.type)
        case _:
            yield place
