"""Pointers that programs keep as integers, with flags in their lowest bits (the parent in Linux' rbtree)."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

from wolverine.core.graph import MemoryGraph, Node, Pointer
from wolverine.core.inside import begun
from wolverine.core.types import CType, IntType, PointerType, StructReference

_BYTES = 8  # of an integer that holds an address
_FLAGS = 7  # bits that are free, since blocks and structs with pointers begin at multiples of 8
_LEAST = 1 << 32  # nodes have no addresses below


class Kept:
    """The integers of one graph that lead to nodes."""

    def __init__(self, graph: MemoryGraph) -> None:
        self._graph = graph

    def leads(self, value: int, ctype: CType | None) -> tuple[Pointer, PointerType, int] | None:
        """Where an integer leads, as what, and its flags; None where no struct begins there."""
        if value < _LEAST or not isinstance(ctype, IntType) or ctype.size != _BYTES:
            return None
        address, flags = value & ~_FLAGS, value & _FLAGS
        at = bisect_right(self._nodes, address, key=lambda node: node.address) - 1
        if at < 0 or not self._nodes[at].address <= address < self._nodes[at].address + self._nodes[at].size:
            return None
        node = self._nodes[at]
        offset = address - node.address
        inside = begun(self._graph.types, node.type, offset) if node.type is not None else ()
        there = next((part for part in inside if isinstance(part, StructReference)), None)
        if there is None:
            return None
        return Pointer(node.id, offset), PointerType(there), flags

    @cached_property
    def _nodes(self) -> list[Node]:
        return sorted(self._graph.nodes.values(), key=lambda node: node.address)
