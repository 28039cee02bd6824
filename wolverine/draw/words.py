"""The picture in words, for screen readers, logs and whoever cannot see it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

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
from wolverine.draw.names import Names, is_character, is_text, quoted


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
        lines.append("; ".join(_contents(graph, names, cells[variable.id])))
    told = graph.nodes if nodes is None else [node for node in graph.nodes if node in nodes]
    for identifier in sorted(told):
        node = graph.nodes[identifier]
        parts = _contents(graph, names, cells[identifier])
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


def _contents(graph: MemoryGraph, names: Names, places: Sequence[Place]) -> list[str]:
    """What the cells of an object hold, texts as such."""
    found = []
    for array, run in _runs(graph, names, sorted(places, key=_offset)):
        text = _text(graph, run) if array else None
        found += [_cell(graph, names, place) for place in run] if text is None else [f"{array} is {text}"]
    return found


def _runs(graph: MemoryGraph, names: Names, places: Iterable[Place]) -> Iterator[tuple[str, list[Place]]]:
    """The characters of each array together, with its name; other cells by themselves."""

    def array(place: Place) -> tuple[str, Place | None]:
        known = is_character(graph.cell_types.get(place))
        stem = names.place(place, short=True).rpartition("[")[0] if known else ""
        return stem, None if stem else place

    for (stem, _), run in groupby(places, array):
        yield stem, list(run)


def _beside(graph: MemoryGraph, names: Names, array: str, place: Place) -> list[Place]:
    """All characters of the array to which one belongs."""
    places = (each for each in graph.cells if each.object == place.object)
    return next((run for name, run in _runs(graph, names, sorted(places, key=_offset)) if name == array), [])


def _text(graph: MemoryGraph, run: Sequence[Place]) -> str | None:
    """The characters as a text, None where they are none."""
    codes = [graph.cells.get(place) for place in run]
    if all(isinstance(code, Uninitialised) for code in codes):
        return "uninitialised"
    end = codes.index(0) if 0 in codes else len(codes)
    shown = [code & 255 for code in codes[:end] if isinstance(code, int)]
    return quoted(bytes(shown)) if len(shown) == end and is_text(bytes([*shown, 0])) else None


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
    changed = [place for place in changed_places(before, graph) if place in before.cells]
    for array, run in _runs(graph, names, sorted(changed, key=lambda p: (isinstance(p.object, NodeId), p))):
        whole = _beside(graph, names, array, run[0]) if array else []
        now, then = (_text(each, whole) if whole else None for each in (graph, before))
        if now is not None and then is not None:
            parts.append(f"{array} is {now} (before, it was {then})")
            continue
        for place in run:
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
