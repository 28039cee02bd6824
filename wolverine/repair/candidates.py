"""Menus: what each location may become (the mutations and insertions of Wolverine2 section 4).

A menu is a list of choices; the search keeps version spaces as sets of choices, written as bit masks
over a menu.  A choice of an assignment is a pair of a place and a value, so that the effects of a whole
menu follow from evaluating each place and each value once.
"""

from __future__ import annotations

from collections.abc import Iterator

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
from wolverine.core.patch import Deletion, NewAssignment, NewCall, NewValue
from wolverine.core.program import Assign, Branch, Call, Gap, Program
from wolverine.core.types import CType, IntType, PointerType, StructReference
from wolverine.repair.conditions import Conditions
from wolverine.repair.guards import guarded_menu
from wolverine.repair.menu import Choice, Menu
from wolverine.repair.variants import Variants
from wolverine.repair.vocabulary import Vocabulary, convert, occurring_locations, repairable


def _whole(
    location: int,
    function: str,
    index: int,
    choices: tuple[Choice, ...],
) -> Menu:
    return Menu(location, function, index, choices, all=(1 << len(choices)) - 1)


class _Pairs:
    """Collects the choices of an assignment without repeating a text, on top of those of `base`."""

    def __init__(self, base: _Pairs | None = None) -> None:
        self.base = base
        self.targets: dict[str, int] = dict(base.targets) if base is not None else {}
        self.values: dict[tuple[str, CType], int] = dict(base.values) if base is not None else {}
        self.target_list: list[LValue] = list(base.target_list) if base is not None else []
        self.value_list: list[Expression] = list(base.value_list) if base is not None else []
        self.choices: dict[tuple[str, str], Choice] = dict(base.choices) if base is not None else {}
        self.made: Menu | None = None

    def add(self, target: LValue, value: Expression, *, value_only: bool = False) -> None:
        converted = convert(value, target.type)
        if converted is not None:
            self.put(target, lvalue_text(target), converted, text(converted), value_only)

    def put(
        self, target: LValue, target_text: str, value: Expression, value_text: str, value_only: bool = False
    ) -> None:
        pair = (target_text, value_text)
        if target_text == value_text or pair in self.choices:
            return
        at = self.targets.get(target_text)
        if at is None:
            at = self.targets[target_text] = len(self.target_list)
            self.target_list.append(target)
        number = self.value(value, value_text)
        made = NewValue(value) if value_only else NewAssignment(target, value)
        self.choices[pair] = Choice(made, at, number)

    def value(self, value: Expression, value_text: str) -> int:
        """The number of a value; one text may stand for values of several types."""
        key = (value_text, value.type)
        number = self.values.get(key)
        if number is None:
            number = self.values[key] = len(self.value_list)
            self.value_list.append(value)
        return number

    def menu(
        self,
        location: int,
        function: str,
        index: int,
        more: tuple[Choice, ...] = (),
        original: tuple[str, str] | None = None,
    ) -> Menu:
        choices = (*self.choices.values(), *more)
        mask = (1 << len(choices)) - 1
        if original in self.choices:
            mask ^= 1 << list(self.choices).index(original)
        return Menu(
            location,
            function,
            index,
            choices,
            tuple(self.target_list),
            tuple(self.value_list),
            mask,
            self.base.made if self.base is not None else None,
        )


