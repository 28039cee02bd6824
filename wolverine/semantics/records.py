"""The records in which places lie: variables and nodes, or elements of arrays of them."""

from __future__ import annotations

from wolverine.core.graph import MemoryGraph, NodeId, Place
from wolverine.core.types import ArrayType, CType, StructReference


def element_at(graph: MemoryGraph, place: Place) -> tuple[int, StructReference] | None:
    """Where the element of an array of records begins in which a place lies, and its type; None for none."""
    node = graph.nodes.get(place.object) if isinstance(place.object, NodeId) else None
    match graph.type_of(place.object):
        case ArrayType(StructReference() as element):
            pass
        case StructReference() as element if node is not None and node.count > 1:
            pass
        case _:
            return None
    return place.offset - place.offset % graph.types.size(element), element


def record_at(graph: MemoryGraph, place: Place) -> tuple[int, CType | None]:
    """That, or the whole variable or node."""
    return element_at(graph, place) or (0, graph.type_of(place.object))
