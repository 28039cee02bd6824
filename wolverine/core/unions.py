"""Unions: their members, and what these say of the bytes.

A union is one cell of bytes, for which of its members was written last is not known. A member is read and
written as a part of these bytes.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, product

from wolverine.core.graph import (
    UNINITIALISED,
    External,
    MemoryGraph,
    Node,
    NodeId,
    Opaque,
    Part,
    Place,
    Pointer,
    Union,
    Value,
    VariableId,
    Wild,
    descend,
    places_in,
)
from wolverine.core.types import (
    ArrayType,
    CType,
    Field,
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
_MOST_CELLS = 1024  # of a member that is looked into
_FRESH = b"\xcd"  # what the tracker fills fresh nodes with

Meaning = Callable[[int], Value]  # of an address


def is_union(types: Types, ctype: CType | None) -> bool:
    """Whether the type is a union with known members."""
    return isinstance(ctype, OpaqueType) and ctype.name in types.unions


def _fields(types: Types, ctype: CType) -> Sequence[Field]:
    return (
        types.unions[ctype.name].fields
        if isinstance(ctype, OpaqueType) and ctype.name in types.unions
        else ()
    )


def members(types: Types, ctype: CType) -> tuple[Part, ...]:
    """What a union may hold, in source order."""
    found: list[Part] = []
    for member in _parts(types, ctype, "", 0):
        found.append(member)
        if len(found) >= _MOST:
            break
    return tuple(found)


def _parts(types: Types, ctype: CType, path: str, offset: int) -> Iterator[Part]:
    match ctype:
        case OpaqueType(name) if name in types.unions:
            inner = types.unions[name].fields
        case StructReference(tag) if tag in types.structs:
            inner = types.structs[tag].fields
        case ArrayType(element, length) if not (isinstance(element, IntType) and element.size == 1):
            step = types.size(element)
            for index in range(min(length, _MOST)):
                yield from _parts(types, element, f"{path}[{index}]", offset + index * step)
            return
        case _:
            yield Part(path, offset, ctype)
            return
    for each in inner:
        further = f"{path}.{each.name}" if path and each.name else path or each.name
        yield from _parts(types, each.type, further, offset + each.offset)


def holds(graph: MemoryGraph, data: bytes, member: Part) -> Value:
    """What a member is, in the bytes of its union."""
    return read(graph, data, member.offset, member.type)


def read(graph: MemoryGraph, data: bytes, offset: int, ctype: CType, meaning: Meaning | None = None) -> Value:
    """What stands at an offset of a union's bytes, read as a type."""
    start, size = byte_of(offset), graph.types.size(ctype)
    piece = data[start : start + size]
    if isinstance(ctype, IntType) and ctype.bits:
        return ctype.wrap(int.from_bytes(data[start : start + 9], "little") >> bit_of(offset))
    if size > 1 and piece == _FRESH * size:
        return UNINITIALISED
    match ctype:
        case IntType():
            return ctype.wrap(int.from_bytes(piece, "little"))
        case FloatType() if size in _FLOATS and len(piece) == size:
            number: float = struct.unpack(_FLOATS[size], piece)[0]
            return number
        case PointerType():
            address = int.from_bytes(piece, "little")
            return _meant(graph, address) if meaning is None else meaning(address)
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


def telling(graph: MemoryGraph, ctype: CType, data: bytes) -> Sequence[Part]:
    """The members that are worth a look: where pointers of one lead to nodes, the others mean little.

    Of several such members the one whose pointer has the type of the node.  Where none leads to one, those
    mean nothing that would lead to no memory at all, or be hardly a number.
    """
    groups = [
        list(islice(_parts(graph.types, each.type, each.name, each.offset), _MOST))
        for each in _fields(graph.types, ctype)
    ]
    known = [(group, rank) for group in groups if (rank := _leads(graph, data, group))]
    if not known:
        likely = [m for group in groups if not _nonsense(graph, data, group) for m in group]
        return likely or members(graph.types, ctype)
    return max(known, key=lambda entry: entry[1])[0]


def _nonsense(graph: MemoryGraph, data: bytes, group: list[Part]) -> bool:
    """Whether a pointer of a member holds what no address is, or a number is all but zero."""
    for member in group:
        match member.type, holds(graph, data, member):
            case PointerType(), External(address) if not _LOWEST <= address < 1 << _ADDRESS_BITS:
                return True
            case FloatType(), float(number) if 0 < abs(number) < _TINY or number != number:
                return True
    return False


def _leads(graph: MemoryGraph, data: bytes, group: list[Part]) -> int:
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


def alternatives(types: Types, ctype: CType) -> tuple[tuple[Part, ...], ...]:
    """What a union may be made of: one entry for each member, for each member of a union in it."""
    return tuple(islice(_alternatives(types, ctype, "", 0), _MOST))


def _alternatives(types: Types, ctype: CType, path: str, offset: int) -> Iterator[tuple[Part, ...]]:
    match ctype:
        case OpaqueType(name) if name in types.unions:
            for each in types.unions[name].fields:
                yield from _alternatives(types, each.type, _further(path, each.name), offset + each.offset)
        case StructReference(tag) if tag in types.structs:
            choices = [
                tuple(
                    islice(
                        _alternatives(types, each.type, _further(path, each.name), offset + each.offset),
                        _MOST,
                    )
                )
                for each in types.structs[tag].fields
            ]
            for chosen in product(*choices):
                yield tuple(part for parts in chosen for part in parts)
        case _:
            yield (Part(path, offset, ctype),)


