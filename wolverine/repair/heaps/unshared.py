"""Nodes to which one pointer of their own kind leads only: one `next` in a list, one of `left` and `right`.

Where all inputs of a function keep such a rule, and what was asserted keeps it too, a repair that lets two
structures share what comes behind them on another heap is unlikely to be meant.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement
from typing import Any, NamedTuple

from wolverine.core.graph import MemoryGraph, NodeId, Place, Pointer, Value
from wolverine.core.trace import Trace
from wolverine.repair.heaps.backlinks import Backlink
from wolverine.semantics.address import GLOBALS, POINTER, number_of, offset_of
from wolverine.semantics.counters import alive, tags


class Unshared(NamedTuple):
    """No two pointers at these offsets (the lower first) of structs `tag` lead to one struct of that kind."""

    tag: str
    one: int
    two: int


# Pointers to a node, from nodes of its struct: who holds them, and at which offset.
_Led = Mapping[int, Sequence[tuple[int, int]]]


def unshared(
    heaps: Sequence[MemoryGraph], trace: Trace, links: Iterable[Backlink] = ()
) -> frozenset[Unshared]:
    """The rules that all heaps and the trace's last assertion keep, not all of them for nothing.

    None are about a link and the one that leads back over it, which are among the `links`: what has a
    neighbour on either side is led to by both, over `next` and over `prev`.
    """
    found: set[Unshared] = set()
    broken: set[Unshared] = set()
    for heap in heaps:
        structs = tags(heap)
        led = _held(heap.cells, alive(heap), structs)
        used: dict[str, set[int]] = {}
        for to, holders in led.items():
            used.setdefault(structs[to], set()).update(offset for _, offset in holders)
        for tag, offsets in used.items():
            if sum(structs[to] == tag for to in led) > 1:
                pairs = combinations_with_replacement(sorted(offsets), 2)
                found.update(Unshared(tag, *each) for each in pairs)
        broken.update(Unshared(structs[to], *offsets) for to, _, _, offsets in _twice(led))
    found -= broken
    found -= {Unshared(each.tag, *sorted((each.forth, each.back))) for each in links}
    last = trace.outcome
    if found and last is not None:
        structs = tags(trace.start)
        live = {node.number for node, state in last.states.items() if state == "live"} | alive(trace.start)
        led = _held(last.cells, live, structs)
        found -= {Unshared(structs[to], *offsets) for to, _, _, offsets in _twice(led)}
    return frozenset(found)


def _held(
    cells: Mapping[Place, Value], live: Container[int], structs: Mapping[int, str]
) -> dict[int, list[tuple[int, int]]]:
    """The pointers from live nodes to the starts of nodes of the same struct."""
    led: dict[int, list[tuple[int, int]]] = {}
    for place, value in cells.items():
        if not isinstance(value, Pointer) or not isinstance(value.object, NodeId) or value.offset:
            continue
        if isinstance(place.object, NodeId) and place.object.number in live:
            number, to = place.object.number, value.object.number
            if to in structs and structs.get(number) == structs[to]:
                led.setdefault(to, []).append((number, place.offset))
    return led


def _twice(led: _Led) -> Iterator[tuple[int, int, int, tuple[int, int]]]:
    """Pairs of pointers to one node: the node, who holds them, and their offsets."""
    for to, holders in led.items():
        for (one, first), (two, second) in combinations(holders, 2):
            yield to, one, two, (min(first, second), max(first, second))


def shares(
    rules: Container[Unshared],
    cells: Mapping[int, Sequence[tuple[int, int, Any]]],
    sizes: Mapping[int, int],
    structs: Mapping[int, str],
    given: Container[int],
    upward: Container[tuple[str, int]] = (),
) -> bool:
    """Whether a rule does not hold: `cells` are (offset, kind, raw) by object, `sizes` of the live nodes.

    `structs` are `tags`; other nodes are taken for those of their size.  A node that was taken out may still
    lead into the structure, and variables may lead to what was `given`, as before: what only they, the
    result and the nodes below lead to is no part of it.  These do so over the pointers that lead `upward`.
    """
    by_size = {sizes[number]: tag for number, tag in structs.items() if number in sizes}
    kinds = {number: structs.get(number) or by_size.get(size, "") for number, size in sizes.items()}
    led: dict[int, list[tuple[int, int]]] = {}
    linked: set[int] = set()
    for number, here in cells.items():
        if number < GLOBALS and number not in sizes:
            continue
        for offset, kind, raw in here:
            if kind != POINTER or not isinstance(raw, int) or not 0 < raw < 1 << 60:
                continue
            to = number_of(raw)
            led_to = (kinds[number], offset) not in upward if number < GLOBALS else to not in given
            if to != number and led_to:
                linked.add(to)
            if number < GLOBALS and to in kinds and kinds[to] == kinds[number] and not offset_of(raw):
                led.setdefault(to, []).append((number, offset))
    return any(
        one in linked and two in linked and Unshared(kinds[to], *offsets) in rules
        for to, one, two, offsets in _twice(led)
    )
