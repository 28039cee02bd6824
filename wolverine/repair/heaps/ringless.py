"""Nodes that never lead back to themselves over pointers of their own kind, as in lists and trees.

Where all inputs of a function keep such a rule, and what was asserted keeps it too, a repair that closes a
ring on another heap has spoilt it there, though it may crash only where somebody walks on it.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from typing import Any

from wolverine.core.graph import MemoryGraph, NodeId, Place, Pointer, Value
from wolverine.core.trace import Trace
from wolverine.semantics.address import GLOBALS, POINTER, number_of, offset_of
from wolverine.semantics.counters import alive, tags
from wolverine.semantics.shape import cyclic


def ringless(heaps: Sequence[MemoryGraph], trace: Trace, both_ways: Container[str] = ()) -> frozenset[str]:
    """The structs whose nodes are in no ring on the heaps and in the trace's last assertion.

    Some have to be linked there, and without an assertion nothing tells that none is to be closed.  Those
    that the program links `both_ways` are in rings as soon as there are two.
    """
    last = trace.outcome
    if last is None:
        return frozenset()
    structs = tags(trace.start)
    live = {node.number for node, state in last.states.items() if state == "live"} | alive(trace.start)
    pictures = [(tags(heap), _edges(heap.cells, alive(heap), tags(heap))) for heap in heaps]
    linked = {known[one] for known, edges in pictures for one, _ in edges}
    pictures.append((structs, _edges(last.cells, live, structs)))
    return frozenset(
        tag
        for tag in linked
        if tag not in both_ways
        and not any(_rings(e for e in edges if known[e[0]] == tag) for known, edges in pictures)
    )


def _edges(
    cells: Mapping[Place, Value], live: Container[int], structs: Mapping[int, str]
) -> list[tuple[int, int]]:
    """The pointers from live nodes to the starts of nodes of the same struct: from which node, to which."""
    return [
        (place.object.number, value.object.number)
        for place, value in cells.items()
        if isinstance(value, Pointer)
        and isinstance(value.object, NodeId)
        and not value.offset
        and isinstance(place.object, NodeId)
        and place.object.number in live
        and place.object.number in structs
        and structs.get(value.object.number) == structs[place.object.number]
    ]


def closes(
    rules: Collection[str],
    cells: Mapping[int, Sequence[tuple[int, int, Any]]],
    sizes: Mapping[int, int],
    structs: Mapping[int, str],
) -> bool:
    """Whether nodes of one of the structs are in a ring: `cells` are (offset, kind, raw) by object.

    `sizes` are those of the live nodes, `structs` are `tags`; other nodes are taken for those of their size.
    """
    by_size = {sizes[number]: tag for number, tag in structs.items() if number in sizes}
    kinds = {number: structs.get(number) or by_size.get(size, "") for number, size in sizes.items()}
    return _rings(
        (number, number_of(raw))
        for number, kind_of in kinds.items()
        if kind_of in rules and number < GLOBALS
        for _, kind, raw in cells.get(number, ())
        if kind == POINTER and isinstance(raw, int) and 0 < raw < 1 << 60 and not offset_of(raw)
        if kinds.get(number_of(raw)) == kind_of
    )


def _rings(edges: Iterator[tuple[int, int]]) -> bool:
    targets: dict[int, list[int]] = {}
    for one, other in edges:
        targets.setdefault(one, []).append(other)
    return cyclic(targets, targets)
