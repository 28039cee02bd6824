"""Values and graphs in the model's terms: raw values by cell key, and back."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from typing import Any

from wolverine.core.graph import (
    UNINITIALISED,
    External,
    MemoryGraph,
    Node,
    NodeId,
    ObjectId,
    Opaque,
    Outside,
    Place,
    Pointer,
    Uninitialised,
    Value,
    VariableId,
    Wild,
)
from wolverine.core.types import (
    BIT,
    CHAR,
    INT,
    LONG,
    VOID_POINTER,
    CType,
    FloatType,
    IntType,
    OpaqueType,
    PointerType,
    Types,
    bit_of,
    byte_of,
)
from wolverine.core.unions import alternatives
from wolverine.semantics.address import (
    ADDRESS_MASK,
    BITS,
    EXTERNAL,
    FLOAT4,
    FLOAT8,
    FLOAT16,
    HIDDEN,
    INT1,
    INT2,
    INT4,
    INT8,
    KIND_SHIFT,
    KIND_SIZE,
    LITERAL,
    LITERALS,
    OPAQUE,
    POINTER,
    SPOILT,
    STATE_KEY,
    WILD,
    ZEROED_KEY,
    cell_key,
    is_real,
    kind_of,
    node_address,
    number_of,
    offset_of,
    signed_raw,
)
from wolverine.semantics.layout import Extent, Layout
from wolverine.semantics.machine import Machine
from wolverine.semantics.memory import Memory, Repeated
from wolverine.semantics.unknown import Unknown

_WORD = (1 << 64) - 1
_SPOILT = SPOILT << KIND_SHIFT
# what a cell of each kind holds where nothing tells its type
DEFAULT_TYPES: Mapping[int, CType] = {
    POINTER: VOID_POINTER, INT1: CHAR, INT2: IntType("short", 2), INT4: INT, INT8: LONG,
    FLOAT4: FloatType("float", 4), FLOAT8: FloatType("double", 8), FLOAT16: FloatType("long double", 16),
    OPAQUE: OpaqueType("", 1),
}  # fmt: skip
BIT_FIELD = IntType("unsigned int", 4, False, 31)  # and where it is that of a bit field


def encode(layout: Layout, value: Value, ctype: CType | None) -> Any:
    """What a cell of that type holds for a graph's value; None for uninitialised."""
    if type(value) is int and isinstance(ctype, IntType):
        return signed_raw(value, ctype.size)
    match value:
        case None:
            return 0
        case Uninitialised():
            return None
        case Pointer(identity, offset):
            base = layout.object_address(identity)
            return WILD + (hash(value) & _WORD) if base is None else base + offset
        case External(address):
            named = layout.library_function(address)
            return EXTERNAL + (address & _WORD) if named is None else named
        case Wild(address):
            return WILD + (address & _WORD)
        case Opaque():
            return value
        case float():
            return value
    if isinstance(ctype, PointerType):
        return WILD + (value & _WORD) if value else 0
    if isinstance(ctype, FloatType):
        return float(value)
    return signed_raw(value, 8)


def decode(machine: Machine, raw: Any, ctype: CType) -> Value:
    """The graph's value of what a cell of that type holds."""
    if raw is None or isinstance(raw, Unknown):
        return UNINITIALISED
    if isinstance(raw, (float, Opaque)):
        return raw
    if isinstance(ctype, PointerType):
        return decode_pointer(machine, raw)
    if isinstance(ctype, IntType) and not ctype.signed:
        return int(raw) & (1 << 8 * ctype.size) - 1
    return int(raw)


def decode_pointer(machine: Machine, raw: int) -> Value:
    """The graph's value of a pointer."""
    if raw == 0:
        return None
    if raw >= LITERAL:
        return External(LITERALS + raw - LITERAL)  # its real address is the process' business
    if raw >= WILD:
        return Wild(raw - WILD)
    if raw >= EXTERNAL:
        return External(raw - EXTERNAL)
    found = machine.layout.object_at(raw, machine.function_at)
    if found is None or (isinstance(found, NodeId) and machine.memory.node_size(found.number) is None):
        return Wild(raw & _WORD)
    return Pointer(found, offset_of(raw))


