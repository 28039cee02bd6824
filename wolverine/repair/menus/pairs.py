"""Pairs of a place and a value: the assignments that a menu offers, no text twice.

What can be assigned anywhere in a scope is the product of its places and the values of their types; it
is held once for the scope.  A menu adds what is special about its statement.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from wolverine.core.expressions import (
    Constant,
    Expression,
    LValue,
    VariableReference,
    lvalue_text,
    text,
)
from wolverine.core.types import CType, IntType
from wolverine.repair.menus.menu import Assigned, Choice, Menu
from wolverine.repair.menus.vocabulary import Offer, Scope, Vocabulary
from wolverine.repair.source.conversion import compound, convert


def without_constants(menu: Menu, spares: Sequence[VariableReference]) -> Menu:
    """The menu without what makes a variable that is declared for it a constant."""
    if not isinstance(menu.choices, Assigned):
        return menu
    vain = 0
    rows, columns = menu.choices.masks()
    for place, mask in zip(menu.choices.targets, rows, strict=True):
        if place in spares:
            for value, of_value in zip(menu.choices.values, columns, strict=True):
                vain |= mask & of_value if isinstance(value, Constant) else 0
    return replace(menu, all=menu.all & ~vain) if vain else menu


class Shared:
    """The assignments that can stand anywhere in a scope: every place takes every value of its type."""

    def __init__(self, vocabulary: Vocabulary, scope: Scope) -> None:
        self.targets: list[LValue] = [*vocabulary.places(scope), *vocabulary.further(scope)]
        self.values: list[Expression] = []
        self.target_numbers = {lvalue_text(place): at for at, place in enumerate(self.targets)}
        self._begins: list[int] = []  # the first pair of each place
        self._offers: list[tuple[Offer, int]] = []  # of each place, and the number of its first value
        self._counted: dict[tuple[int, str], int] = {}
        self._constant: set[int] = set()  # places that nothing may be assigned to
        firsts: list[int] = []
        seconds: list[int] = []
        begun: dict[CType, tuple[Offer, int]] = {}
        for at, (written, place) in enumerate(zip(self.target_numbers, self.targets, strict=True)):
            if place.type not in begun:
                begun[place.type] = (vocabulary.offer(scope, place.type), len(self.values))
                self.values += begun[place.type][0].values
            offer, first = begun[place.type]
            self._begins.append(len(firsts))
            self._offers.append((offer, first))
            if not vocabulary.writable(place):
                self._constant.add(at)
                continue
            numbers = range(first, first + len(offer.values))
            own = offer.numbers.get(written)
            chosen = [*numbers] if own is None else [*numbers[:own], *numbers[own + 1 :]]
            seconds += chosen
            firsts += [at] * len(chosen)
        for at, (written, place) in enumerate(zip(self.target_numbers, self.targets, strict=True)):
            for operator, value in _counted(place, vocabulary) if at not in self._constant else ():
                self._counted[at, f"{written} {operator} 1"] = len(firsts)
                firsts.append(at)
                seconds.append(len(self.values))
                self.values.append(value)
        self.choices = Assigned(self.targets, self.values, firsts, seconds)
        self._seconds = seconds
        self._value_numbers: dict[tuple[str, CType], int] | None = None

    def pair(self, target_text: str, value_text: str) -> int | None:
        """The number of the choice that assigns the one to the other."""
        at = self.target_numbers.get(target_text)
        if at is None or at in self._constant:
            return None
        offer, _ = self._offers[at]
        number = offer.numbers.get(value_text)
        if number is None or target_text == value_text:
            return self._counted.get((at, value_text))
        own = offer.numbers.get(target_text)
        return self._begins[at] + number - (own is not None and own < number)

    def value_number(self, value_text: str, ctype: CType) -> int | None:
        """The number of a value of that type."""
        if self._value_numbers is None:
            self._value_numbers = {}
            for offer, first in self._offers:
                for written, number in offer.numbers.items():
                    self._value_numbers.setdefault((written, self.values[first].type), first + number)
            for (_, written), number in self._counted.items():
                value = self._seconds[number]
                self._value_numbers.setdefault((written, self.values[value].type), value)
        return self._value_numbers.get((value_text, ctype))


class Pairs:
    """Collects the choices of an assignment without repeating a text, on top of shared ones."""

    def __init__(
        self, vocabulary: Vocabulary, shared: Shared | None = None, *, value_only: bool = False
    ) -> None:
        self._vocabulary = vocabulary
        self._shared = shared
        self._value_only = value_only
        self._target_numbers: dict[str, int] = {}
        self._value_numbers: dict[tuple[str, CType], int] = {}
        self._targets: list[LValue] = list(shared.targets) if shared is not None else []
        self._values: list[Expression] = list(shared.values) if shared is not None else []
        self._pairs: dict[tuple[str, str], int] = {}
        self._firsts: list[int] = []
        self._seconds: list[int] = []
        self._begin = len(shared.choices) if shared is not None else 0

    def add(self, target: LValue, written: str, value: Expression) -> None:
        """The value, as C converts it, assigned to the place whose text is `written`."""
        converted = convert(value, target.type)
        if converted is not None:
            self.put(target, written, converted, text(converted))

    def put(self, target: LValue, target_text: str, value: Expression, value_text: str) -> None:
        """The same for a value of the place's type, with its text."""
        if target_text == value_text or self.number(target_text, value_text) is not None:
            return
        if not self._value_only and not self._vocabulary.writable(target):
            return
        self._pairs[target_text, value_text] = self._begin + len(self._firsts)
        self._firsts.append(self.target(target, target_text))
        self._seconds.append(self.value(value, value_text))

    def shares(self, target_text: str) -> bool:
        """Whether the place takes every value of its type already."""
        return self._shared is not None and target_text in self._shared.target_numbers

    def number(self, target_text: str, value_text: str) -> int | None:
        """The number of the choice, None where there is none."""
        found = self._pairs.get((target_text, value_text))
        if found is None and self._shared is not None:
            found = self._shared.pair(target_text, value_text)
        return found

    def target(self, target: LValue, written: str) -> int:
        """The number of a place."""
        found = self._shared.target_numbers.get(written) if self._shared is not None else None
        if found is None:
            found = self._target_numbers.setdefault(written, len(self._targets))
            if found == len(self._targets):
                self._targets.append(target)
        return found

    def value(self, value: Expression, written: str) -> int:
        """The number of a value; one text may stand for values of several types."""
        found = self._shared.value_number(written, value.type) if self._shared is not None else None
        if found is None:
            found = self._value_numbers.setdefault((written, value.type), len(self._values))
            if found == len(self._values):
                self._values.append(value)
        return found

    def menu(
        self,
        location: int,
        function: str,
        index: int,
        more: tuple[Choice, ...] = (),
        original: tuple[str, str] | None = None,
        calls: tuple[Choice, ...] = (),
        last: tuple[Choice, ...] = (),
    ) -> Menu:
        """The menu of these choices, `more`, `calls` and `last`, without the statement as it is."""
        own = len(calls)
        more = (*more, *calls, *last)
        base = self._shared.choices if self._shared is not None else None
        choices = base
        if choices is None or more or self._firsts:
            choices = Assigned(
                self._targets,
                self._values,
                self._firsts,
                self._seconds,
                base=base,
                more=more,
                value_only=self._value_only,
            )
        mask = (1 << len(choices)) - 1
        number = self.number(*original) if original is not None else None
        if number is not None:
            mask ^= 1 << number
        called = ((1 << own) - 1) << len(choices) - own - len(last)
        return Menu(
            location, function, index, choices, choices.targets, choices.values, mask & ~called, called
        )


def _counted(place: LValue, vocabulary: Vocabulary) -> Iterator[tuple[str, Expression]]:
    """`x + 1` and `x - 1` for an integer place, by operator; for a pointer as the program steps on."""
    if place in vocabulary.steps:
        yield "+", vocabulary.steps[place]
    if isinstance(place.type, IntType):
        for operator in "+-":
            value = compound(operator, place, Constant(1, place.type))
            if value is not None:
                yield operator, value
