"""Structs that hang together by links inside: `container_of(p, struct task, run)` leads back to the whole.

The links lead to each other (`struct list_head`), not to the nodes that carry them.  For what looks at
structures such a graph is seen as one of nodes that are links, with what carries them around.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from wolverine.core.expressions import Binary, Cast, Constant, Expression
from wolverine.core.graph import MemoryGraph, Node, NodeId, Place, Pointer, Value
from wolverine.core.parts import parts, without_casts
from wolverine.core.program import Program
from wolverine.core.types import (
    CType,
    Field,
    IntType,
    PointerType,
    StructReference,
    StructType,
    Types,
    VoidType,
)
from wolverine.semantics.indexing import evaluated
from wolverine.semantics.shape import self_pointers


@dataclass(frozen=True, slots=True)
class Carrier:
    """`struct tag` has a `struct link` at a byte offset, from which the program goes back to the whole."""

    tag: str
    link: str
    offset: int


def carriers(program: Program) -> tuple[Carrier, ...]:
    """At most one struct for each sort of link: with several, nothing tells what hangs from which head."""
    found = set(_gone_back(program))
    kept = (one for one in found if sum(other.link == one.link for other in found) == 1)
    return tuple(sorted((one for one in kept if _is_plain(program.types, one)), key=lambda one: one.tag))


def _gone_back(program: Program) -> Iterator[Carrier]:
    casts = (
        part
        for function in program.functions.values()
        for step in function.code
        for expression in evaluated(step)
        for part in parts(expression)
    )
    for cast in casts:
        match cast:
            case Cast(operand, PointerType(StructReference(tag))):
                found = _led_back(operand)
                for field in _fields(program.types, tag):
                    if isinstance(field.type, StructReference) and found == (field.type.tag, field.offset):
                        yield Carrier(tag, field.type.tag, field.offset)


def _led_back(expression: Expression) -> tuple[str, int] | None:
    """The struct to which the expression leads, and how many bytes it goes back from there."""
    match expression.type, expression:
        case PointerType(StructReference(tag)), _:
            return tag, 0
        case _, Cast(inner):
            return _led_back(inner)
        case PointerType(IntType(_, 1) | VoidType()) | IntType(), Binary("-", inner, amount):
            led, back = _led_back(inner), without_casts(amount)
            if led is not None and isinstance(back, Constant):
                return led[0], led[1] + back.value
    return None


def _fields(types: Types, tag: str) -> tuple[Field, ...]:
    struct = types.structs.get(tag)
    return struct.fields if struct is not None else ()


def _is_plain(types: Types, carrier: Carrier) -> bool:
    """Whether the struct has one such link, none to its own kind, and no bit fields."""
    links = [field for field in _fields(types, carrier.tag) if field.type == StructReference(carrier.link)]
    bits = any(isinstance(field.type, IntType) and field.type.bits for field in _fields(types, carrier.tag))
    plain = len(links) == 1 and not bits and not self_pointers(types, carrier.tag)
    return plain and bool(self_pointers(types, carrier.link))


class Carried:
    """A graph as one of linked links (`view`), and the way `back` from graphs that are made like that.

    Carriers to which anything but variables leads as such stay what they are.
    """

    def __init__(self, start: MemoryGraph, found: Sequence[Carrier]) -> None:
        self._start = start
        self._by_link = {one.link: one for one in found if not _led_to_inside(start, one)}
        self._by_tag = {one.tag: one for one in self._by_link.values()}
        self.view = self._seen() if self._by_link else start

    def back(self, graph: MemoryGraph) -> MemoryGraph:
        """A graph made from the view, with the nodes of the program's own types."""
        if not self._by_link:
            return graph
        shifts: dict[NodeId, int] = {}
        nodes = dict(graph.nodes)
        for node in graph.nodes.values():
            if one := self._of(node, self._by_link):
                shifts[node.id] = one.offset
                nodes[node.id] = replace(node, type=StructReference(one.tag))
        return self._moved(replace(graph, types=self._start.types), nodes, shifts)

    def _seen(self) -> MemoryGraph:
        structs = dict(self._start.types.structs)
        for carrier in self._by_link.values():
            structs[carrier.link] = _around(self._start.types, carrier)
        shifts: dict[NodeId, int] = {}
        nodes = dict(self._start.nodes)
        for node in self._start.nodes.values():
            if one := self._of(node, self._by_tag):
                shifts[node.id] = -one.offset
                nodes[node.id] = replace(node, type=StructReference(one.link))
        types = replace(self._start.types, structs=structs)
        led = {at: self._seen_as(at, ctype) for at, ctype in self._start.cell_types.items()}
        return self._moved(replace(self._start, types=types, cell_types=led), nodes, shifts)

    @staticmethod
    def _of(node: Node, by: Mapping[str, Carrier]) -> Carrier | None:
        if not isinstance(node.type, StructReference) or node.count != 1 or node.array:
            return None
        return by.get(node.type.tag)

    def _seen_as(self, at: Place, ctype: CType) -> CType:
        match ctype:
            case PointerType(StructReference(tag)) if self._whole(at):
                return PointerType(StructReference(self._by_tag[tag].link))
        return ctype

    def _moved(
        self, graph: MemoryGraph, nodes: Mapping[NodeId, Node], shifts: Mapping[NodeId, int]
    ) -> MemoryGraph:
        """The graph with the cells of these nodes, and what points to them, so many bytes further."""

        def place(at: Place) -> Place:
            shift = shifts.get(at.object, 0) if isinstance(at.object, NodeId) else 0
            return Place(at.object, at.offset + shift) if shift else at

        def value(at: Place, held: Value) -> Value:
            if not isinstance(held, Pointer) or not isinstance(held.object, NodeId):
                return held
            shift = shifts.get(held.object, 0)
            return Pointer(held.object, held.offset + shift) if shift and not self._whole(at) else held

        cells = {place(at): value(at, held) for at, held in graph.cells.items()}
        types = {place(at): ctype for at, ctype in graph.cell_types.items()}
        stretches = {
            held: tuple(replace(each, offset=place(Place(held, each.offset)).offset) for each in found)
            for held, found in graph.stretches.items()
        }
        return replace(graph, nodes=nodes, cells=cells, cell_types=types, stretches=stretches)

    def _whole(self, at: Place) -> bool:
        """Whether a variable leads to carriers as such: in the view, where links are nodes, to these."""
        match self._start.cell_types.get(at):
            case PointerType(StructReference(tag)) if not isinstance(at.object, NodeId):
                return tag in self._by_tag
        return False


def _led_to_inside(start: MemoryGraph, carrier: Carrier) -> bool:
    wanted = PointerType(StructReference(carrier.tag))
    return any(ctype == wanted and isinstance(at.object, NodeId) for at, ctype in start.cell_types.items())


def _around(types: Types, carrier: Carrier) -> StructType:
    """The link's struct with what carries it around it."""
    inside = types.structs[carrier.link].fields
    fields: list[Field] = []
    for field in _fields(types, carrier.tag):
        if field.offset == carrier.offset:
            fields += inside
        else:
            fields.append(replace(field, offset=field.offset - carrier.offset))
    return StructType(carrier.link, types.structs[carrier.tag].size, tuple(fields))