def guess_kinds(value: Value, offset: int) -> tuple[int, ...]:
    """The kinds that a cell with such a value at such an offset or address may have, likeliest first."""
    if offset >= BIT:
        return (BITS,)
    if isinstance(value, float):
        return (FLOAT8, FLOAT4, FLOAT16)
    if isinstance(value, int):
        return (INT4, INT8, INT1, INT2, POINTER, BITS)
    if isinstance(value, Opaque):
        return (OPAQUE,)
    return (POINTER,)


@dataclass(frozen=True)
class Encoded:
    """A graph in the model's terms: raw value by cell key (None: uninitialised), and the cells' places.

    `nodes` has each node's bookkeeping cell; `count` is the highest node number.
    """

    cells: dict[int, Any]
    places: dict[int, Place]
    nodes: dict[int, int]
    count: int


def encode_graph(layout: Layout, graph: MemoryGraph) -> Encoded:
    """All cells of a graph that belong to nodes and to variables of the program."""
    layout.named(graph.outside.symbols)
    objects: dict[ObjectId, Extent | None] = {}
    cells: dict[int, Any] = {}
    places: dict[int, Place] = {}
    shifts: dict[CType, int] = {}
    firsts: dict[CType, Mapping[int, int | float]] = {}
    for place, value in graph.cells.items():
        identity, offset = place
        if identity not in objects:
            objects[identity] = _object(layout, graph, identity)
        found = objects[identity]
        if found is None:
            continue
        base, start, size, scalars = found
        at = offset if offset < BIT else byte_of(offset)
        if at >= start + size:
            at = start + (at - start) % size
        ctype = scalars.get(at if offset < BIT else bit_of(offset) * BIT + at)
        if type(ctype) is OpaqueType and ctype.union:
            ctype = graph.cell_types.get(place)
        if type(ctype) is OpaqueType and ctype.union and type(value) is Opaque:
            known: Mapping[int, int | float] = {}
            if isinstance(identity, VariableId) and identity.depth < 0 and not any(value.data):
                if ctype not in firsts:
                    firsts[ctype] = _first_member(graph.types, ctype)
                known = firsts[ctype]
            told = {byte for key in known for byte in _bytes_of(key)}
            rest = (at + _SPOILT for at in range(len(value.data)) if at not in told)
            for key, raw in (*known.items(), *((key, 1) for key in rest)):
                cells[base + offset + key] = raw
                places[base + offset + key] = place
            continue
        if ctype is None:
            ctype = graph.cell_types.get(place) or _guess(value, offset)
        shift = shifts.get(ctype)
        if shift is None:
            shift = shifts[ctype] = kind_of(ctype) << KIND_SHIFT
        key = base + offset + shift
        places[key] = place
        if value is None:
            cells[key] = 0
        elif type(value) is Pointer:
            target, inside = value
            if target not in objects:
                objects[target] = _object(layout, graph, target)
            there = objects[target]
            cells[key] = encode(layout, value, ctype) if there is None else there.address + inside
        else:
            cells[key] = encode(layout, value, ctype)
    return Encoded(cells, places, *_encode_nodes(graph))


def _first_member(types: Types, ctype: CType) -> dict[int, int | float]:
    """The cells with which a union of static storage begins, from address 0: its first member is zero.

    So C11 6.7.9p10 says.  There are none where that has bit fields, or bytes that are not understood.
    """
    parts = next(iter(alternatives(types, ctype)), ())
    scalars = [each for part in parts for each in types.scalars(part.type, part.offset)]
    if any(isinstance(scalar, OpaqueType) or at >= BIT for at, scalar in scalars):
        return {}
    keys = [cell_key(scalar, at) for at, scalar in scalars]
    return {key: 0.0 if is_real(key) else 0 for key in keys}


def _bytes_of(key: int) -> range:
    at = key & ADDRESS_MASK
    return range(at, at + KIND_SIZE.get(key >> KIND_SHIFT, 1))


def _encode_nodes(graph: MemoryGraph) -> tuple[dict[int, int], int]:
    nodes = {}
    for identity, node in graph.nodes.items():
        nodes[node_address(identity.number) + STATE_KEY] = (
            node.size if node.state == "live" else -1 - node.size
        )
    return nodes, max((n.number for n in graph.nodes), default=0)


