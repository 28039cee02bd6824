"""Arrays of which most elements hold the same: fresh heaps have the rest of them as stretches.

A table of ten thousand rows, nearly all of them null, would else be copied, encoded and compared row by row
for each fresh heap and each repair.  In an array of structs each field has stretches of its own.  Code that
goes over all of it meets what it holds as before: a memory tells the value of a cell in a stretch where that
was not written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from wolverine.core.graph import MemoryGraph, NodeId, ObjectId, Place, Stretch, Value, VariableId
from wolverine.core.types import BIT, ArrayType, CType, IntType, PointerType, StructReference, Types

_LONG = 256  # cells that hold the same, from which on the most are left out
_FIRST = 64  # those in the beginning that stay: where small numbers lead to
_LAST = 8  # and at the end


def shortened(graph: MemoryGraph) -> MemoryGraph:
    """The graph with what lies in the middle of long rows of equal null pointers or numbers as stretches.

    The locals of the innermost activation stay: others may come to lie where they do.
    """
    if len(graph.cells) < _LONG:
        return graph
    innermost = graph.frames[0].depth if graph.frames else -1
    counts = Counter(place.object for place in graph.cells)
    long = {each for each, count in counts.items() if count >= _LONG and _may_have(graph, each, innermost)}
    by_object: dict[ObjectId, list[Place]] = {each: [] for each in long}
    for place in graph.cells if long else ():
        if place.object in long:
            by_object[place.object].append(place)
    found: dict[ObjectId, tuple[Stretch, ...]] = {}
    for each, places in by_object.items():
        places.sort(key=lambda place: place.offset)
        columns = _columns(graph, each, places)
        if stretches := tuple(one for column, step in columns for one in _stretches(graph, column, step)):
            found[each] = stretches
    if not found:
        return graph
    out = {Place(each, at) for each, stretches in found.items() for one in stretches for at in one.offsets}
    return replace(
        graph,
        cells={place: value for place, value in graph.cells.items() if place not in out},
        cell_types={place: ctype for place, ctype in graph.cell_types.items() if place not in out},
        stretches={
            each: (*graph.stretches.get(each, ()), *found.get(each, ()))
            for each in graph.stretches.keys() | found.keys()
        },
    )


def in_full(graph: MemoryGraph) -> MemoryGraph:
    """The graph with all cells of its stretches, as pictures show it."""
    if not graph.stretches:
        return graph
    cells, types = dict(graph.cells), dict(graph.cell_types)
    for each, stretches in graph.stretches.items():
        for stretch in stretches:
            for at in stretch.offsets:
                cells.setdefault(Place(each, at), stretch.value)
                types.setdefault(Place(each, at), stretch.type)
    return replace(graph, cells=cells, cell_types=types, stretches={})


def stretched(graph: MemoryGraph, held: ObjectId) -> dict[int, Value]:
    """What the stretches of an object hold, by offset."""
    return {at: each.value for each in graph.stretches.get(held, ()) for at in each.offsets}


def _may_have(graph: MemoryGraph, held: ObjectId, innermost: int) -> bool:
    if isinstance(held, NodeId):
        return graph.type_of(held) is not None
    return isinstance(held, VariableId) and held.depth < max(innermost, 0)


def _columns(
    graph: MemoryGraph, held: ObjectId, places: Sequence[Place]
) -> Iterator[tuple[Sequence[Place], int]]:
    """The cells of an object in which the same may stand one behind the other, by their offsets.

    Of an array of many structs that is one field of all of them, with the size of the struct; else what is
    left, with 0.
    """
    ctype = graph.type_of(held)
    records = list(_records(graph.types, ctype)) if ctype is not None else []
    columns: dict[tuple[int, int], list[Place]] = {}
    for place in places if records else ():
        for begin, size, count in records:
            if begin <= place.offset < begin + size * count:
                columns.setdefault((size, begin + (place.offset - begin) % size), []).append(place)
                break
        else:
            columns.setdefault((0, 0), []).append(place)
    if not records:
        yield places, 0
    for (size, _), column in columns.items():
        yield column, size


def _records(types: Types, ctype: CType, begin: int = 0) -> Iterator[tuple[int, int, int]]:
    """The arrays of many structs in a type: where they begin, the size of a struct, how many there are."""
    match ctype:
        case ArrayType(StructReference() as struct, count) if count >= _LONG:
            yield begin, types.size(struct), count
        case StructReference(tag) if tag in types.structs:
            for field in types.structs[tag].fields:
                yield from _records(types, field.type, begin + field.offset)


def _stretches(graph: MemoryGraph, places: Sequence[Place], apart: int) -> Iterator[Stretch]:
    """What is left out of these cells, from one to the next of which it is so many bytes, or their size."""
    cells = [(graph.cells[place], graph.cell_types.get(place)) for place in places]
    begin = 0
    while begin < len(places):
        step = _step(graph, places[begin], *cells[begin])
        end = begin + 1
        if step:
            step = apart or step
            cell, behind = cells[begin], places[begin].offset + step
            while end < len(places) and places[end].offset == behind and cells[end] == cell:
                behind += step
                end += 1
        if end - begin >= _LONG:
            (value, ctype), count = cells[begin], end - begin - _FIRST - _LAST
            assert ctype is not None and (value is None or isinstance(value, int))
            yield Stretch(places[begin + _FIRST].offset, count, step, ctype, value)
        begin = end


def _step(graph: MemoryGraph, place: Place, value: Value, ctype: CType | None) -> int:
    """How many bytes lie between elements like this one; 0 for what is no plain null pointer or number."""
    if not (value is None or type(value) is int) or place.offset >= BIT or place in graph.in_unions:
        return 0
    plain = isinstance(ctype, PointerType) or (isinstance(ctype, IntType) and not ctype.bits)
    return graph.types.size(ctype) if plain and ctype is not None else 0
