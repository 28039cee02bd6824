"""Heaps in which the same nodes hang on several structures: an LRU list and a table's chains, the levels of a
skip list, `next` and `random`.

How such structures go together is known to the program alone, so that heaps made anew are none that come.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import permutations

from wolverine.core.graph import MemoryGraph, NodeId, ObjectId, Place, Pointer, VariableId
from wolverine.core.types import CType, PointerType, StructReference, byte_of
from wolverine.semantics.records import element_at, with_its_index
from wolverine.semantics.shape import self_pointers


def composite(graph: MemoryGraph) -> frozenset[str]:
    """The structs of which two links of different kinds lead to some node, or a table and something else.

    Links that lead back over each other, as `next` and `prev` do, are of one kind, as are those of siblings
    to their parent and to each other, and another link to one end of what they link is where that hangs, or
    leads there from its other end.  Where several nodes lead to themselves by one link and not by another,
    they are sets that others will join.
    """
    found = set()
    alone: dict[tuple[str, int], list[NodeId]] = defaultdict(list)  # what leads to itself, by which link
    leading: dict[NodeId, list[Place]] = defaultdict(list)
    leads = set()
    for place, value in graph.cells.items():
        if isinstance(value, Pointer) and value.object in graph.nodes and not value.offset:
            match graph.cell_types.get(place):
                case PointerType(PointerType()):
                    continue  # what leads to a link is none
            leading[value.object].append(place)  # type: ignore[index]  # it is a node
            leads.add((place.object, value.object))
    after: dict[ObjectId, set[ObjectId]] = defaultdict(set)
    for holder, led in leads:
        after[holder].add(led)
    for node, places in leading.items():
        tag = _tag(graph.nodes[node].type)
        links: dict[int, list[ObjectId]] = {}  # of its struct, by offset, from where
        mutual: set[ObjectId] = set()
        tables = others = 0
        for place in places:
            owner = graph.nodes.get(place.object) if isinstance(place.object, NodeId) else None
            if place.object == node:
                alone[tag, place.offset].append(node)
                continue
            if tag and owner is not None and _tag(owner.type) == tag:
                if (node, place.object) in leads:
                    mutual.add(place.object)
                elif not _in_family(graph, place, node, tag):
                    links.setdefault(place.offset, []).append(place.object)
            elif _in_table(graph, place, tag):
                tables += not _is_end(graph, place, node, after)
            elif not _is_local_pointer(graph, place):
                others += 1
        # the first of a list that leads back is led to by its second, too
        beside = next(iter(mutual)) if len(mutual) == 1 else None
        hangs = beside is not None and _hangs(graph, node, beside, links, after)
        ways = len(links) + (bool(mutual) and not hangs)
        joined = isinstance(beside, NodeId) and _held(graph, leading[beside], tag)
        if ways > 1 or (tables and (links or others or joined or len(mutual) > 1)):
            found.add(tag)
    found |= {tag for (tag, offset), nodes in alone.items() if tag and _are_sets(graph, nodes, tag, offset)}
    return frozenset(found)


def _are_sets(graph: MemoryGraph, nodes: Collection[NodeId], tag: str, offset: int) -> bool:
    """Whether several nodes lead to themselves by the link at the offset, and not by another link."""
    others = [field.offset for field in self_pointers(graph.types, tag) if field.offset != offset]
    return len(nodes) > 1 and any(_led(graph, node, each) != node for node in nodes for each in others)


def _in_family(graph: MemoryGraph, place: Place, node: NodeId, tag: str) -> bool:
    """Whether the link at a place leads to the parent, or to the next of the children in whose list it is."""
    offsets = {field.offset for field in self_pointers(graph.types, tag)}
    for up, down, along in permutations(offsets, 3) if place.offset in offsets else ():
        if place.offset == up and place.object in _children(graph, node, up, down, along):
            return True
        above = _led(graph, place.object, up)
        if place.offset == along and {place.object, node} <= set(_children(graph, above, up, down, along)):
            return True
    return False


def _children(
    graph: MemoryGraph, parent: ObjectId | None, up: int, down: int, along: int
) -> tuple[ObjectId, ...]:
    """The nodes in the list of a node's children that lead back to it, by the links' offsets; no ring."""
    at, found = _led(graph, parent, down), list[ObjectId]()
    while at is not None and _led(graph, at, up) == parent:
        if at in found:
            return ()
        found.append(at)
        at = _led(graph, at, along)
    return tuple(found)


def _led(graph: MemoryGraph, at: ObjectId | None, offset: int) -> ObjectId | None:
    value = None if at is None else graph.cells.get(Place(at, offset))
    return value.object if isinstance(value, Pointer) else None


def _hangs(
    graph: MemoryGraph,
    node: NodeId,
    beside: ObjectId,
    links: Mapping[int, Sequence[ObjectId]],
    after: Mapping[ObjectId, Collection[ObjectId]],
) -> bool:
    """Whether what leads to this end of a list is one node outside of it, or its other end by the link back.

    `beside` is the list's node next to it.
    """
    leading = [(offset, owner) for offset, owners in links.items() for owner in owners]
    if len(leading) != 1:
        return False
    [(offset, owner)] = leading
    back = graph.cells.get(Place(node, offset))
    if isinstance(back, Pointer) and back.object == beside:
        return True
    work: list[ObjectId] = [node]
    reached: set[ObjectId] = {node}
    while work:
        more = set(after.get(work.pop(), ())) - reached
        reached |= more
        work += more
    return owner not in reached


def _is_end(
    graph: MemoryGraph, place: Place, node: NodeId, after: Mapping[ObjectId, Collection[ObjectId]]
) -> bool:
    """Whether a record of an array leads to the node over links by another pointer, too: a queue's rear.

    So may an element of another array that has the same index.
    """
    beside: Iterable[Place]
    found = element_at(graph, place)
    if found is None:
        beside = with_its_index(graph, place)
    elif graph.types.record_at(found[1], place.offset - found[0]) is None:
        return False
    else:
        first, element = found
        beside = (Place(place.object, first + offset) for offset, _ in graph.types.scalars(element))
    led = (graph.cells.get(each) for each in beside if each != place)
    work: list[ObjectId] = [v.object for v in led if isinstance(v, Pointer) and v.object != node]
    reached = set(work)
    while work:
        more = {each for each in after.get(work.pop(), ()) if isinstance(each, NodeId)} - reached
        reached |= more
        work += more
    return node in reached


def _is_local_pointer(graph: MemoryGraph, place: Place) -> bool:
    """Whether the place is a function's pointer, which may lead anywhere, rather than a part of a record."""
    local = isinstance(place.object, VariableId) and place.object.depth >= 0
    return local and isinstance(graph.type_of(place.object), PointerType)


def _tag(kind: CType | None) -> str:
    return kind.tag if isinstance(kind, StructReference) else ""


def _held(graph: MemoryGraph, leading: Sequence[Place], tag: str) -> bool:
    """Whether of what leads to a node something is part of a record that is neither a node nor in a table."""
    return any(
        _tag(graph.type_of(place.object)) != tag
        and not _in_table(graph, place, tag)
        and not _is_local_pointer(graph, place)
        for place in leading
    )


def _in_table(graph: MemoryGraph, place: Place, tag: str) -> bool:
    """Whether the place is an element of an array, other than the links of a struct `tag`.

    A record may have one inside of it, a stub above the root of a tree: what hangs there hangs on that alone.
    """
    node = graph.nodes.get(place.object) if isinstance(place.object, NodeId) else None
    kind = graph.type_of(place.object)
    if node is not None and node.count > 1:
        return True
    return kind is not None and graph.types.array_at(kind, byte_of(place.offset), tag) is not None
