"""Menus: what each location may become (the mutations and insertions of Wolverine2 section 4).

A menu is a list of choices; the search keeps version spaces as sets of choices, written as bit masks
over a menu.  A choice of an assignment is a pair of a place and a value, so that the effects of a whole
menu follow from evaluating each place and each value once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from wolverine.core.expressions import (
    Binary,
    Constant,
    Expression,
    Load,
    LValue,
    VariableReference,
    lvalue_text,
    text,
)
from wolverine.core.patch import Deletion, NewAssignment, NewCall, NewValue, Replacement
from wolverine.core.program import Assign, Branch, Call, Gap, Program
from wolverine.core.types import IntType, PointerType, StructReference
from wolverine.repair.conditions import Conditions
from wolverine.repair.variants import Variants
from wolverine.repair.vocabulary import Vocabulary, convert, occurring_locations, repairable


@dataclass(frozen=True, slots=True)
class Choice:
    """One replacement; for an assignment the indices of its place and value in the menu, else -1."""

    replacement: Replacement
    target: int = -1
    value: int = -1


@dataclass(frozen=True)
class Menu:
    """The choices at one location, whose instruction is `function`'s number `index`."""

    location: int
    function: str
    index: int
    choices: tuple[Choice, ...]
    targets: tuple[LValue, ...] = ()
    values: tuple[Expression, ...] = ()

    @property
    def all(self) -> int:
        """The mask of every choice."""
        return (1 << len(self.choices)) - 1


class _Pairs:
    """Collects the choices of an assignment without repeating a text."""

    def __init__(self, original: tuple[str, str] | None) -> None:
        self.targets: dict[str, tuple[int, LValue]] = {}
        self.values: dict[str, tuple[int, Expression]] = {}
        self.choices: dict[tuple[str, str], Choice] = {}
        self._original = original
        self._texts: dict[Expression, str] = {}

    def add(self, target: LValue, value: Expression, *, value_only: bool = False) -> None:
        converted = convert(value, target.type)
        if converted is None:
            return
        written = self._texts.get(converted)
        if written is None:
            written = self._texts[converted] = text(converted)
        pair = (lvalue_text(target), written)
        if pair == self._original or pair in self.choices or pair[0] == pair[1]:
            return
        at, _ = self.targets.setdefault(pair[0], (len(self.targets), target))
        # one text may stand for values of several types
        typed = f"{pair[1]} {converted.type}"
        number, _ = self.values.setdefault(typed, (len(self.values), converted))
        made = NewValue(converted) if value_only else NewAssignment(target, converted)
        self.choices[pair] = Choice(made, at, number)

    def menu(self, location: int, function: str, index: int, more: Iterable[Choice]) -> Menu:
        return Menu(
            location,
            function,
            index,
            (*self.choices.values(), *more),
            tuple(t for _, t in self.targets.values()),
            tuple(v for _, v in self.values.values()),
        )