class Menus:
    """The menus of a program, made when first asked for.

    With `spares`, edits may use a variable more, which is declared then.  With `guarded` gaps also take
    statements under a test, and returns; the numbers of the choices without a test are the same with and
    without it.
    """

    def __init__(self, program: Program, *, guarded: bool = False, spares: bool = False) -> None:
        self._program = program
        self.guarded = guarded
        self._spares = spares
        self._vocabularies: dict[str, Vocabulary] = {}
        self._indices: dict[str, dict[int, int]] = {}
        self._menus: dict[int, Menu | None] = {}
        self._bases: dict[tuple[str, tuple[VariableReference, ...]], _Pairs] = {}

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
            self._menus[location] = made if made is not None and made.all else None
        return self._menus[location]

    def _make(self, location: int, function: str, index: int) -> Menu | None:
        vocabulary = self._vocabularies.get(function)
        if vocabulary is None:
            vocabulary = self._vocabularies[function] = Vocabulary(
                self._program, function, spares=self._spares
            )
        where = self._program.location(location)
        scope = vocabulary.scope(where)
        match self._program.functions[function].code[index]:
            case Gap() if where.gap == "result":
                return self._result(vocabulary, scope, location, function, index)
            case Gap():
                menu = self._gap(vocabulary, scope, location, function, index)
                if not self.guarded:
                    return menu
                return guarded_menu(menu, vocabulary, self._program.functions[function], scope)
            case Assign(_, target, value):
                if where.kind == "assignment":
                    return self._assignment(vocabulary, scope, location, function, index, target, value)
                return self._value(vocabulary, scope, location, function, index, target, value)
            case Call():
                return _whole(location, function, index, (Choice(Deletion()),))
            case Branch(_, condition):
                return self._condition(vocabulary, scope, location, function, index, condition)
        return None

    def _shared(self, vocabulary: Vocabulary, scope: tuple[VariableReference, ...], function: str) -> _Pairs:
        """The assignments that can stand anywhere in a scope."""
        key = (function, scope)
        pairs = self._bases.get(key)
        if pairs is None:
            pairs = self._bases[key] = _Pairs()
            _product(pairs, vocabulary, scope)
            for place in vocabulary.places(scope):
                for value in _counted(place):
                    pairs.add(place, value)
            pairs.made = pairs.menu(-1, function, -1)
        return pairs

    def _gap(
        self,
        vocabulary: Vocabulary,
        scope: tuple[VariableReference, ...],
        location: int,
        function: str,
        index: int,
    ) -> Menu:
        pairs = _Pairs(self._shared(vocabulary, scope, function))
        frees = _frees(pairs, scope) if vocabulary.frees else ()
        return pairs.menu(location, function, index, tuple(frees))

    def _result(
        self,
        vocabulary: Vocabulary,
        scope: tuple[VariableReference, ...],
        location: int,
        function: str,
        index: int,
    ) -> Menu | None:
        """Where the value of a call may be stored that is dropped as it is."""
        call = self._program.functions[function].code[index - 1]
        if not isinstance(call, Call) or call.result is None or not repairable(call.result.type):
            return None
        pairs = _Pairs()
        for place in vocabulary.places(scope):
            if place.type == call.result.type:
                pairs.add(place, Load(call.result))
        return pairs.menu(location, function, index)

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
            return _whole(location, function, index, (Choice(Deletion()),))
        pairs = _Pairs(self._shared(vocabulary, scope, function))
        variants = Variants(vocabulary, scope)
        for other in variants.of_value(value, whole=True):
            pairs.add(target, other)
        for other_value in vocabulary.values(scope, target.type):
            pairs.add(target, other_value)
        for place in (*vocabulary.of_type(vocabulary.places(scope), target.type), *variants.of_place(target)):
            if place.type == target.type:
                pairs.add(place, value)
        original = (lvalue_text(target), text(value))
        return pairs.menu(location, function, index, (Choice(Deletion()),), original)

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
        pairs = _Pairs()
        variants = Variants(vocabulary, scope)
        for other in variants.of_value(value, whole=True):
            pairs.add(target, other, value_only=True)
        for other in vocabulary.values(scope, target.type):
            pairs.add(target, other, value_only=True)
        initialiser = self._program.location(location).kind == "initialiser"
        more = (Choice(Deletion()),) if initialiser else ()
        return pairs.menu(location, function, index, more, (lvalue_text(target), text(value)))

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
        return _whole(location, function, index, tuple(found.values()))


def _product(pairs: _Pairs, vocabulary: Vocabulary, scope: tuple[VariableReference, ...]) -> None:
    values: dict[CType, list[tuple[Expression, str]]] = {}
    for place in vocabulary.places(scope):
        if place.type not in values:
            values[place.type] = [(v, text(v)) for v in vocabulary.values(scope, place.type)]
        written = lvalue_text(place)
        for value, value_text in values[place.type]:
            pairs.put(place, written, value, value_text)


def _counted(place: LValue) -> Iterator[Expression]:
    """`x + 1` and `x - 1` for an integer place."""
    if isinstance(place.type, IntType):
        for operator in "+-":
            yield Binary(operator, Load(place), Constant(1, place.type), place.type)


def _frees(pairs: _Pairs, scope: tuple[VariableReference, ...]) -> Iterator[Choice]:
    """`free(x)` for the pointer variables."""
    for variable in scope:
        if isinstance(variable.type, PointerType) and isinstance(variable.type.target, StructReference):
            value = Load(variable)
            yield Choice(NewCall("free", (value,)), -1, pairs.value(value, text(value)))
