"""What an instruction reads: the cells behind the places that its expressions load."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

from wolverine.core.expressions import AddressOf, Constant, Element, Load, LValue, Member
from wolverine.core.parts import place_parts, step_parts
from wolverine.core.program import Assign, Instruction
from wolverine.core.types import INT, ArrayType, OpaqueType, StructReference, Types, is_scalar
from wolverine.semantics.closures import Evaluate
from wolverine.semantics.faults import Halt
from wolverine.semantics.machine import Machine


class Reads:
    """Tells the keys that the machine is about to read.

    Both sides of `&&`, `||` and `?:` count as read where they can be evaluated.
    """

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._known: dict[tuple[str, int], list[Evaluate]] = {}
        self._leading: dict[tuple[str, int], list[Evaluate]] = {}
        self._written: dict[tuple[str, int], list[Evaluate]] = {}

    def of(self, function: str, index: int, step: Instruction) -> frozenset[int]:
        """The keys that `step`, at which the machine stands, reads."""
        keys = self._known.get((function, index))
        if keys is None:
            keys = self._known[function, index] = self._keys(function, loads(step))
        return self._read(keys)

    def led(self, function: str, index: int, step: Instruction) -> frozenset[int]:
        """The keys among them that tell where to read and to write: of pointers and of subscripts."""
        keys = self._leading.get((function, index))
        if keys is None:
            places = [part.place for part in step_parts(step) if isinstance(part, Load | AddressOf)]
            if isinstance(step, Assign):
                places.append(step.target)
            inner = (part.place for place in places for part in place_parts(place) if isinstance(part, Load))
            keys = self._leading[function, index] = self._keys(function, inner)
        return self._read(keys)

    def written(self, function: str, index: int, step: Assign) -> frozenset[int]:
        """The keys that an assignment, at which the machine stands, writes."""
        keys = self._written.get((function, index))
        if keys is None:
            keys = self._written[function, index] = self._keys(function, [step.target])
        return self._read(keys)

    def _keys(self, function: str, places: Iterable[LValue]) -> list[Evaluate]:
        types = self._machine.program.types
        scalars = [leaf for place in dict.fromkeys(places) for leaf in leaves(types, place)]
        return self._machine.evaluators.keys(function, scalars)

    def _read(self, keys: Iterable[Evaluate]) -> frozenset[int]:
        found: set[int] = set()
        for key in keys:
            with suppress(Halt, KeyError):
                found.add(self._machine.attempt(key))
        return frozenset(found)


def leaves(types: Types, place: LValue) -> Iterator[LValue]:
    """The scalar places of a place, in address order."""
    match place.type:
        case StructReference() | OpaqueType():
            for field in types.members(place.type):
                yield from leaves(types, Member(place, field.name, field.offset, field.type))
        case ArrayType(element, length):
            for index in range(length):
                yield from leaves(types, Element(place, Constant(index, INT), element))
        case _ if is_scalar(place.type):
            yield place


def loads(step: Instruction) -> Iterator[LValue]:
    """The places whose values an instruction uses."""
    return (part.place for part in step_parts(step) if isinstance(part, Load))
