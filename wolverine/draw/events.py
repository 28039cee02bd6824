"""The graph as data: the `graph` event of the command contract, without its `event` key."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from wolverine.core.graph import (
    External,
    MemoryGraph,
    Node,
    NodeId,
    Opaque,
    Part,
    Place,
    Pointer,
    Uninitialised,
    Value,
    Wild,
)
from wolverine.core.inside import object_type
from wolverine.core.types import ArrayType, CType, OpaqueType, PointerType, StructReference, spell
from wolverine.core.unions import members
from wolverine.draw.names import Names
from wolverine.draw.scope import within
from wolverine.draw.shape import Survey

Json = Any
# What was asked for by this text: what stands at a place, of a type; None: the node that begins there.
Asked = tuple[str, Place, CType | None]


def as_json(
    graph: MemoryGraph,
    changed: Collection[Place] = (),
    roots: Sequence[Place] = (),
    asked: Sequence[Asked] = (),
) -> dict[str, Json]:
    """Nodes, places and the names of the changed places; a value as CONTRACT's "Events" tells.

    With `roots` only what these places lead to, and among the places what was `asked` for.
    """
    return _Writer(graph, roots, asked).graph_object(changed)


def value_json(graph: MemoryGraph, place: Place) -> Json:
    """The value of one cell as events write it."""
    return _Writer(graph).cell(place, graph.cell_types.get(place))


class GraphData(Mapping[str, Json]):
    """The same as `as_json` gives, written out when somebody looks: of a large heap mostly nobody does."""

    def __init__(
        self,
        graph: MemoryGraph,
        changed: Collection[Place] = (),
        roots: Sequence[Place] = (),
        asked: Sequence[Asked] = (),
    ) -> None:
        self._graph = graph
        self._changed = changed
        self._roots = roots
        self._asked = asked

    @cached_property
    def _data(self) -> dict[str, Json]:
        return as_json(self._graph, self._changed, self._roots, self._asked)

    def __getitem__(self, key: str) -> Json:
        return self._data[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and self._data == dict(other)

    def __hash__(self) -> int:
        return hash(len(self._graph.cells))


class _Writer:
    def __init__(self, graph: MemoryGraph, roots: Sequence[Place] = (), asked: Sequence[Asked] = ()) -> None:
        self.graph = graph
        self.names = Names(graph)
        self.roots = roots
        self.asked = asked

    def graph_object(self, changed: Collection[Place]) -> dict[str, Json]:
        graph = self.graph
        shown, _, there = within(Survey(graph), self.roots) if self.roots else (graph.nodes, (), None)
        leaked = graph.leaked()
        loose = self._untyped_offsets()
        nodes = [
            {
                "name": f"n{node.id.number}",
                "type": type_text(node),
                "state": "leaked" if node.id in leaked else node.state,
                "fields": self._fields(node, loose),
            }
            for node in map(graph.nodes.__getitem__, shown)
        ]
        nodes.sort(key=lambda node: int(node["name"][1:]))
        places = {
            self.names.object(variable.id): self.part(Place(variable.id, 0), variable.type)
            for variable in graph.variables()
            if there is None or variable.id in there
        }
        for text, place, ctype in self.asked:
            places[text] = self.part(place, ctype) if ctype else self._pointer(Pointer(*place), None)
        return {"nodes": nodes, "places": places, "changed": sorted({self.names.place(p) for p in changed})}

    def _untyped_offsets(self) -> dict[NodeId, list[int]]:
        untyped = {node.id for node in self.graph.nodes.values() if node.type is None}
        found: dict[NodeId, list[int]] = defaultdict(list)
        if untyped:
            for target, offset in self.graph.cells:
                if target in untyped and isinstance(target, NodeId):
                    found[target].append(offset)
        return found

    def _fields(self, node: Node, loose: dict[NodeId, list[int]]) -> Json:
        ctype = object_type(node)
        if ctype is None:
            return {f"+{o}": self.cell(Place(node.id, o), None) for o in sorted(loose.get(node.id, ()))}
        start = Place(node.id, 0)
        whole = self.part(start, ctype)
        opened = start in self.graph.unions and bool(self.graph.unions[start].parts)
        return (
            whole if isinstance(whole, dict | list) and (opened or not _is_value(ctype)) else {"value": whole}
        )

    def part(self, place: Place, ctype: CType) -> Json:
        """A variable or a part of an object: lists for arrays, objects for structs."""
        match self.graph.filled(place, ctype):
            case StructReference(tag) if tag in self.graph.types.structs:
                found: dict[str, Json] = {}
                for field in self.graph.types.structs[tag].fields:
                    inner = Place(place.object, place.offset + field.offset)
                    if field.name:
                        found[field.name] = self.part(inner, field.type)
                    else:
                        found.update(self._unnamed(inner, field.type))
                return found
            case OpaqueType() if place in self.graph.unions and self.graph.unions[place].parts:
                return self._in_use(place, self.graph.unions[place].parts)
            case ArrayType(element, length):
                size = self.graph.types.size(element)
                return [
                    self.part(Place(place.object, place.offset + i * size), element) for i in range(length)
                ]
            case _:
                return self.cell(place, ctype)

    def _in_use(self, place: Place, parts: Iterable[Part]) -> dict[str, Json]:
        """The member of a union that is in use: `{"pair": {"car": ..., "cdr": ...}}`."""
        found: dict[str, Json] = {}
        for part in parts:
            *outer, name = part.path.split(".")
            inner = found
            for each in outer:
                inner = inner.setdefault(each, {})
            inner[name] = self.part(Place(place.object, place.offset + part.offset), part.type)
        return found

    def _unnamed(self, place: Place, ctype: CType) -> dict[str, Json]:
        """The members of a union without a name; where none is known to be in use, all, as its bytes are."""
        if place in self.graph.unions and self.graph.unions[place].parts:
            return self._in_use(place, self.graph.unions[place].parts)
        whole = self.cell(place, ctype)
        return {member.first: whole for member in members(self.graph.types, ctype)}

    def cell(self, place: Place, ctype: CType | None) -> Json:
        value = self.graph.cells.get(place, Uninitialised())
        return self._value(value, self.graph.cell_types.get(place, ctype))

    def _value(self, value: Value, ctype: CType | None) -> Json:
        match value:
            case Pointer():
                return self._pointer(value, ctype)
            case Uninitialised():
                return {"uninitialised": True}
            case Wild(address):
                return {"wild": hex(address)}
            case External(address):
                return {"address": hex(address)}
            case Opaque(data):
                return {"bytes": data.hex()}
            case float() if not math.isfinite(value):
                return {"number": str(value)}
            case _:
                return value

    def _pointer(self, value: Pointer, ctype: CType | None) -> Json:
        target = value.object
        if not isinstance(target, NodeId):
            return {"place": self.names.pointer(value, ctype, short=False).removeprefix("&")}
        name = f"n{target.number}"
        wanted = ctype.target if isinstance(ctype, PointerType) else None
        path = self.names.inside(target, value.offset, wanted).removeprefix(".") if value.offset else ""
        node = self.graph.nodes.get(target)
        if node is not None and node.state == "freed":
            return {"dangling": name, "field": path} if path else {"dangling": name}
        return {"node": name, "field": path} if path else name


def type_text(node: Node) -> str:
    """A node's type as C spells it, arrays with their length."""
    if node.type is None:
        return "unknown"
    return spell(ArrayType(node.type, node.count) if node.array or node.count != 1 else node.type)


def _is_value(ctype: CType) -> bool:
    return not isinstance(ctype, ArrayType | StructReference)
