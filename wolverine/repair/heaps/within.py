"""What the callers of a function make sure of: numbers that exceed no others, `if (at < l->n) drop(l, at);`.

Where every call is made behind such a test, with the same field of what is passed as well or the same global,
a heap on which the number is greater is no input for the function.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from wolverine.core.expressions import (
    AddressOf,
    Binary,
    Constant,
    Dereference,
    Expression,
    Load,
    Logical,
    LValue,
    Member,
    Unary,
    VariableReference,
    text,
)
from wolverine.core.graph import MemoryGraph, Place, Pointer, Value, VariableId
from wolverine.core.parts import MIRRORED, NEGATED, without_casts
from wolverine.core.program import (
    Assign,
    Before,
    Branch,
    Call,
    Concrete,
    Declare,
    Function,
    Gap,
    Jump,
    Library,
    Program,
)
from wolverine.core.types import IntType
from wolverine.repair.source.flow import arriving, predecessors
from wolverine.semantics.library import LOOKING


class Bound(NamedTuple):
    """A parameter that is at most, or less than, a field of what another one leads to, or a global."""

    number: int
    less: bool
    holder: int = -1  # the other parameter
    offset: int = 0
    name: str = ""  # the global


class _Fact(NamedTuple):
    """What holds where a function is called: the place holds at least, or more than, the number."""

    number: Expression
    more: bool
    place: LValue


def within(program: Program, function: str) -> frozenset[Bound]:
    """What holds at every call of the function; nothing where there is none."""
    calls = [
        frozenset(_bounds(caller, index, step))
        for caller in program.functions.values()
        for index, step in enumerate(caller.code)
        if isinstance(step, Call) and step.function == function
    ]
    return frozenset.intersection(*calls) if calls else frozenset()


def keeps_within(program: Program, function: str, heap: MemoryGraph, bounds: frozenset[Bound]) -> bool:
    """Whether a heap of the function's entry is one of these, as far as it tells."""
    return not any(_beyond(program, function, heap, bounds))


def brought_within(
    program: Program, function: str, heap: MemoryGraph, bounds: frozenset[Bound]
) -> MemoryGraph | None:
    """The heap with numbers that are not greater than they may be; None where these would be negative."""
    most: dict[Place, Value] = {}
    for place, number in _beyond(program, function, heap, bounds):
        held = most.get(place, number)
        most[place] = min(number, held) if isinstance(held, int) else number
    if any(isinstance(number, int) and number < 0 for number in most.values()):
        return None
    return replace(heap, cells={**heap.cells, **most})


def _beyond(
    program: Program, function: str, heap: MemoryGraph, bounds: frozenset[Bound]
) -> Iterator[tuple[Place, int]]:
    """The parameters that are greater than they may be, and the greatest number that each may be."""
    frame = heap.frames[0]
    names = [parameter.name for parameter in program.functions[function].parameters]
    for bound in bounds:
        place = Place(VariableId(frame.depth, frame.function, names[bound.number]), 0)
        number = heap.cells.get(place)
        if bound.name:
            most = heap.cells.get(Place(VariableId(-1, "", bound.name), 0))
        else:
            holder = heap.cells.get(Place(VariableId(frame.depth, frame.function, names[bound.holder]), 0))
            if not isinstance(holder, Pointer):
                continue
            most = heap.cells.get(Place(holder.object, holder.offset + bound.offset))
        if isinstance(number, int) and isinstance(most, int) and number > most - bound.less:
            yield place, most - bound.less


def _bounds(caller: Function, index: int, call: Call) -> Iterator[Bound]:
    """What one call makes sure of; what is less is also at most that."""
    given, facts = _before(caller, index, call)
    for number, value in enumerate(given):
        if not isinstance(value.type, IntType):
            continue
        for fact in facts:
            for less in (True, False):
                if _holds(value, fact, less):
                    yield from _of(given, number, less, fact.place)


def _of(given: Sequence[Expression], number: int, less: bool, place: LValue) -> Iterator[Bound]:
    """The bound of a parameter by that place, where the function comes to it."""
    match place:
        case VariableReference(name, IntType(), "global", ""):
            yield Bound(number, less, name=name)
        case Member(base, _, offset, IntType()):
            for holder, pointer in enumerate(given):
                if _led_to(pointer) == base:
                    yield Bound(number, less, holder, offset)


def _led_to(pointer: Expression) -> LValue | None:
    match pointer:
        case AddressOf(place):
            return place
        case Load(VariableReference()):
            return Dereference(pointer, getattr(pointer.type, "target", pointer.type))
    return None


def _holds(value: Expression, fact: _Fact, less: bool) -> bool:
    """Whether the value is less than what the place holds, or at most that."""
    match value, fact.number:
        case Constant(number), Constant(other):
            return number + less <= other + fact.more
        case Constant(), _:
            return False
    return text(value) == text(fact.number) and fact.more >= less


def _before(caller: Function, index: int, call: Call) -> tuple[list[Expression], list[_Fact]]:
    """What is passed, and what was found on the straight way there since the last statement."""
    leading = predecessors(caller.code)
    given = [without_casts(each) for each in call.arguments]
    facts: list[_Fact] = []
    behind = index
    while len(before := arriving(leading, behind)) == 1 and before[0] < behind:
        [at] = before
        match caller.code[at]:
            case Assign(_, VariableReference(name) as kept, value) if name.startswith("$"):
                given = [without_casts(value) if each == Load(kept) else each for each in given]
            case Branch(_, condition, if_true, if_false) if if_true != if_false:
                facts += _found(condition, behind == if_true)
            case Gap() | Jump() | Declare() | Before():
                pass
            case Library(_, called) if called in LOOKING:
                pass
            case Concrete() if at and isinstance(caller.code[at - 1], Library):
                pass  # the same call
            case _:
                break
        behind = at
    return given, facts


def _found(condition: Expression, holds: bool) -> Iterator[_Fact]:
    """What a condition that was evaluated to that tells of places."""
    match condition:
        case Unary("!", operand):
            yield from _found(operand, not holds)
        case Logical(operator, left, right) if holds == (operator == "&&"):
            yield from _found(left, holds)
            yield from _found(right, holds)
        case Binary(operator, left, right) if operator in MIRRORED:
            told = operator if holds else NEGATED[operator]
            for one, way, other in ((left, told, right), (right, MIRRORED[told], left)):
                place = without_casts(one)
                if way in (">", ">=") and isinstance(place, Load):
                    yield _Fact(without_casts(other), way == ">", place.place)
