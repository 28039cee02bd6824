"""The records in which places lie: variables and nodes, or elements of arrays of them."""

from __future__ import annotations

from wolverine.core.graph import MemoryGraph, NodeId, Place
from wolverine.core.types import ArrayType, CType, StructReference, Types, byte_of


def element_at(graph: MemoryGraph, place: Place) -> tuple[int, StructReference] | None:
    """Where the element of an array of records begins in which a place lies, and its type; None for none.

    The array may be a field of a record.
    """
    node = graph.nodes.get(place.object) if isinstance(place.object, NodeId) else None
    match graph.type_of(place.object):
        case StructReference() as element if node is not None and node.count > 1:
            return place.offset - place.offset % graph.types.size(element), element
        case None:
            return None
        case kind:
            return _inside(graph.types, kind, byte_of(place.offset))


def _inside(types: Types, kind: CType, offset: int) -> tuple[int, StructReference] | None:
    match kind:
        case ArrayType(StructReference() as element):
            return offset - offset % types.size(element), element
        case StructReference(tag) if tag in types.structs:
            for field in types.structs[tag].fields:
                at = offset - field.offset
                if 0 <= at < types.size(field.type) and (found := _inside(types, field.type, at)) is not None:
                    return field.offset + found[0], found[1]
    return None


def record_at(graph: MemoryGraph, place: Place) -> tuple[int, CType | None]:
    """That, or the whole variable or node."""
    return element_at(graph, place) or (0, graph.type_of(place.object))