def encode_changes(
    layout: Layout, graph: MemoryGraph, before: MemoryGraph, encoded: Encoded
) -> tuple[Encoded, Set[int]] | None:
    """The encoding of a graph from the one before it, and the keys at which they may differ.

    None where it is not known what changed.
    """
    apart = graph.descent.apart(before.descent)
    if apart is None:
        return None
    old = encode_graph(layout, replace(before, cells=_only(before.cells, apart), nodes=_named(before, apart)))
    new = encode_graph(layout, replace(graph, cells=_only(graph.cells, apart), nodes=_named(graph, apart)))
    cells, places = dict(encoded.cells), dict(encoded.places)
    for key in old.cells.keys() - new.cells.keys():
        cells.pop(key, None)
        places.pop(key, None)
    cells.update(new.cells)
    places.update(new.places)
    if graph.nodes is before.nodes:
        nodes, count = encoded.nodes, encoded.count
    else:
        nodes, count = _encode_nodes(graph)
    changed = old.cells.keys() | new.cells.keys()
    changed |= (
        {key for key, _ in nodes.items() ^ encoded.nodes.items()} if nodes is not encoded.nodes else set()
    )
    return Encoded(cells, places, nodes, count), changed


def _only(cells: Mapping[Place, Value], places: Set[Place]) -> dict[Place, Value]:
    return {place: cells[place] for place in places if place in cells}


def _named(graph: MemoryGraph, places: Set[Place]) -> dict[NodeId, Node]:
    nodes = graph.nodes
    return {p.object: nodes[p.object] for p in places if isinstance(p.object, NodeId) and p.object in nodes}


def encode_stretches(layout: Layout, graph: MemoryGraph) -> dict[int, list[Repeated]]:
    """What the stretches of a graph hold, by the numbers of their objects."""
    found: dict[int, list[Repeated]] = {}
    for identity, stretches in graph.stretches.items():
        base = layout.object_address(identity)
        if base is not None:
            found[number_of(base)] = [
                Repeated(
                    each.offsets, kind_of(each.type) << KIND_SHIFT, encode(layout, each.value, each.type)
                )
                for each in stretches
            ]
    return found


def encode_outside(layout: Layout, outside: Outside) -> dict[int, Any]:
    """The cells of memory outside the program's objects, by key."""
    cells: dict[int, Any] = {}
    for address, data in outside.strings.items():
        base = EXTERNAL + address + (INT1 << KIND_SHIFT)
        cells.update((base + at, signed_raw(code, 1)) for at, code in enumerate(data))
    for address, value in outside.pointers.items():
        cells[EXTERNAL + address + (POINTER << KIND_SHIFT)] = encode(layout, value, VOID_POINTER)
    return cells


def _object(layout: Layout, graph: MemoryGraph, identity: ObjectId) -> Extent | None:
    """Where an object of a graph lies, and its scalars."""
    if not isinstance(identity, NodeId):
        return layout.variable_extent(identity)
    node = graph.nodes.get(identity)
    return layout.extent_of(node_address(identity.number), node.type if node is not None else None)


def _guess(value: Value, offset: int) -> CType:
    return DEFAULT_TYPES.get(guess_kinds(value, offset)[0], BIT_FIELD)


def scalar_type(layout: Layout, graph: MemoryGraph, place: Place) -> CType | None:
    """The type of a cell: declared for a variable's, seen in the graph for a node's.

    None in a union, where other states may have cells of other types.
    """
    if place in graph.in_unions:
        return None
    if isinstance(place.object, VariableId):
        declared = layout.variable_type(place.object)
        if declared is not None:
            found = layout.scalar(declared, place.offset)
            if found is not None:
                return None if isinstance(found, OpaqueType) and found.union else found
    return graph.cell_types.get(place)


def held_at(memory: Memory, key: int) -> Any:
    """What a cell holds, as `held`."""
    raw = memory.cells.get(key)
    return held(memory, key & ADDRESS_MASK, key >> KIND_SHIFT) if raw is None else raw


def held(memory: Memory, address: int, kind: int) -> Any:
    """What the cell of that kind at an address holds, zero where calloc cleared it, None if nothing."""
    key = address + (kind << KIND_SHIFT)
    raw = memory.cells.get(key)
    if raw is None and memory.strict:
        raw = memory.cells.get(key + HIDDEN)
    if raw is None:
        address = key & ADDRESS_MASK
        zeroed = memory.cells.get(address - offset_of(address) + ZEROED_KEY)
        if zeroed is not None and 0 <= offset_of(address) < zeroed:
            return 0.0 if FLOAT4 <= kind <= FLOAT16 else 0
        if memory.stretches:
            return memory.repeated(key)
    return raw
