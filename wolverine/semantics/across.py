"""Links from nodes to another structure that never are null: roads lead to towns, whatever there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wolverine.core.graph import MemoryGraph, NodeId, Place, Pointer
from wolverine.core.types import PointerType, StructReference
from wolverine.semantics.shape import Shape

_SEVERAL = 3  # nodes that tell what all do
_Led = tuple[NodeId, int, int]  # a node of a structure, that structure's number, an offset in the node


def across(
    start: MemoryGraph, shapes: Sequence[Shape], kept: Sequence[NodeId]
) -> Mapping[tuple[str, int], Mapping[NodeId, _Led]]:
    """Such fields of nodes in structures, and of those `kept`, by struct and offset, with where they lead."""
    inside = {node: number for number, each in enumerate(shapes) for node in each.nodes}
    nodes: dict[str, list[NodeId]] = {}
    for node in (*inside, *kept):
        match start.nodes[node].type:
            case StructReference(tag):
                nodes.setdefault(tag, []).append(node)
    found: dict[tuple[str, int], dict[NodeId, _Led]] = {}
    for tag, alike in nodes.items():
        for offset, scalar in start.types.scalars(StructReference(tag)) if len(alike) >= _SEVERAL else ():
            match scalar:
                case PointerType(StructReference(other)) if other != tag:
                    pass
                case _:
                    continue
            led = {
                node: (value.object, inside[value.object], value.offset)
                for node in alike
                if isinstance(value := start.cells.get(Place(node, offset)), Pointer)
                and isinstance(value.object, NodeId)
                and value.object in inside
            }
            if len(led) == len(alike):
                found[tag, offset] = led
    return found
