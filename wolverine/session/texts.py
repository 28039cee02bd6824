"""Texts that are stored as a whole into arrays of characters, as `strcpy` stores them."""

from __future__ import annotations

import re

from wolverine.core.graph import MemoryGraph, Place
from wolverine.core.types import ArrayType, IntType
from wolverine.errors import CommandError
from wolverine.session.moments import PlaceChange
from wolverine.session.places import ESCAPES, Resolved


def is_text(graph: MemoryGraph, text: str, target: Resolved) -> bool:
    """Whether the value is a string literal, and the place an array that can take such."""
    return text.startswith('"') and _element(graph, target) is not None


def text_changes(graph: MemoryGraph, text: str, target: Resolved) -> tuple[PlaceChange, ...]:
    """The cells that get the characters of a string literal and the zero at its end; what lies behind stays.

    Raises CommandError where there is no room for them.
    """
    element = _element(graph, target)
    assert element is not None
    data = b"%s\0" % _bytes(text)
    places = [Place(target.place.object, target.place.offset + index) for index in range(len(data))]
    filled = graph.filled(target.place, target.type)
    room = filled.length if isinstance(filled, ArrayType) else 0
    if len(data) > room or any(place not in graph.cells for place in places):
        raise CommandError(
            f"{text} takes {len(data)} characters with the zero at its end, and there is room for {room}"
        )
    return tuple(
        PlaceChange(place, graph.cells[place], element.wrap(byte), joined=index > 0)
        for index, (place, byte) in enumerate(zip(places, data))
    )


def _element(graph: MemoryGraph, target: Resolved) -> IntType | None:
    """What an array of characters consists of."""
    match graph.filled(target.place, target.type):
        case ArrayType(IntType(size=1) as element) if element.name != "_Bool" and target.union is None:
            return element
        case _:
            return None


def _bytes(text: str) -> bytes:
    """What a string literal stands for, without the zero at its end."""
    found = re.fullmatch(r'"((?:[^"\\]|\\.)*)"', text, re.DOTALL)
    if found is None:
        raise CommandError(f'{text} does not end as a string does: "..."')
    data = bytearray()
    for escape, plain in re.findall(r"\\(.)|([^\\]+)", found[1], re.DOTALL):
        data += bytes([ESCAPES[escape]]) if escape in ESCAPES else (escape or plain).encode()
    return bytes(data)
