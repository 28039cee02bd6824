"""Links that lead back: `x->next->prev == x`, and what candidates make of them on fresh heaps.

Where all inputs of a function keep such a rule, and what was asserted in the end keeps it too, a repair that
breaks it on another heap is unlikely to be meant.  Links may lie inside of nodes, in a struct of their own
that leads to its like (`struct list_head` of Linux' lists).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from wolverine.core.graph import MemoryGraph, NodeId, Place, Pointer, Value
from wolverine.core.trace import Assertion, Trace
from wolverine.core.types import Field, StructReference, Types
from wolverine.semantics.address import (
    GLOBALS,
    LOCALS,
    POINTER,
    number_of,
    offset_of,
)
from wolverine.semantics.memory import Memory
from wolverine.semantics.shape import self_pointers

Leader = tuple[int, int]  # a cell: object and offset


class Backlink(NamedTuple):
    """In structs `tag`, what the pointer at offset `forth` leads to leads back at offset `back`.

    Nodes of which no more is known go by their `size` in bytes.  The links are those of a struct that lies at
    offset `base` of these.
    """

    size: int
    forth: int
    back: int
    tag: str = ""
    base: int = 0

    def returned(self, led: Pointer) -> Place:
        """Where what the first pointer leads to has to lead back."""
        return Place(led.object, led.offset + self.back - self.base)


def upward(rules: Collection[Backlink]) -> frozenset[tuple[str, int]]:
    """The pointers that only lead back, by struct and offset: to parents, not to neighbours either way."""
    forth = {(rule.tag, rule.forth) for rule in rules}
    return frozenset((rule.tag, rule.back) for rule in rules if (rule.tag, rule.back) not in forth)


def backlinks(
    heaps: Sequence[MemoryGraph],
    trace: Trace,
    stated: Collection[tuple[str, int, int]] = (),
) -> frozenset[Backlink]:
    """The rules that all heaps keep, at least one of them not for nothing, and the trace's last assertion.

    Those that the source has `stated`, as struct and offsets, may be broken in a heap: that is the fault.
    """
    found: set[Backlink] = set()
    broken: set[Backlink] = set()
    for heap in heaps:
        for rule, kept in _judged(heap, heap.cells):
            if kept:
                found.add(rule)
            elif (rule.tag, rule.forth, rule.back) not in stated:
                broken.add(rule)
    last = trace.outcome
    if last is not None and heaps:
        freed = {node for node, state in last.states.items() if state != "live"}
        live = {place: value for place, value in last.cells.items() if place.object not in freed}
        tags = _tags(last)
        shown = {rule for rule, _, kept in _stated(found, live, tags) if not kept}
        broken |= {rule for rule in shown if not _corrected(rule, trace, tags)}
    return frozenset(found - broken)


def _corrected(rule: Backlink, trace: Trace, tags: Mapping[NodeId, str]) -> bool:
    """Whether somebody corrected such a link, and what was asserted last itself does not break the rule.

    Who corrects one of the links need not correct them all: the fault may have left the others wrong, too.
    """
    last = next(each for each in reversed(trace.events) if isinstance(each, Assertion))
    named = (p for p in last.cells if p not in last.weak and isinstance(p.object, NodeId))
    links = (rule.forth, rule.back)
    if not any(p.offset in links and tags.get(p.object, rule.tag) == rule.tag for p in named):  # type: ignore[arg-type]
        return False
    return all(kept for *_, kept in _stated([rule], last.cells, tags))


def _tags(shown: Assertion) -> dict[NodeId, str]:
    """The structs of the nodes of a picture."""
    return {node.id: node.type.tag for node in shown.nodes.values() if isinstance(node.type, StructReference)}


def unreturned(trace: Trace) -> frozenset[Place]:
    """The links of the last picture that no more lead back, as at the start, where one was corrected."""
    last = trace.outcome
    if last is None:
        return frozenset()
    tags = _tags(last)
    told = _stated(backlinks([trace.start], trace), last.cells, tags)
    return frozenset(place for _, ends, kept in told if not kept for place in ends)


def forgotten(heap: MemoryGraph) -> frozenset[Backlink]:
    """The rules that nodes keep, but for some, fewer, whose link back is null."""
    counts: dict[Backlink, list[int]] = {}
    for rule, kept in _judged(heap, heap.cells):
        counts.setdefault(rule, [0, 0])[kept] += 1
    null = {
        rule: sum(heap.cells.get(rule.returned(each), 0) is None for each in _led_to(heap, rule))
        for rule, (broken, kept) in counts.items()
        if kept > broken > 0
    }
    return frozenset(rule for rule, count in null.items() if count == counts[rule][0])


def _led_to(heap: MemoryGraph, rule: Backlink) -> Iterator[Pointer]:
    """Where live nodes of the struct lead by the rule's first link."""
    for node in heap.nodes.values():
        if node.state == "live" and node.type == StructReference(rule.tag):
            led = heap.cells.get(Place(node.id, rule.forth))
            if isinstance(led, Pointer) and isinstance(led.object, NodeId):
                yield led


