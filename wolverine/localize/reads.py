"""What an instruction reads: the cells behind the places that its expressions load."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from wolverine.core.expressions import Constant, Element, Expression, Load, LValue, Member
from wolverine.core.parts import parts, place_parts
from wolverine.core.program import Assign, Branch, Call, Instruction, Library, Return
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
    match step:
        case Assign(_, target, value):
            yield from _inside(target)
            yield from _loads(value)
        case Branch(_, condition):
            yield from _loads(condition)
        case Call(_, _, arguments) | Library(_, _, arguments):
            for argument in arguments:
                yield from _loads(argument)
        case Return(_, value) if value is not None:
            yield from _loads(value)


def _loads(expression: Expression) -> Iterator[LValue]:
    """The places that an expression reads, outermost first."""
    return (part.place for part in parts(expression) if isinstance(part, Load))


def _inside(place: LValue) -> Iterator[LValue]:
    """The places that are loaded to find the place itself."""
    return (part.place for part in place_parts(place) if isinstance(part, Load))
