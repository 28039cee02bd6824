"""Pointers to ends: `queue->rear->next` is null, and so is `list->head->prev`, or `list->head->prev->next`.

Where what a variable or a struct leads to is an end in all inputs of a function, and in what was asserted, a
repair that lets it lead into the middle on another heap is unlikely to be meant.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain, permutations
from typing import Any, NamedTuple

from wolverine.core.graph import MemoryGraph, NodeId, ObjectId, Place, Pointer, Value, VariableId
from wolverine.core.trace import Trace
from wolverine.core.types import CType, StructReference, byte_of
from wolverine.semantics.address import POINTER, number_of, offset_of
from wolverine.semantics.counters import Cell
from wolverine.semantics.layout import Layout
from wolverine.semantics.shape import self_pointers
from wolverine.semantics.walked import walked


class End(NamedTuple):
    """The node to which the cell leads holds null at offset `link`, where others of its kind do not.

    With an offset `over` it is the node to which that one leads there: `list->head->prev` is the last one.
    With a cell `head` it is the last one behind the node to which that leads: `list->tail` behind
    `list->head`, in the same struct.
    """

    cell: Cell
    link: int
    over: int = -1
    head: Cell | None = None


def ends(
    layout: Layout, heaps: Sequence[MemoryGraph], trace: Trace, scratch: Container[int] = ()
) -> frozenset[End]:
    """The rules that all heaps and the trace's last assertion keep, some node not being an end there.

    Over the link another node leads to one of the ends: else it may be for something else, such as the
    chains of a table in which all nodes of a list lie.  None are about `scratch` variables, or such as walk
    to and fro.
    """
    found: set[End] = set()
    broken: set[End] = set()
    inner: set[tuple[str, int]] = set()  # links that lead somewhere
    closing: set[End] = set()  # another node leads there over the link
    kinds: dict[End, str] = {}
    for heap in heaps:
        led = _links(heap)
        for rule, tag, kept, node in chain(_judged(layout, heap), _behind_heads(layout, heap)):
            kinds[rule] = tag
            (found if kept else broken).add(rule)
            if rule.over >= 0 or rule.head is not None or (tag, rule.link, node) in led:
                closing.add(rule)
        inner |= {(tag, link) for tag, link, _ in led}
    found = {rule for rule in found & closing if (kinds[rule], rule.link) in inner} - broken
    found = {rule for rule in found if rule.cell[0] not in scratch}
    last = trace.outcome
    if last is not None:
        freed = {node for node, state in last.states.items() if state != "live"}
        live = {place: value for place, value in last.cells.items() if place.object not in freed}
        found -= set(_refuted(found, layout, trace.start, live))
    return frozenset(found)


def different(layout: Layout, heap: MemoryGraph) -> int:
    """To how many ends variables and structs lead: a queue's two pointers rather lead to both of its own."""
    return len({(node, rule.link) for rule, _, kept, node in _judged(layout, heap) if kept and rule.over < 0})


def _refuted(
    rules: Iterable[End], layout: Layout, start: MemoryGraph, cells: Mapping[Place, Value]
) -> Iterator[End]:
    """The rules that do not hold in what is asserted; of which struct young nodes are is not known there."""
    for place, value in cells.items():
        if not isinstance(value, Pointer) or value.offset or not isinstance(value.object, NodeId):
            continue
        for rule in rules:
            if rule.cell[1] != place.offset or not _owns(layout, start, place, rule):
                continue
            end = value if rule.over < 0 else cells.get(Place(value.object, rule.over))
            led = cells.get(Place(end.object, rule.link)) if isinstance(end, Pointer) else None
            if rule.head is not None:
                if _is_another(rule, layout, place, value.object, cells):
                    yield rule
            elif isinstance(led, Pointer):
                yield rule


def _is_another(rule: End, layout: Layout, place: Place, end: NodeId, cells: Mapping[Place, Value]) -> bool:
    """Whether another node is the last one behind the rule's head, as far as that is asserted."""
    assert rule.head is not None
    owner, offset = rule.head
    for other, value in cells.items():
        address = layout.object_address(other.object)
        owns = other.object == place.object if isinstance(owner, str) else number_of(address or 0) == owner
        if owns and other.offset == offset and isinstance(value, Pointer):
            last = _last(cells, value.object, rule.link)
            if isinstance(last, NodeId) and cells.get(Place(last, rule.link), value) is None and last != end:
                return True
    return False


def _owns(layout: Layout, start: MemoryGraph, place: Place, rule: End) -> bool:
    """Whether the rule may be about the object; a young node's link at the same offset is rather its own."""
    owner = rule.cell[0]
    if not isinstance(place.object, NodeId):
        address = layout.object_address(place.object)
        return address is not None and number_of(address) == owner
    known = start.nodes.get(place.object)
    if known is not None:
        return isinstance(known.type, StructReference) and known.type.tag == owner
    return isinstance(owner, str) and place.offset != rule.link


def _links(heap: MemoryGraph) -> set[tuple[str, int, ObjectId]]:
    """The pointers of nodes, as (tag, offset, where they lead)."""
    return {
        (node.type.tag, place.offset, value.object)
        for place, value in heap.cells.items()
        if isinstance(value, Pointer)
        and isinstance(place.object, NodeId)
        and isinstance((node := heap.nodes[place.object]).type, StructReference)
    }


