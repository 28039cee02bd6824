"""Cells that are null or zero together: `queue->front` and `queue->rear`, `list->head` and `list->count`.

Where the objects of all inputs of a function keep such a rule, some being empty and some not, and what was
asserted keeps it too, a repair that breaks it on another heap is unlikely to be meant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from wolverine.core.graph import MemoryGraph, NodeId, NodeState, Place, Pointer, Value, VariableId
from wolverine.core.trace import Trace
from wolverine.core.types import StructReference, byte_of
from wolverine.semantics.address import CELL_KINDS, FLOAT4, FLOAT8, FLOAT16, OPAQUE, number_of
from wolverine.semantics.counters import Cell
from wolverine.semantics.layout import Layout

_MOST_CELLS = 16  # of one object: an array's elements keep rules by chance
_ENDS = 2
_KINDS = [kind for kind in CELL_KINDS if kind not in (FLOAT4, FLOAT8, FLOAT16, OPAQUE)]
# owner, where its array begins, and where the struct in that begins, if it is a field of one
_Row = tuple[int | str, int, int | None]


class Together(NamedTuple):
    """The two cells, of one node or of variables, hold nothing (null, 0) together or not at all."""

    one: Cell
    two: Cell


def together(
    layout: Layout, heaps: Sequence[MemoryGraph], trace: Trace, scratch: Container[int] = ()
) -> frozenset[Together]:
    """The rules that all heaps and the trace's last assertion keep, seen both empty and not empty.

    None are about `scratch` variables.
    """
    seen: dict[Together, set[bool]] = {}
    broken: set[Together] = set()
    for heap in heaps:
        states = {node.id: node.state for node in heap.nodes.values()}
        depth = heap.frames[0].depth if heap.frames else 0
        for rule, one, two in _judged(layout, heap, heap.cells, states, depth):
            if one == two:
                seen.setdefault(rule, set()).add(one)
            else:
                broken.add(rule)
    found = {rule for rule, ways in seen.items() if len(ways) == 2} - broken
    found = {rule for rule in found if not (rule.one[0] in scratch or rule.two[0] in scratch)}
    last = trace.outcome
    if found and last is not None:
        cells = _judged(layout, trace.start, last.cells, last.states, _depth(last.cells))
        found -= {rule for rule, one, two in cells if one != two}
    return frozenset(found)


def _depth(cells: Mapping[Place, Value]) -> int:
    return 1 + max((p.object.depth for p in cells if isinstance(p.object, VariableId)), default=-1)


def _judged(
    layout: Layout,
    graph: MemoryGraph,
    cells: Mapping[Place, Value],
    states: Mapping[NodeId, NodeState],
    depth: int,
) -> Iterator[tuple[Together, bool, bool]]:
    """Pairs of cells, one of them a pointer, with whether each is empty."""
    objects: dict[int, list[tuple[Cell, bool, bool]]] = {}
    arrays: dict[Cell, _Row] = {}
    number: int | str
    for place, value in cells.items():
        if not isinstance(value, (int, Pointer)) and value is not None:
            continue
        held = graph.type_of(place.object)
        match place.object:
            case NodeId() as node:
                if states.get(node) != "live" or not isinstance(held, StructReference):
                    continue
                group, number = node.number, held.tag
            case VariableId(level) as variable:
                address = layout.object_address(variable) if level < depth else None
                if address is None:
                    continue
                number = number_of(address)
                group = 0 if level < 0 else -number_of(address)
            case _:
                continue
        at = byte_of(place.offset)
        begin = graph.types.array_at(held, at) if held is not None else None
        if held is not None and begin is not None:
            arrays[number, place.offset] = number, begin, graph.types.record_at(held, at)
        objects.setdefault(group, []).append(
            ((number, place.offset), value is None or value == 0, not isinstance(value, int))
        )
    lengths = Counter(row[:2] for row in arrays.values())
    for found in objects.values():
        if 1 < len(found) <= _MOST_CELLS:
            for (one, empty, leads), (two, void, also) in combinations(sorted(found), 2):
                if (leads or also) and not _by_chance(arrays.get(one), arrays.get(two), lengths):
                    yield Together(one, two), empty, void


def _by_chance(one: _Row | None, other: _Row | None, lengths: Mapping[tuple[int | str, int], int]) -> bool:
    """Whether two cells are null together by chance.

    So they are if they lie in one array, but not in one struct of it; or if one is an element of an array
    of more than two (`ends[2]`) and the other is none: a rule about elements would be one about them all.
    """
    if one is None or other is None or one[:2] != other[:2]:
        return any(row is not None and row[2] is None and lengths[row[:2]] > _ENDS for row in (one, other))
    return one[2] is None or one[2] != other[2]


def torn(
    rules: Iterable[Together],
    cells: Mapping[int, Sequence[tuple[int, int, Any]]],
    live: Container[int],
    structs: Mapping[int, str],
) -> bool:
    """Whether a rule does not hold: `cells` are (offset, kind, raw) by object, `structs` are `tags`."""
    for (owner, first), (other, second) in rules:
        if isinstance(owner, int) and isinstance(other, int):
            pairs = [(owner, other)]
        else:
            pairs = [(number, number) for number, tag in structs.items() if tag == owner and number in live]
        for one, two in pairs:
            empty, void = _empty(cells.get(one, ()), first), _empty(cells.get(two, ()), second)
            if None not in (empty, void) and empty != void:
                return True
    return False


def _empty(cells: Sequence[tuple[int, int, Any]], offset: int) -> bool | None:
    """Whether a cell holds null or 0; None where it holds nothing."""
    return next((raw == 0 for at, kind, raw in cells if at == offset and kind in _KINDS), None)