def _further(path: str, name: str) -> str:
    return f"{path}.{name}" if path and name else path or name


def opened(graph: MemoryGraph, meaning: Meaning, before: Mapping[Place, Union]) -> MemoryGraph:
    """The graph with the members of its unions that the bytes tell, or that were in use `before`."""
    types = graph.types
    found: dict[Place, Union] = {}
    known: dict[CType, tuple[tuple[Part, ...], ...]] = {}
    for place, ctype in graph.cell_types.items() if types.unions else ():
        if isinstance(ctype, OpaqueType) and ctype.name in types.unions:
            value = graph.cells.get(place)
            data = value.data if isinstance(value, Opaque) else _FRESH * types.size(ctype)
            if ctype not in known:
                known[ctype] = alternatives(types, ctype)
            last = before[place].parts if place in before else ()
            parts = _told(graph, known[ctype], data, last, meaning)
            found[place] = Union(ctype, data, parts)
    return _with_parts(graph, found, meaning) if found else graph


def reopened(graph: MemoryGraph, parts: Mapping[Place, tuple[Part, ...]]) -> MemoryGraph:
    """The graph with other members of some of its unions, by their places."""
    changed = {
        place: replace(graph.unions[place], parts=wanted)
        for place, wanted in parts.items()
        if place in graph.unions and graph.unions[place].parts != wanted
    }
    if not changed:
        return graph
    made = _with_parts(graph, changed, None)
    places = set(changed)
    for unions in (graph.unions, changed):
        for place in changed:
            places.update(places_in(graph.types, place, unions[place]))
    descend(made, graph, frozenset(places))
    return made


def _with_parts(graph: MemoryGraph, unions: Mapping[Place, Union], meaning: Meaning | None) -> MemoryGraph:
    gone = {
        place
        for at, union in unions.items()
        for place in (at, *places_in(graph.types, at, graph.unions.get(at, union)))
    }
    cells: dict[Place, Value] = {}
    types: dict[Place, CType] = {}
    for place, value in graph.cells.items():
        if place in unions:
            union = unions[place]
            for at, scalar, held in _scalars(graph, place, union, meaning):
                cells[at], types[at] = held, scalar
        elif place not in gone:
            cells[place] = value
            if place in graph.cell_types:
                types[place] = graph.cell_types[place]
    return replace(graph, cells=cells, cell_types=types, unions={**graph.unions, **unions})


def _scalars(
    graph: MemoryGraph, place: Place, union: Union, meaning: Meaning | None
) -> Iterator[tuple[Place, CType, Value]]:
    if not union.parts:
        fresh = not union.data.strip(_FRESH)
        yield place, union.type, UNINITIALISED if fresh else Opaque(union.data)
    for part in union.parts:
        for offset, scalar in graph.types.scalars(part.type, part.offset):
            value = read(graph, union.data, offset, scalar, meaning)
            yield Place(place.object, place.offset + offset), scalar, value


def _told(
    graph: MemoryGraph,
    choices: Sequence[tuple[Part, ...]],
    data: bytes,
    last: tuple[Part, ...],
    meaning: Meaning,
) -> tuple[Part, ...]:
    """What the bytes must be: that whose pointers lead to nodes; of several that may be, the `last`.

    Of several that lead to nodes the one of which the least is unset, and which leaves the least that is set.
    """
    if not data.strip(_FRESH):
        return ()
    possible: list[tuple[int, tuple[Part, ...]]] = []
    for parts in choices:
        rank = _rank(graph, parts, data, meaning)
        if rank is not None:
            possible.append((rank, parts))
    most = max((rank for rank, _ in possible), default=0)
    leading = [entry for entry in possible if entry[0] == most]
    best = min(leading, key=lambda entry: _unfit(graph.types, entry[1], data), default=(0, ()))
    if best[0]:
        return best[1]
    left = [parts for _, parts in possible]
    return left[0] if len(left) == 1 else last if last in left else ()


def _unfit(types: Types, parts: tuple[Part, ...], data: bytes) -> tuple[int, int]:
    """How many cells of these members are unset, and how many bytes besides them are set."""
    covered = bytearray(len(data))
    unset = 0
    cells = (cell for part in parts for cell in types.scalars(part.type, part.offset))
    for offset, scalar in islice(cells, _MOST_CELLS):
        start, size = byte_of(offset), types.size(scalar)
        covered[start : start + size] = b"\1" * size
        unset += size > 1 and data[start : start + size] == _FRESH * size
    # A block that was not fresh holds what was there before, and often nothing but zero.
    return unset, sum(
        not seen and byte not in (0, _FRESH[0]) for seen, byte in zip(covered, data, strict=False)
    )


def _rank(graph: MemoryGraph, parts: tuple[Part, ...], data: bytes, meaning: Meaning) -> int | None:
    """How well the pointers fit: 2 with one to a node of its type, None with one that leads nowhere."""
    best, count = 0, 0
    for part in parts:
        for offset, scalar in graph.types.scalars(part.type, part.offset):
            count += 1
            if count > _MOST_CELLS:
                return None
            if not isinstance(scalar, PointerType):
                continue
            match read(graph, data, offset, scalar, meaning):
                case Pointer(NodeId() as node) if node in graph.nodes:
                    best = max(best, 2 if graph.nodes[node].type == scalar.target else 1)
                case Wild():
                    return None
                case External(address) if address not in {**graph.outside.strings, **graph.outside.symbols}:
                    return None
    return best
