"""Nodes beyond which something was read or written: that they are too short, and where they are from."""

from __future__ import annotations

from collections.abc import Iterator

from wolverine.core.expressions import AddressOf, Binary, Dereference, Element, Load, LValue, Member
from wolverine.core.parts import parts, step_parts
from wolverine.core.process import Allocated
from wolverine.core.program import Assign, Instruction, Program
from wolverine.core.types import StructReference, spell
from wolverine.session.allocated import allocated_at
from wolverine.session.lines import Lines


def origin(program: Program, lines: Lines, name: str, held: Allocated, step: Instruction) -> tuple[str, bool]:
    """Where the node came from that a statement went beyond, and whether it is no room for a struct."""
    if held.site is None:
        return "", False
    source = lines.code(lines.given(held.site.file), held.site.line)
    made = f"{allocated_at(program, held.site, held.callers)}: {source}"
    places = [*_places(step)]
    arrays = {part for place in places for part in _subscripted(place)}  # beyond which it went, rather
    structs = (_struct(place) for place in places if place not in arrays)
    sizes = {ctype: program.types.size(ctype) for ctype in structs if ctype is not None}
    short = next((ctype for ctype, size in sizes.items() if size > held.size), None)
    if short is None:
        return f"{name} was {made}", False
    needs = f"a {spell(short)} needs {sizes[short]} bytes, {name} has {held.size}"
    return f"{needs}: it was {made}", True


def _struct(place: LValue) -> StructReference | None:
    """The struct that a member's access takes the memory behind a pointer for."""
    while isinstance(place, Member | Element):
        place = place.base
    pointed = place.type if isinstance(place, Dereference) else None
    return pointed if isinstance(pointed, StructReference) else None


def _subscripted(place: LValue) -> Iterator[LValue]:
    """The places that an array's elements are found through: `t->day` of `t->day[d]`."""
    while isinstance(place, Member | Element):
        place = place.base
    if isinstance(place, Dereference) and isinstance(place.pointer, Binary):
        yield from (part.place for part in parts(place.pointer) if isinstance(part, Load))


def _places(step: Instruction) -> Iterator[LValue]:
    """Every lvalue of an instruction."""
    for each in step_parts(step):
        if isinstance(each, Load | AddressOf):
            yield each.place
    if isinstance(step, Assign):
        yield step.target
