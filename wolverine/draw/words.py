"""The picture in words, for screen readers, logs and whoever cannot see it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping

from wolverine.core.graph import (
    MemoryGraph,
    NodeId,
    ObjectId,
    Place,
    Pointer,
    Uninitialised,
    Wild,
    changed_places,
)
from wolverine.draw.names import Names


def describe(
    graph: MemoryGraph,
    before: MemoryGraph | None = None,
    nodes: Collection[NodeId] | None = None,
    lost: Mapping[NodeId, int] | None = None,
) -> str:
    """Plain text: `head points to n4; n4.next points to n3; n2 is lost`, a line per object.

    With `before`, what changed since then is told first.  Of `nodes`, where they are given, the contents
    are told; the others are counted.  `lost` has the lines since which nodes are lost.
    """
    names = Names(graph)
    lines: list[str] = []
    if before is not None:
        lines += _changes(graph, before, names)
    cells: dict[ObjectId, list[Place]] = defaultdict(list)
    for place in graph.cells:
        cells[place.object].append(place)
    leaked = graph.leaked()
    for variable in graph.variables():
        lines.append("; ".join(_cell(graph, names, p) for p in sorted(cells[variable.id], key=_offset)))
    told = graph.nodes if nodes is None else [node for node in graph.nodes if node in nodes]
    for identifier in sorted(told):
        node = graph.nodes[identifier]
        parts = [_cell(graph, names, place) for place in sorted(cells[identifier], key=_offset)]
        if identifier in leaked:
            line = (lost or {}).get(identifier)
            parts.insert(0, f"n{identifier.number} is lost" + (f" since line {line}" if line else ""))
        elif node.state == "freed":
            parts.insert(0, f"n{identifier.number} is freed")
        lines.append("; ".join(parts or [f"n{identifier.number} is allocated"]))
    if len(told) < len(graph.nodes):
        lines.append(f"and {len(graph.nodes) - len(told)} more nodes")
    return "\n".join(line for line in lines if line) or "there are no variables and no nodes"


def _offset(place: Place) -> int:
    return place.offset


def _cell(graph: MemoryGraph, names: Names, place: Place) -> str:
    return f"{names.place(place, short=True)} {_value(graph, names, place)}"


def _value(graph: MemoryGraph, names: Names, place: Place) -> str:
    value = graph.cells[place]
    ctype = graph.cell_types.get(place) or names.type_of(place.object)
    match value:
        case None:
            return "is null"
        case Uninitialised():
            return "is uninitialised"
        case Wild(address):
            return f"points to no object ({hex(address)})"
        case Pointer(NodeId() as target) if target in graph.nodes and graph.nodes[target].state == "freed":
            return f"dangles, it points to freed {names.pointer(value, ctype).removeprefix('&')}"
        case Pointer():
            return f"points to {names.pointer(value, ctype).removeprefix('&')}"
        case _:
            return f"is {names.value(value, ctype)}"


def _changes(graph: MemoryGraph, before: MemoryGraph, names: Names) -> list[str]:
    old_names = Names(before)
    parts = []
    for place in sorted(changed_places(before, graph), key=lambda p: (isinstance(p.object, NodeId), p)):
        if place in before.cells:
            was = _value(before, old_names, place)
            parts.append(f"{_cell(graph, names, place)} (before, it {_past(was)})")
    for identifier in sorted(graph.nodes):
        old = before.nodes.get(identifier)
        if old is None:
            parts.append(f"n{identifier.number} is new")
        elif old.state != graph.nodes[identifier].state:
            parts.append(f"n{identifier.number} is now {graph.nodes[identifier].state}")
    lost = graph.leaked() - before.leaked()
    parts += [f"n{identifier.number} is now lost" for identifier in sorted(lost)]
    return ["changed: " + "; ".join(parts)] if parts else []


def _past(text: str) -> str:
    for now, then in (("is ", "was "), ("points ", "pointed "), ("dangles", "dangled")):
        if text.startswith(now):
            return then + text.removeprefix(now)
    return text
