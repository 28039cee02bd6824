"""The records in which places lie: variables and nodes, or elements of arrays of them.

Arrays of one type beside each other (`first[w]`, `last[w]`) have such records as well: what has one index.
"""

from __future__ import annotations

from collections.abc import Iterator

from wolverine.core.graph import MemoryGraph, NodeId, Place, VariableId
from wolverine.core.types import ArrayType, CType, PointerType, StructReference, Types, byte_of


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


def with_its_index(graph: MemoryGraph, place: Place) -> Iterator[Place]:
    """The elements of other arrays of pointers that have the index of one; none where it is none.

    These arrays are variables of one function, all globals, or fields of one struct.
    """
    kind = graph.type_of(place.object)
    match place.object, kind:
        case VariableId(depth, function), ArrayType(PointerType()):
            for each in graph.variables():
                beside = each.id != place.object and (each.id.depth, each.id.function) == (depth, function)
                if beside and each.type == kind:
                    yield Place(each.id, place.offset)
        case _, StructReference(tag) if tag in graph.types.structs:
            arrays = [f for f in graph.types.structs[tag].fields if _is_of_pointers(f.type)]
            for field in arrays:
                if field.offset <= place.offset < field.offset + graph.types.size(field.type):
                    alike = (other for other in arrays if other.type == field.type and other != field)
                    at = place.offset - field.offset
                    yield from (Place(place.object, other.offset + at) for other in alike)


def _is_of_pointers(kind: CType) -> bool:
    return isinstance(kind, ArrayType) and isinstance(kind.element, PointerType)