class Menus:
    """The menus of a program, made when first asked for."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._vocabularies: dict[str, Vocabulary] = {}
        self._indices: dict[str, dict[int, int]] = {}
        self._menus: dict[int, Menu | None] = {}

    def indices(self, function: str) -> dict[int, int]:
        """The editable locations of a function and their instructions."""
        found = self._indices.get(function)
        if found is None:
            found = self._indices[function] = occurring_locations(self._program, function)
        return found

    def menu(self, location: int) -> Menu | None:
        """The menu of a location, None when nothing else can stand there."""
        if location not in self._menus:
            function = self._program.location(location).function
            index = self.indices(function).get(location)
            made = None if index is None else self._make(location, function, index)
            self._menus[location] = made if made is not None and made.choices else None
        return self._menus[location]

    def _make(self, location: int, function: str, index: int) -> Menu | None:
        vocabulary = self._vocabularies.get(function)
        if vocabulary is None:
            vocabulary = self._vocabularies[function] = Vocabulary(self._program, function)
        where = self._program.location(location)
        scope = vocabulary.scope(where)
        match self._program.functions[function].code[index]:
            case Gap():
                return self._gap(vocabulary, scope, location, function, index)
            case Assign(_, target, value):
                if where.kind == "assignment":
                    return self._assignment(vocabulary, scope, location, function, index, target, value)
                return self._value(vocabulary, scope, location, function, index, target, value)
            case Call():
                return Menu(location, function, index, (Choice(Deletion()),))
            case Branch(_, condition):
                return self._condition(vocabulary, scope, location, function, index, condition)
        return None

    def _gap(
        self,
        vocabulary: Vocabulary,
        scope: tuple[VariableReference, ...],
        location: int,
        function: str,
        index: int,
    ) -> Menu:
        pairs = _Pairs(None)
        _product(pairs, vocabulary, scope)
        for place in vocabulary.places(scope):
            for value in _counted(place):
                pairs.add(place, value)
        return pairs.menu(location, function, index, _frees(pairs, vocabulary, scope))

    def _assignment(
        self,
        vocabulary: Vocabulary,
        scope: tuple[VariableReference, ...],
        location: int,
        function: str,
        index: int,
        target: LValue,
        value: Expression,
    ) -> Menu:
        if not repairable(target.type):
            return Menu(location, function, index, (Choice(Deletion()),))
        pairs = _Pairs((lvalue_text(target), text(value)))
        variants = Variants(vocabulary, scope)
        for other in variants.of_value(value, whole=True):
            pairs.add(target, other)
        for other_value in vocabulary.values(scope, target.type):
            pairs.add(target, other_value)
        for place in (*vocabulary.of_type(vocabulary.places(scope), target.type), *variants.of_place(target)):
            if place.type == target.type:
                pairs.add(place, value)
        _product(pairs, vocabulary, scope)
        return pairs.menu(location, function, index, (Choice(Deletion()),))

    def _value(
        self,
        vocabulary: Vocabulary,
        scope: tuple[VariableReference, ...],
        location: int,
        function: str,
        index: int,
        target: LValue,
        value: Expression,
    ) -> Menu | None:
        if not repairable(target.type):
            return None
        pairs = _Pairs((lvalue_text(target), text(value)))
        variants = Variants(vocabulary, scope)
        for other in variants.of_value(value, whole=True):
            pairs.add(target, other, value_only=True)
        for other in vocabulary.values(scope, target.type):
            pairs.add(target, other, value_only=True)
        initialiser = self._program.location(location).kind == "initialiser"
        return pairs.menu(location, function, index, (Choice(Deletion()),) if initialiser else ())

    def _condition(
        self,
        vocabulary: Vocabulary,
        scope: tuple[VariableReference, ...],
        location: int,
        function: str,
        index: int,
        condition: Expression,
    ) -> Menu:
        found: dict[str, Choice] = {}
        original = text(condition)
        for other in Conditions(vocabulary, scope).instead_of(condition):
            written = text(other)
            if written != original:
                found.setdefault(written, Choice(NewValue(other)))
        return Menu(location, function, index, tuple(found.values()))


def _product(pairs: _Pairs, vocabulary: Vocabulary, scope: tuple[VariableReference, ...]) -> None:
    values: dict[object, list[Expression]] = {}
    for place in vocabulary.places(scope):
        if place.type not in values:
            values[place.type] = list(vocabulary.values(scope, place.type))
        for value in values[place.type]:
            pairs.add(place, value)


def _counted(place: LValue) -> Iterator[Expression]:
    """`x + 1` and `x - 1` for an integer place."""
    if isinstance(place.type, IntType):
        for operator in "+-":
            yield Binary(operator, Load(place), Constant(1, place.type), place.type)


def _frees(pairs: _Pairs, vocabulary: Vocabulary, scope: tuple[VariableReference, ...]) -> Iterator[Choice]:
    """`free(x)` for the pointer variables, where the program frees anything."""
    if not vocabulary.frees:
        return
    for variable in scope:
        if isinstance(variable.type, PointerType) and isinstance(variable.type.target, StructReference):
            value = Load(variable)
            number, _ = pairs.values.setdefault(
                f"{variable.name} {variable.type}", (len(pairs.values), value)
            )
            yield Choice(NewCall("free", (value,)), -1, number)
