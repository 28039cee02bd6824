"""What places are called on the page, their types and values, and whether `change` takes them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from wolverine import draw
from wolverine.core.graph import MemoryGraph, NodeId, ObjectId, Place, Variable, differ
from wolverine.core.types import CType, FloatType, IntType, PointerType, byte_of, spell
from wolverine.draw.columns import columns, cut
from wolverine.draw.contents import NULL as DRAWN_NULL
from wolverine.draw.contents import Reader
from wolverine.errors import CommandError
from wolverine.page import protocol
from wolverine.session.places import resolve_place

NULL = "null"
_MOST = 160  # columns of the values of an array or a struct


class Places:
    """What places are called in `change`, and whether it takes them: not once the process has ended."""

    def __init__(self, graph: MemoryGraph, *, alive: bool = True) -> None:
        self.graph = graph
        self._alive = alive
        self.names = draw.Names(graph)
        self._variables = {variable.id: variable for variable in graph.variables()}

    @cached_property
    def offsets(self) -> dict[ObjectId, set[int]]:
        """Where variables have cells."""
        found: dict[ObjectId, set[int]] = {}
        for target, offset in self.graph.cells:
            if not isinstance(target, NodeId):
                found.setdefault(target, set()).add(offset)
        return found

    def text(self, place: Place) -> str:
        """The place as it is typed: `head`, `n4->prev`, `main::s.next`."""
        text = self.names.place(place, short=True)
        head, dot, rest = text.partition(".")
        is_field = dot and isinstance(place.object, NodeId) and "[" not in head
        return f"{head}->{rest}" if is_field else text

    def editable(self, place: Place, text: str) -> bool:
        """Whether `change` understands the text as this place, and the place holds one plain value."""
        if not self._alive or not isinstance(self.type(place), PointerType | IntType | FloatType):
            return False
        try:
            return resolve_place(self.graph, text).place == place
        except CommandError:
            return False

    def type(self, place: Place) -> CType | None:
        """The type of a cell."""
        found = self.graph.cell_types.get(place)
        return found if found is not None or place.offset else self.names.type_of(place.object)

    def type_text(self, place: Place) -> str:
        """The type of a cell as C spells it, "" when unknown."""
        ctype = self.type(place)
        return spell(ctype) if ctype is not None else ""

    def size(self, ctype: CType | None) -> int:
        """Bytes, 0 when unknown."""
        return self.graph.types.size(ctype) if ctype is not None else 0

    def address(self, place: Place) -> str:
        """The address in the process, "" where there is none."""
        owner = place.object
        held = self.graph.nodes.get(owner) if isinstance(owner, NodeId) else self._variables.get(owner)
        return hex(held.address + byte_of(place.offset)) if held is not None and held.address else ""

    def value(self, place: Place) -> str:
        """The value in words."""
        value = self.graph.cells.get(place)
        return self.names.value(value, self.type(place), NULL) if place in self.graph.cells else ""

    def points(self, place: Place) -> bool:
        """Whether the cell holds a pointer."""
        return isinstance(self.type(place), PointerType)


def listed(
    places: Places, variables: Sequence[Variable], before: MemoryGraph | None
) -> tuple[protocol.Variable, ...]:
    """The variables of a frame, in order; what differs from `before` is marked."""
    reader = Reader(places.graph, before, places.names)
    return tuple(_listed(places, variable, before, reader) for variable in variables)


def _listed(
    places: Places, variable: Variable, before: MemoryGraph | None, reader: Reader
) -> protocol.Variable:
    place = Place(variable.id, 0)
    name = places.names.object(variable.id, short=True)
    plain = isinstance(variable.type, PointerType | IntType | FloatType)
    if plain:
        text = places.value(place)
        known = before is not None and place in before.cells
        changed = known and before is not None and differ(before.cells[place], places.graph.cells.get(place))
    else:
        lines = reader.lines(variable.id, places.offsets.get(variable.id, set()))
        text = ", ".join(" ".join([line.name, *(piece.text for piece in line.pieces)]) for line in lines)
        text = text.replace(DRAWN_NULL, NULL).strip()
        text = text if columns(text) <= _MOST else cut(text, _MOST - 1) + "…"
        changed = any(piece.was is not None for line in lines for piece in line.pieces)
    return protocol.Variable(
        place=name,
        name=name.rpartition("::")[2],
        type=spell(variable.type),
        text=text,
        changed=changed,
        editable=plain and places.editable(place, name),
    )
