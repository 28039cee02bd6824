"""Values of the picture as bytes in the process."""

from __future__ import annotations

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
from wolverine.core.types import CType, FloatType, IntType, PointerType
from wolverine.debugger.layout import encode
from wolverine.debugger.snapshot import place_address
from wolverine.errors import CommandError


def encoded(graph: MemoryGraph, place: Place, value: Value) -> tuple[int, bytes]:
    """Where to write, and what.

    Raises CommandError when the value does not fit the cell, DebuggerError when its object is not in
    the picture.
    """
    ctype = graph.cell_types.get(place)
    if ctype is None:
        raise CommandError("there is no cell at this place")
    return place_address(graph, place), _bytes(graph, ctype, value)


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
