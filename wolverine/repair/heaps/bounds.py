"""Heaps on which the bound of a count is higher: a cache for two entries, where it was for one.

What an execution meets never has more nodes than such a bound allows, and calls add none to them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from wolverine.core.expressions import Binary, Dereference, Expression, Load, Member
from wolverine.core.graph import MemoryGraph, NodeId, Place, Pointer
from wolverine.core.parts import MIRRORED, step_parts, without_casts
from wolverine.core.program import Assign, Program, reachable
from wolverine.core.types import ArrayType, IntType, StructReference

_COMPARED = ("==", "!=", *MIRRORED)
_FURTHER = (1, 2)
_Field = tuple[str, int]  # a struct's tag and an offset


class Bounds:
    """The bounds of counts that a function, and what it calls, asks no more of than to compare them."""

    def __init__(self, program: Program, name: str) -> None:
        self._counts = _bounds(program, name)

    def raised(self, heap: MemoryGraph) -> Iterator[MemoryGraph]:
        """The heap with bounds raised that a count beside them has come to.

        Before it came to the bound there was room as there is then.  A bound that is the length of an array
        that the struct holds stays as it is.
        """
        for place, count in self._met(heap):
            for more in _FURTHER if heap.cells[place] not in _lengths(heap, place) else ():
                yield replace(heap, cells={**heap.cells, place: count + more})

    def full(self, heap: MemoryGraph) -> bool:
        """Whether a count has come to such a bound."""
        return any(True for _ in self._met(heap))

    def _met(self, heap: MemoryGraph) -> Iterator[tuple[Place, int]]:
        """Such bounds that are met, with what is counted."""
        for place in sorted(heap.cells):
            beside = self._counts.get(_field(heap, place))
            if beside is None:
                continue
            bound, count = heap.cells[place], heap.cells.get(Place(place.object, beside))
            if isinstance(bound, int) and isinstance(count, int) and 0 < bound <= count:
                yield place, count


def _bounds(program: Program, name: str) -> Mapping[_Field | None, int]:
    """The fields that the function, and what it calls, only compares with another one: that one's offset."""
    compared: dict[_Field, Counter[int]] = {}
    used: Counter[_Field] = Counter()
    for function in reachable(program, {name}):
        for step in program.functions[function].code:
            if isinstance(step, Assign) and (field := _of_struct(step.target)) is not None:
                used[field] += 1
            for part in step_parts(step):
                match part:
                    case Load(Member() as place) if (field := _of_struct(place)) is not None:
                        used[field] += 1
                    case Binary(operator, left, right) if operator in _COMPARED:
                        for field, beside in _compared(left, right):
                            compared.setdefault(field, Counter())[beside] += 1
    return {
        field: beside
        for field, others in compared.items()
        for beside, times in others.items()
        if times == used[field]
    }


def _compared(left: Expression, right: Expression) -> Iterator[tuple[_Field, int]]:
    match without_casts(left), without_casts(right):
        case Load(Member(base) as one), Load(Member(other) as two) if base == other and one != two:
            for place, beside in ((one, two), (two, one)):
                if (field := _of_struct(place)) is not None:
                    yield field, beside.offset


def _of_struct(place: object) -> _Field | None:
    match place:
        case Member(Dereference(_, StructReference(tag)), _, offset, IntType()):
            return tag, offset
    return None


def _field(heap: MemoryGraph, place: Place) -> _Field | None:
    node = heap.nodes.get(place.object) if isinstance(place.object, NodeId) else None
    if node is None or node.state != "live" or not isinstance(node.type, StructReference):
        return None
    return node.type.tag, place.offset


def _lengths(heap: MemoryGraph, bound: Place) -> frozenset[int]:
    """How many elements the arrays have to which the struct with the bound leads, or which lie in it."""
    own = [
        value.object
        for place, value in heap.cells.items()
        if place.object == bound.object and isinstance(value, Pointer)
    ]
    types = [heap.type_of(each) for each in own]
    if isinstance(kind := heap.type_of(bound.object), StructReference):
        types += [field.type for field in heap.types.structs[kind.tag].fields]
    return frozenset(each.length for each in types if isinstance(each, ArrayType))
