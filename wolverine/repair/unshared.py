"""Nodes to which only one pointer leads: one `next` in a list, `head` or a `next`, one of `left` and `right`.

Where all inputs of a function keep such a rule, and what was asserted keeps it too, a repair that lets two
structures share what comes behind them on another heap is unlikely to be meant.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement
from typing import Any, NamedTuple

from wolverine.core.graph import MemoryGraph, NodeId, ObjectId, Place, Pointer, Value, VariableId
from wolverine.core.trace import Trace
from wolverine.semantics.address import GLOBALS, POINTER, number_of, offset_of
from wolverine.semantics.counters import Cell, alive, number_at, tags
from wolverine.semantics.layout import Layout

_MOST = 24  # pointers to structs of one kind that are told apart


class Unshared(NamedTuple):
    """No node is what two pointers, one in each of these cells, lead to; the lower cell comes first."""

    one: Cell
    two: Cell


# Pointers to a node: the numbers of their objects, and their cells.
_Led = Mapping[int, Sequence[tuple[int, Cell]]]


def unshared(layout: Layout, heaps: Sequence[MemoryGraph], trace: Trace) -> frozenset[Unshared]:
    """The rules that all heaps and the trace's last assertion keep, not all of them for nothing."""
    found: set[Unshared] = set()
    broken: set[Unshared] = set()
    for heap in heaps:
        depth = heap.frames[0].depth if heap.frames else 0
        structs = tags(heap)
        led = _held(layout, heap.cells, alive(heap), structs, depth)
        kinds: dict[str, set[Cell]] = {}
        for to, holders in led.items():
            if to in structs:
                kinds.setdefault(structs[to], set()).update(cell for _, cell in holders)
        for tag, cells in kinds.items():
            several = sum(structs.get(to) == tag for to in led) > 1
            if several and len(cells) <= _MOST:
                pairs = combinations_with_replacement(_sorted(cells), 2)
                found.update(Unshared(*each) for each in pairs if each[0] != each[1] or each[0][0] == tag)
        broken.update(rule for _, _, rule in _twice(led))
    found -= broken
    last = trace.outcome
    if found and last is not None:
        live = {node.number for node, state in last.states.items() if state == "live"} | alive(trace.start)
        depth = min((p.object.depth for p in last.cells if isinstance(p.object, VariableId)), default=0)
        led = _held(layout, last.cells, live, tags(trace.start), max(depth, 0))
        found -= {rule for _, _, rule in _twice(led)}
    return frozenset(found)


def _held(
    layout: Layout, cells: Mapping[Place, Value], live: Container[int], structs: Mapping[int, str], depth: int
) -> dict[int, list[tuple[int, Cell]]]:
    """The pointers to the starts of nodes, held by live nodes of known structs and variables further out."""
    led: dict[int, list[tuple[int, Cell]]] = {}
    for place, value in cells.items():
        if isinstance(value, Pointer) and isinstance(value.object, NodeId) and not value.offset:
            number = _holder(layout, place.object, live, depth)
            if number is not None and (number >= GLOBALS or number in structs):
                cell = (structs.get(number, number), place.offset)
                led.setdefault(value.object.number, []).append((number, cell))
    return led


def _holder(layout: Layout, holder: ObjectId, live: Container[int], depth: int) -> int | None:
    if isinstance(holder, VariableId) and holder.depth >= depth:
        return None
    number = number_at(layout, Place(holder, 0))
    return number if not isinstance(holder, NodeId) or number in live else None


def _twice(led: _Led) -> Iterator[tuple[int, int, Unshared]]:
    """Pairs of pointers to one node: their objects, and the rule that they break."""
    for holders in led.values():
        for (one, first), (two, second) in combinations(holders, 2):
            yield one, two, Unshared(*_sorted((first, second)))


def _sorted(cells: Collection[Cell]) -> list[Cell]:
    return sorted(cells, key=lambda cell: (str(cell[0]), cell[1]))


def shares(
    rules: Container[Unshared],
    cells: Mapping[int, Sequence[tuple[int, int, Any]]],
    sizes: Mapping[int, int],
    structs: Mapping[int, str],
    given: Container[int],
) -> bool:
    """Whether a rule does not hold: `cells` are (offset, kind, raw) by object, `sizes` of the live nodes.

    `structs` are `tags`; other nodes are taken for those of their size.  A node that was taken out may still
    lead into the structure, and variables may lead to what was `given`, as before: what only they and the
    result lead to is no part of it.
    """
    kinds = {sizes[number]: tag for number, tag in structs.items() if number in sizes}
    led: dict[int, list[tuple[int, Cell]]] = {}
    linked: set[int] = set()
    for number, here in cells.items():
        owner: int | str = number
        if number < GLOBALS:
            owner = structs.get(number) or kinds.get(sizes.get(number, -1), "")
            if not owner or number not in sizes:
                continue
        for offset, kind, raw in here:
            if kind != POINTER or not isinstance(raw, int) or not 0 < raw < 1 << 60:
                continue
            to = number_of(raw)
            if to != number and (number < GLOBALS or to not in given):
                linked.add(to)
                if to in sizes and not offset_of(raw):
                    led.setdefault(to, []).append((number, (owner, offset)))
    return any(
        rule in rules and all(each >= GLOBALS or each in linked for each in (one, two))
        for one, two, rule in _twice(led)
    )
