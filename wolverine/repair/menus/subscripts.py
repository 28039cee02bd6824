"""Elements of an array by the index that other functions reckon for it: `q->ring[(q->head + i) % q->size]`.

Where the elements of a ring or a table lie, all its functions reckon alike; who copies such code and leaves a
part of the index out comes to other elements (Li et al., "CP-Miner", OSDI 2004): what is left of it is there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from wolverine.core.exchanging import exchanged_place, exchanged_value, named
from wolverine.core.expressions import (
    Binary,
    Dereference,
    Element,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
    text,
)
from wolverine.core.parts import parts, place_parts, without_casts
from wolverine.core.program import Assign, Program
from wolverine.repair.menus.exchanging import exchanges
from wolverine.repair.menus.vocabulary import Scope
from wolverine.repair.source.walk import expressions_of

_MOST = 8  # indices for one element
_Array = tuple[object, ...]  # a field of a struct, or a global variable


@dataclass(frozen=True)
class _Subscripted:
    """An element of an array: `within` is the struct that has the array, None where it is a global."""

    place: Element | Dereference
    array: _Array
    within: LValue | None
    index: Expression


class Subscripts:
    """The reckoned indices of a program's arrays."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def of_value(self, function: str, scope: Scope, value: Expression) -> Iterator[Expression]:
        """The value with an element by another index that other functions use for the array."""
        for each in _all([value]):
            for other in self._others(function, scope, each):
                if (made := _value_with(value, each.place, other)) is not None:
                    yield made

    def of_place(self, function: str, scope: Scope, place: LValue) -> Iterator[LValue]:
        """The place with such an element."""
        for each in _all([Load(place)]):
            for other in self._others(function, scope, each):
                if (made := _place_with(place, each.place, other)) is not None:
                    yield made

    def as_elsewhere(self, function: str, old: Sequence[Expression], new: Sequence[Expression]) -> bool:
        """Whether `new` is `old` but for one element, which has an index now as in another function."""
        if not self._known:
            return False
        before, after = list(_all(old)), list(_all(new))
        for was in (each for each in before if each not in after):
            for now in (each for each in after if each not in before):
                if (was.array, was.within) != (now.array, now.within) or not _left_out(was.index, now.index):
                    continue
                if not self._used(function, now):
                    continue
                if all(_changed(a, b, was.place, now.place) for a, b in zip(old, new, strict=True)):
                    return True
        return False

    def _others(self, function: str, scope: Scope, element: _Subscripted) -> Iterator[Element | Dereference]:
        yield from islice(dict.fromkeys(self._made(function, scope, element)), _MOST)

    def _made(self, function: str, scope: Scope, element: _Subscripted) -> Iterator[Element | Dereference]:
        for name, each in self._known.get(element.array, ()):
            if name == function:
                continue
            hole = _hole(each)
            left = [variable for variable in named(_holed(each)) if variable != hole]
            for exchange in exchanges(left, scope):
                ways = {**exchange}
                if each.within is not None and element.within is not None:
                    ways[each.within] = element.within
                index = exchanged_value(each.index, ways)
                if index is not None and _left_out(element.index, index):
                    yield _at(element.place, index)

    def _used(self, function: str, element: _Subscripted) -> bool:
        if not _reckoned(element.index):
            return False
        return bool(self._shapes.get((element.array, _shape(element)), frozenset()) - {function})

    @cached_property
    def _shapes(self) -> dict[tuple[_Array, str], frozenset[str]]:
        """The functions that use an index, whatever its names."""
        found: dict[tuple[_Array, str], frozenset[str]] = {}
        for array, elements in self._known.items():
            for name, each in elements:
                key = array, _shape(each)
                found[key] = found.get(key, frozenset()) | {name}
        return found

    @cached_property
    def _known(self) -> dict[_Array, list[tuple[str, _Subscripted]]]:
        """The elements with reckoned indices, by array, with the functions that name them."""
        found: dict[_Array, dict[tuple[str, _Subscripted], None]] = {}
        for name, function in self._program.functions.items():
            for step in function.code:
                inside = [*expressions_of(step), *([Load(step.target)] if isinstance(step, Assign) else ())]
                for each in _all(inside):
                    if _reckoned(each.index):
                        found.setdefault(each.array, {})[name, each] = None
        return {array: [*elements] for array, elements in found.items()}


def _all(expressions: Iterable[Expression]) -> Iterator[_Subscripted]:
    """The elements of fields and globals, each once."""
    inside = (part for each in expressions for part in parts(each))
    places = (place for part in inside if isinstance(part, Load) for place in _through(part.place))
    found = (made for place in places if (made := _subscripted(place)) is not None)
    yield from dict.fromkeys(found)


def _through(place: LValue) -> Iterator[LValue]:
    """The place, and those that it is a part of."""
    yield place
    if isinstance(place, Member | Element):
        yield from _through(place.base)


def _subscripted(place: LValue) -> _Subscripted | None:
    match place:
        case Element(base, index) | Dereference(Binary("+", Load(base), index)):
            match base:
                case Member(within, name):
                    return _Subscripted(place, (within.type, name), within, index)
                case VariableReference(level="global"):
                    return _Subscripted(place, (base,), None, index)
    return None


def _reckoned(index: Expression) -> bool:
    """Whether it is more than a place or a number, and no call gives a part of it."""
    temporary = any(variable.name.startswith("$") for variable in named(index))
    return isinstance(without_casts(index), Binary) and bool(named(index)) and not temporary


def _left_out(index: Expression, other: Expression) -> bool:
    """Whether the index is what remains of the other one where the rest is left out."""
    remains = without_casts(index)
    return any(without_casts(part) == remains for part in parts(other)) and remains != without_casts(other)


def _at(place: Element | Dereference, index: Expression) -> Element | Dereference:
    if isinstance(place, Element):
        return replace(place, index=index)
    assert isinstance(place.pointer, Binary)
    return replace(place, pointer=replace(place.pointer, right=index))


def _hole(element: _Subscripted) -> VariableReference | None:
    return None if element.within is None else VariableReference("$", element.within.type, "global")


def _holed(element: _Subscripted) -> Expression:
    """The index with one word for the struct that has the array."""
    hole, ways = _hole(element), _same(element.index)
    if hole is None or element.within is None:
        return element.index
    ways[element.within] = hole
    return exchanged_value(element.index, ways) or element.index


def _shape(element: _Subscripted) -> str:
    """The index, whatever the names of the struct and of local variables."""
    index = _holed(element)
    ways = _same(index)
    local = (each for each in named(index) if each.level != "global")
    ways.update((each, replace(each, name=f"${number}")) for number, each in enumerate(local))
    return text(without_casts(exchanged_value(index, ways) or index))


def _same(*expressions: Expression) -> dict[LValue, LValue]:
    """An exchange of each variable for itself."""
    return {each: each for each in named(*expressions)}


def _value_with(value: Expression, place: LValue, other: LValue) -> Expression | None:
    return exchanged_value(value, {**_same(value), place: other})


def _place_with(whole: LValue, place: LValue, other: LValue) -> LValue | None:
    return exchanged_place(whole, {**_same(Load(whole), *place_parts(whole)), place: other})


def _changed(old: Expression, new: Expression, was: LValue, now: LValue) -> bool:
    return new == old or new == _value_with(old, was, now)
