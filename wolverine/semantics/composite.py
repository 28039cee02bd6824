"""Heaps in which the same nodes hang on several structures: an LRU list and a table's chains, the levels of a
skip list, `next` and `random`.

How such structures go together is known to the program alone, so that heaps made anew are none that come.
"""

from __future__ import annotations

from collections import defaultdict

from wolverine.core.graph import MemoryGraph, NodeId, ObjectId, Place, Pointer, VariableId
from wolverine.core.types import CType, PointerType, StructReference, byte_of


def composite(graph: MemoryGraph) -> frozenset[str]:
    """The structs of which some node is led to by two links of different kinds, or by a table and otherwise.

    Links that lead back over each other, as `next` and `prev` do, are of one kind.
    """
    found = set()
    leading: dict[NodeId, list[Place]] = defaultdict(list)
    leads = set()
    for place, value in graph.cells.items():
        if isinstance(value, Pointer) and value.object in graph.nodes and not value.offset:
            match graph.cell_types.get(place):
                case PointerType(PointerType()):
                    continue  # what leads to a link is none
            leading[value.object].append(place)  # type: ignore[index]  # it is a node
            leads.add((place.object, value.object))
    for node, places in leading.items():
        tag = _tag(graph.nodes[node].type)
        links: set[int] = set()  # of its struct, by offset
        mutual: set[ObjectId] = set()
        tables = others = 0
        for place in places:
            owner = graph.nodes.get(place.object) if isinstance(place.object, NodeId) else None
            if place.object == node:
                continue
            if tag and owner is not None and _tag(owner.type) == tag:
                if (node, place.object) in leads:
                    mutual.add(place.object)
                else:
                    links.add(place.offset)
            elif _in_table(graph, place):
                tables += 1
            elif not isinstance(place.object, VariableId) or place.object.depth < 0:
                others += 1
        # the first of a list that leads back is led to by its second, too
        several = len(links) + bool(mutual) > 1 or (tables and (links or others or len(mutual) > 1))
        if several:
            found.add(tag)
    return frozenset(found)


def _tag(kind: CType | None) -> str:
    return kind.tag if isinstance(kind, StructReference) else ""


def _in_table(graph: MemoryGraph, place: Place) -> bool:
    """Whether the place is an element of an array."""
    node = graph.nodes.get(place.object) if isinstance(place.object, NodeId) else None
    kind = graph.type_of(place.object)
    if node is not None and node.count > 1:
        return True
    return kind is not None and graph.types.array_at(kind, byte_of(place.offset)) is not None
