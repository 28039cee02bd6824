"""What an instruction reads: the cells behind the places that its expressions load."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from wolverine.core.expressions import (
    AddressOf,
    Binary,
    Cast,
    Conditional,
    Constant,
    Dereference,
    Element,
    Expression,
    Load,
    Logical,
    LValue,
    Member,
    StringLiteral,
    Unary,
    VariableReference,
)
from wolverine.core.program import Assign, Branch, Call, Instruction, Library, Return
from wolverine.core.types import INT, ArrayType, StructReference, Types, is_scalar
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
        case StructReference(tag):
            for field in types.structs[tag].fields if tag in types.structs else ():
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
    match expression:
        case Constant() | StringLiteral():
            return
        case Load(place):
            yield place
            yield from _inside(place)
        case AddressOf(place):
            yield from _inside(place)
        case Unary(_, operand) | Cast(operand):
            yield from _loads(operand)
        case Binary(_, left, right) | Logical(_, left, right):
            yield from _loads(left)
            yield from _loads(right)
        case Conditional(condition, then, otherwise):
            yield from _loads(condition)
            yield from _loads(then)
            yield from _loads(otherwise)


def _inside(place: LValue) -> Iterator[LValue]:
    """The places that are loaded to find the place itself."""
    match place:
        case VariableReference():
            return
        case Dereference(pointer):
            yield from _loads(pointer)
        case Member(base):
            yield from _inside(base)
        case Element(base, index):
            yield from _inside(base)
            yield from _loads(index)