def _judged(layout: Layout, graph: MemoryGraph) -> Iterator[tuple[End, str, bool, ObjectId]]:
    """The links of what the pointers in variables and in nodes of another struct lead to: whether null.

    With the struct's tag and the node.
    """
    cells = graph.cells
    for owner, kind, place, node, tag in _leading(layout, graph):
        led = StructReference(tag)
        links = [link.offset for link in self_pointers(graph.types, tag)]
        for link in links if kind != led else ():
            held = Place(node, link)
            if held in cells:
                yield End((owner, place.offset), link), tag, cells[held] is None, node
        for link, over in permutations(links, 2):
            if kind == led and place.offset in (link, over):
                continue
            last = cells.get(Place(node, over))
            if isinstance(last, Pointer):
                closes = _last(cells, node, link) == last.object
                yield End((owner, place.offset), link, over), tag, closes, last.object


def _behind_heads(layout: Layout, graph: MemoryGraph) -> Iterator[tuple[End, str, bool, ObjectId]]:
    """Of two such pointers beside each other: whether the one leads to the last node behind the other.

    One node alone tells nothing.
    """
    leading = [each for each in _leading(layout, graph) if each[1] != StructReference(each[4])]
    for (owner, _, place, node, tag), (other, _, beside, first, same) in permutations(leading, 2):
        if tag != same or isinstance(owner, str) != isinstance(other, str):
            continue
        if isinstance(owner, str) and place.object != beside.object:
            continue
        for link in self_pointers(graph.types, tag):
            last = _last(graph.cells, first, link.offset)
            if graph.cells.get(Place(last, link.offset), node) is None and not first == last == node:
                rule = End((owner, place.offset), link.offset, head=(other, beside.offset))
                yield rule, tag, last == node, node


def _leading(
    layout: Layout, graph: MemoryGraph
) -> Iterator[tuple[int | str, CType | None, Place, NodeId, str]]:
    """The pointers in variables and structs to live structs: of what, its type, where, the node, its tag.

    Pointers that are elements of arrays, such as chains of a table, lead to an end by chance, and a pointer
    of a caller that the function cannot set stays where it is.
    """
    cells, depth = graph.cells, graph.frames[0].depth if graph.frames else 0
    addressed = {value.object for value in cells.values() if isinstance(value, Pointer)}
    for place, value in cells.items():
        if not isinstance(value, Pointer) or value.offset or not isinstance(value.object, NodeId):
            continue
        led = graph.nodes.get(value.object)
        if led is None or led.state != "live" or not isinstance(led.type, StructReference):
            continue
        owner: int | str
        kind = graph.type_of(place.object)
        match place.object:
            case NodeId():
                if not isinstance(kind, StructReference):
                    continue
                owner = kind.tag
            case VariableId(level) as variable:
                address = layout.object_address(variable) if level < depth else None
                if address is None or (level >= 0 and variable not in addressed):
                    continue
                if walked(layout.program, variable):
                    continue
                owner = number_of(address)
            case _:
                continue
        if kind is not None and graph.types.record_at(kind, byte_of(place.offset)) is None:
            continue
        yield owner, kind, place, value.object, led.type.tag


def _last(cells: Mapping[Place, Value], node: ObjectId, link: int) -> ObjectId:
    """What lies ahead of a node last, over a link."""
    last: ObjectId = node
    passed: set[ObjectId] = set()
    while last not in passed:
        passed.add(last)
        leads = cells.get(Place(last, link))
        if not isinstance(leads, Pointer):
            break
        last = leads.object
    return last


def passed(
    rules: Iterable[End],
    cells: Mapping[int, Sequence[tuple[int, int, Any]]],
    live: Container[int],
    structs: Mapping[int, str],
) -> bool:
    """Whether a rule does not hold: `cells` are (offset, kind, raw) by object, `structs` are `tags`."""
    for (owner, offset), link, over, head in rules:
        if isinstance(owner, int):
            owners = [owner]
        else:
            owners = [number for number, tag in structs.items() if tag == owner and number in live]
        for each in owners:
            led = _led(cells.get(each, ()), offset)
            if head is not None:
                first = _led(cells.get(head[0] if isinstance(head[0], int) else each, ()), head[1])
                if led in live and first in live and _end(cells, first, link) not in (led, -1):
                    return True
                continue
            if over >= 0 and led in live:
                led = _led(cells.get(led, ()), over)
            if led in live and _pointer(cells.get(led, ()), link):
                return True
    return False


def _led(cells: Sequence[tuple[int, int, Any]], offset: int) -> int:
    """The object to which a pointer leads, to its beginning; -1 for none."""
    raw = _pointer(cells, offset)
    return number_of(raw) if raw and not offset_of(raw) else -1


def _end(cells: Mapping[int, Sequence[tuple[int, int, Any]]], first: int, link: int) -> int:
    """The last object behind one, over a link; -1 where they go round."""
    passed: set[int] = set()
    last = first
    while last not in passed:
        passed.add(last)
        led = _led(cells.get(last, ()), link)
        if led < 0:
            return last
        last = led
    return -1


def _pointer(cells: Sequence[tuple[int, int, Any]], offset: int) -> int:
    """The pointer that an object holds there; 0 where it is null or leads nowhere."""
    found = (raw for at, kind, raw in cells if at == offset and kind == POINTER)
    return next((raw for raw in found if isinstance(raw, int) and 0 < raw < 1 << 60), 0)