def _judged(heap: MemoryGraph, cells: Mapping[Place, Value]) -> Iterable[tuple[Backlink, bool]]:
    for node in heap.nodes.values():
        if not isinstance(node.type, StructReference) or node.state != "live":
            continue
        for base, fields in _links(heap.types, node.type.tag):
            for forth in fields:
                value = cells.get(Place(node.id, base + forth.offset))
                if not isinstance(value, Pointer) or not isinstance(value.object, NodeId):
                    continue
                for back in fields:
                    if back is not forth:
                        offsets = base + forth.offset, base + back.offset
                        rule = Backlink(node.size, *offsets, node.type.tag, base)
                        yield rule, cells.get(rule.returned(value)) == Pointer(node.id, base)


def _links(types: Types, tag: str, base: int = 0) -> Iterator[tuple[int, Sequence[Field]]]:
    """The structs in a struct that lead to their like, itself among them: offsets, and these pointers."""
    if fields := self_pointers(types, tag):
        yield base, fields
    for field in types.structs[tag].fields if tag in types.structs else ():
        if isinstance(field.type, StructReference):
            yield from _links(types, field.type.tag, base + field.offset)


def _stated(
    rules: Iterable[Backlink], cells: Mapping[Place, Value], tags: Mapping[NodeId, str]
) -> Iterable[tuple[Backlink, tuple[Place, Place], bool]]:
    """What is asserted about the rules' fields, where it is asserted of both ends; `tags` are the structs."""
    for place, value in cells.items():
        if not isinstance(place.object, NodeId) or not isinstance(value, Pointer):
            continue
        for rule in rules:
            if place.offset != rule.forth or tags.get(place.object, rule.tag) != rule.tag:
                continue
            back = rule.returned(value)
            if isinstance(value.object, NodeId) and back in cells:
                yield rule, (place, back), cells[back] == Pointer(place.object, rule.base)


def breaks(
    rules: Iterable[Backlink],
    cells: Mapping[int, Sequence[tuple[int, int, Any]]],
    sizes: Mapping[int, int],
    structs: Mapping[int, str],
    led: Mapping[int, Collection[Leader]] = MappingProxyType({}),
) -> bool:
    """Whether a rule does not hold: `cells` are (offset, kind, raw) by object, `sizes` of the live nodes.

    `structs` are the tags of the nodes of which they are known, `led` says what led to nodes before: one that
    has been taken out of its structure may lead wherever it led.
    """
    pointers = {
        (number, offset): raw
        for number in sizes
        for offset, kind, raw in cells.get(number, ())
        if kind == POINTER and isinstance(raw, int)
    }
    out = _taken_out(cells, sizes, led) if led else frozenset()
    for rule in rules:
        for (number, offset), raw in pointers.items():
            if number in out:
                continue
            if offset != rule.forth or sizes[number] != rule.size or not 0 < raw < 1 << 60:
                continue
            if structs.get(number, rule.tag) != rule.tag:
                continue
            target = number_of(raw)
            if target not in sizes or target >= GLOBALS:
                continue
            held = pointers.get((target, offset_of(raw) + rule.back - rule.base), 0)
            if (number_of(held), offset_of(held)) != (number, rule.base):
                return True
    return False


def leaders(memory: Memory) -> Mapping[int, Collection[Leader]]:
    """Which cells of nodes and globals lead to each node."""
    found: dict[int, list[Leader]] = {}
    for number, offset, raw in memory.pointers():
        target = number_of(raw)
        if number < LOCALS and 0 < target < GLOBALS and number != target:
            found.setdefault(target, []).append((number, offset))
    return found


def _taken_out(
    cells: Mapping[int, Sequence[tuple[int, int, Any]]],
    sizes: Mapping[int, int],
    led: Mapping[int, Collection[Leader]],
) -> frozenset[int]:
    """The nodes to which nothing leads any more, where something that led there now leads elsewhere."""
    now: dict[Leader, int] = {}
    for number, held in cells.items():
        if number in sizes or number >= GLOBALS:
            for offset, kind, raw in held:
                if kind == POINTER and isinstance(raw, int):
                    now[number, offset] = number_of(raw)
    reached = {target for (number, _), target in now.items() if number != target}
    return frozenset(
        number
        for number in sizes
        if number not in reached and any(leader in now for leader in led.get(number, ()))
    )
