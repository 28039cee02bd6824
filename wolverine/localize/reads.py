"""What an instruction reads: the cells behind the places that its expressions load."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from wolverine.core.expressions import Constant, Element, Load, LValue, Member
from wolverine.core.parts import step_parts
from wolverine.core.program import Instruction
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

    def of(self, function: str, index: int, step: Instruction) -> frozenset[int]:
        """The keys that `step`, at which the machine stands, reads."""
        keys = self._known.get((function, index))
        if keys is None:
            types = self._machine.program.types
            places = [leaf for place in dict.fromkeys(loads(step)) for leaf in leaves(types, place)]
            keys = self._known[function, index] = self._machine.evaluators.keys(function, places)
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
