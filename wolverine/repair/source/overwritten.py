"""Fields that are written twice in a row: one of the two statements was meant for another field.

What is written again before anything reads it is a sign of a fault (Xie and Engler, "Using redundancies to
find errors", FSE 2002); of a copied statement rather the copy is the one that was not changed (Li et al.,
"CP-Miner", OSDI 2004).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from wolverine.core.expressions import Expression, Load, Member, VariableReference, variables
from wolverine.core.parts import parts, place_parts
from wolverine.core.program import Assign, Declare, Function, Gap
from wolverine.repair.source.flow import predecessors


def overwritten(function: Function, location: int) -> Literal["first", "copy", ""]:
    """Which of two statements that write the same field a location is, where nothing reads it in between."""
    for first, copy in _twice(function):
        if location in (first, copy):
            return "first" if location == first else "copy"
    return ""


def _twice(function: Function) -> Iterator[tuple[int, int]]:
    """The locations of such statements, two by two."""
    leading = predecessors(function.code)
    written: dict[Member, int] = {}  # on the straight way to here; nothing has read it since
    for index, step in enumerate(function.code):
        if leading.get(index) != [index - 1]:
            written.clear()
        match step:
            case Gap() | Declare():
                pass
            case Assign(location, target, value):
                read = _fields([*parts(value), *place_parts(target)])
                for place in [*written]:
                    moved = isinstance(target, VariableReference) and target.name in variables(place)
                    relinked = isinstance(target, Member) and target.name in _fields(place_parts(place))
                    if place.name in read or moved or relinked:
                        del written[place]
                if isinstance(target, Member):
                    if target in written:
                        yield written[target], location
                    written[target] = location
            case _:
                written.clear()


def _fields(expressions: Iterator[Expression] | list[Expression]) -> set[str]:
    """The names of the fields that are read, of whatever node: two pointers may lead to one."""
    return {
        each.place.name for each in expressions if isinstance(each, Load) and isinstance(each.place, Member)
    }
