"""Unions: their members, and what these say of the bytes.

A union is one cell of bytes, for which of its members was written last is not known. A member is read and
written as a part of these bytes.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wolverine.core.graph import (
    UNINITIALISED,
    External,
    MemoryGraph,
    Node,
    NodeId,
    Opaque,
    Pointer,
    Value,
    VariableId,
)
from wolverine.core.types import (
    ArrayType,
    CType,
    FloatType,
    IntType,
    OpaqueType,
    PointerType,
    StructReference,
    Types,
    bit_of,
    byte_of,
)

_FLOATS = {4: "<f", 8: "<d"}
_LOWEST = 1 << 16  # below there is no memory, nor above so many bits
_ADDRESS_BITS = 47
_TINY = 1e-300  # what small integers are as `double`
_MOST = 64  # members of one union that are listed


@dataclass(frozen=True, slots=True)
class Member:
    """A scalar or an array of characters in a union: `pair.a`, where it begins, what it is."""

    path: str
    offset: int
    type: CType

    @property
    def first(self) -> str:
        """The member of the union itself that it belongs to."""
        return self.path.partition(".")[0].partition("[")[0]


def is_union(types: Types, ctype: CType | None) -> bool:
    """Whether the type is a union with known members."""
    return isinstance(ctype, OpaqueType) and ctype.name in types.unions


def members(types: Types, ctype: CType) -> tuple[Member, ...]:
    """What a union may hold, in source order."""
    found: list[Member] = []
    for member in _parts(types, ctype, "", 0):
        found.append(member)
        if len(found) >= _MOST:
            break
    return tuple(found)


def _parts(types: Types, ctype: CType, path: str, offset: int) -> Iterator[Member]:
    match ctype:
        case OpaqueType(name) if name in types.unions:
            inner = types.unions[name]
        case StructReference(tag) if tag in types.structs:
            inner = types.structs[tag].fields
        case ArrayType(element, length) if not (isinstance(element, IntType) and element.size == 1):
            step = types.size(element)
            for index in range(min(length, _MOST)):
                yield from _parts(types, element, f"{path}[{index}]", offset + index * step)
            return
        case _:
            yield Member(path, offset, ctype)
            return
    for each in inner:
        further = f"{path}.{each.name}" if path and each.name else path or each.name
        yield from _parts(types, each.type, further, offset + each.offset)


def holds(graph: MemoryGraph, data: bytes, member: Member) -> Value:
    """What a member is, in the bytes of its union."""
    return read(graph, data, member.offset, member.type)


def read(graph: MemoryGraph, data: bytes, offset: int, ctype: CType) -> Value:
    """What stands at an offset of a union's bytes, read as a type."""
    start, size = byte_of(offset), graph.types.size(ctype)
    piece = data[start : start + size]
    if isinstance(ctype, IntType) and ctype.bits:
        return ctype.wrap(int.from_bytes(data[start : start + 9], "little") >> bit_of(offset))
    if size > 1 and piece == b"\xcd" * size:
        return UNINITIALISED
    match ctype:
        case IntType():
            return ctype.wrap(int.from_bytes(piece, "little"))
        case FloatType() if size in _FLOATS and len(piece) == size:
            number: float = struct.unpack(_FLOATS[size], piece)[0]
            return number
        case PointerType():
            return _meant(graph, int.from_bytes(piece, "little"))
    return Opaque(piece)


def _meant(graph: MemoryGraph, address: int) -> Value:
    """What an address means; one that leads nowhere is hardly a pointer, so it is nothing wild."""
    if address == 0:
        return None
    inside: Node | None = None
    for node in graph.nodes.values():
        if node.address and node.address <= address < node.address + max(node.size, 1):
            inside = node if inside is None or node.state == "live" else inside
    if inside is not None:
        return Pointer(inside.id, address - inside.address)
    for variable in graph.variables():
        size = graph.types.size(variable.type)
        if variable.address and variable.address <= address < variable.address + size:
            return Pointer(variable.id, address - variable.address)
    for name, entry in graph.outside.functions.items():
        if entry == address:
            return Pointer(VariableId(-1, "", name))
    return External(address)


def telling(graph: MemoryGraph, ctype: CType, data: bytes) -> Sequence[Member]:
    """The members that are worth a look: where pointers of one lead to nodes, the others mean little.

    Of several such members the one whose pointer has the type of the node.  Where none leads to one, those
    mean nothing that would lead to no memory at all, or be hardly a number.
    """
    found = members(graph.types, ctype)
    groups: dict[str, list[Member]] = {}
    for member in found:
        groups.setdefault(member.first, []).append(member)
    known = [(group, rank) for group in groups.values() if (rank := _leads(graph, data, group))]
    if not known:
        likely = [m for group in groups.values() if not _nonsense(graph, data, group) for m in group]
        return likely or found
    return max(known, key=lambda entry: entry[1])[0]


def _nonsense(graph: MemoryGraph, data: bytes, group: list[Member]) -> bool:
    """Whether a pointer of a member holds what no address is, or a number is all but zero."""
    for member in group:
        match member.type, holds(graph, data, member):
            case PointerType(), External(address) if not _LOWEST <= address < 1 << _ADDRESS_BITS:
                return True
            case FloatType(), float(number) if 0 < abs(number) < _TINY or number != number:
                return True
    return False


def _leads(graph: MemoryGraph, data: bytes, group: list[Member]) -> int:
    """0 where no pointer of a member leads to a node, or one nowhere; 2 where one has the node's type."""
    best = 0
    for member in group:
        if isinstance(member.type, PointerType):
            match holds(graph, data, member):
                case Pointer(NodeId() as node):
                    best = max(best, 2 if graph.nodes[node].type == member.type.target else 1)
                case External(address) if address not in {**graph.outside.strings, **graph.outside.symbols}:
                    return 0
    return best
