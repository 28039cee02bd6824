"""Numbers that say how long the array is to which the pointer beside them leads: the `capacity` of a buffer.

Whoever adds to the array relies on them, so that a number that is made up lets what is right overflow.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import NamedTuple

from wolverine.core.graph import MemoryGraph, NodeId, Place, Pointer
from wolverine.core.types import FloatType, IntType, PointerType, StructReference


class Room(NamedTuple):
    """In structs `tag` the number at one offset is the length of what the pointer at the other leads to."""

    tag: str
    number: int
    pointer: int


def rooms(graph: MemoryGraph) -> frozenset[Room]:
    """The rules that all structs of a graph's live nodes keep, one for each number at most."""
    right: set[Room] = set()
    wrong: set[Room] = set()
    for place, room, length in _held(graph):
        (right if graph.cells.get(place) == length else wrong).add(room)
    telling = sorted(right - wrong)
    return frozenset({(room.tag, room.number): room for room in reversed(telling)}.values())


def roomed(graph: MemoryGraph, rules: Collection[Room]) -> MemoryGraph:
    """The graph with these numbers right."""
    lengths = {place: length for place, room, length in _held(graph) if room in rules}
    return replace(graph, cells={**graph.cells, **lengths}) if lengths else graph


def _held(graph: MemoryGraph) -> Iterator[tuple[Place, Room, int]]:
    """Numbers beside pointers to arrays in live nodes, by place, and how long the arrays are."""
    for node in graph.nodes.values():
        if node.state != "live" or not isinstance(node.type, StructReference):
            continue
        scalars = list(graph.types.scalars(node.type))
        numbers = [at for at, kind in scalars if isinstance(kind, IntType) and kind.size > 1]
        for at, kind in scalars:
            led = graph.cells.get(Place(node.id, at))
            if not isinstance(kind, PointerType) or not isinstance(led, Pointer) or led.offset:
                continue
            array = graph.nodes.get(led.object) if isinstance(led.object, NodeId) else None
            if array is None or not isinstance(kind.target, IntType | FloatType | PointerType):
                continue
            length = array.size // graph.types.size(kind.target)
            for number in numbers if length > 1 else ():
                yield Place(node.id, number), Room(node.type.tag, number, at), length
