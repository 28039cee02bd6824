"""What a call has returned, while it is on its way to where the caller keeps it."""

from __future__ import annotations

import re
from dataclasses import replace

from wolverine.core.graph import MemoryGraph, Node, descend
from wolverine.core.process import Stop

_POINTER = re.compile(r"Value returned is \S+ = \(.*\*\) (0x[0-9a-f]+)\Z")


def with_returned(graph: MemoryGraph, stop: Stop) -> tuple[MemoryGraph, Stop]:
    """A stop behind a call and its graph, with the node to which the returned pointer leads, if there is one.

    The graph holds it, so that it is not lost; the stop's words have its name.
    """
    found = _POINTER.match(stop.text) if stop.reason == "finish" else None
    node = _at(graph, int(found[1], 16)) if found is not None else None
    if found is None or node is None:
        return graph, stop
    holding = replace(graph, returned=node.id)
    descend(holding, graph, frozenset())
    inside = "" if node.address == int(found[1], 16) else "inside "
    return holding, replace(stop, text=f"{stop.text} ({inside}n{node.id.number})")


def _at(graph: MemoryGraph, address: int) -> Node | None:
    """The node at an address: a live one rather than a freed one that was there before."""
    there = [node for node in graph.nodes.values() if node.address <= address < node.address + node.size]
    return min(there, key=lambda node: node.state != "live", default=None)
