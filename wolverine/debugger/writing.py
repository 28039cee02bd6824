"""Values of the picture as bytes in the process."""

from __future__ import annotations

from collections.abc import Callable

from wolverine.core.graph import (
    External,
    MemoryGraph,
    Opaque,
    Place,
    Pointer,
    Uninitialised,
    Value,
    Wild,
)
from wolverine.core.types import CType, FloatType, IntType, PointerType, bit_of
from wolverine.debugger.layout import BitField, encode
from wolverine.debugger.snapshot import place_address
from wolverine.errors import CommandError


def encoded(
    graph: MemoryGraph, place: Place, value: Value, read: Callable[[int, int], bytes]
) -> tuple[int, bytes]:
    """Where to write, and what; `read` tells what stands there, for a bit field shares its bytes.

    Raises CommandError when the value does not fit the cell, DebuggerError when its object is not in
    the picture.
    """
    ctype = graph.cell_types.get(place)
    if ctype is None:
        raise CommandError("there is no cell at this place")
    address = place_address(graph, place)
    if not isinstance(ctype, IntType) or not ctype.bits:
        return address, _bytes(graph, ctype, value)
    field = BitField(0, 0, bit_of(place.offset), ctype)
    match value:
        case Uninitialised():
            value = field.number(b"\xcd" * 8)
        case int():
            pass
        case _:
            raise CommandError("a value of this kind cannot stand here")
    return address, field.written(read(address, field.size), value)


def _bytes(graph: MemoryGraph, ctype: CType, value: Value) -> bytes:
    match ctype, value:
        case _, Opaque(data):
            return data
        case _, Uninitialised():
            return b"\xcd" * getattr(ctype, "size", 8)
        case PointerType(), None:
            return bytes(8)
        case PointerType(), Pointer(target, offset):
            return encode(ctype, place_address(graph, Place(target, 0)) + offset)
        case PointerType(), Wild(address) | External(address):
            return encode(ctype, address)
        case IntType() | PointerType(), int():
            return encode(ctype, value)
        case FloatType(), int() | float():
            return encode(ctype, float(value))
    raise CommandError("a value of this kind cannot stand here")
