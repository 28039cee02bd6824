"""Slips in the arguments of one call: a variable of the line it was copied from, a step at the wrong one.

`insert(&list, a->key, a->value)` where `b` was meant throughout, `merge(a->next, b)` for `merge(a, b->next)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import permutations

from wolverine.core.expressions import (
    AddressOf,
    Dereference,
    Element,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
    variables,
)
from wolverine.core.patch import Edit, NewValue, Patch
from wolverine.core.program import Assign, Call, Function, Program
from wolverine.core.types import PointerType


def slips(function: Function) -> Iterator[tuple[Edit, ...]]:
    """The edits that mend such a slip, for each that there may be."""
    for given in arguments(function):
        yield from _renamed(function, given)
        yield from _stepped(given)


class Together:
    """Edits that are one change, as `offered` for each function of a program."""

    def __init__(self, program: Program, offered: Callable[[Function], Iterable[tuple[Edit, ...]]]) -> None:
        self._program = program
        self._offered = offered
        self._known: dict[str, tuple[tuple[frozenset[int], tuple[Edit, ...]], ...]] = {}

    def made_by(self, patch: Patch) -> Iterator[tuple[Edit, ...]]:
        """Those of which a patch makes all."""
        if len(patch.edits) < 2:
            return
        made: set[Edit] | None = None
        at = {edit.location for edit in patch.edits}
        for name in {self._program.location(each).function for each in at}:
            for locations, edits in self._of(name):
                if locations <= at:  # hashing edits takes long
                    made = made or set(patch.edits)
                    if made.issuperset(edits):
                        yield edits

    def _of(self, name: str) -> tuple[tuple[frozenset[int], tuple[Edit, ...]], ...]:
        if name not in self._known:
            offered = map(tuple, self._offered(self._program.functions[name]))
            self._known[name] = tuple((frozenset(e.location for e in edits), edits) for edits in offered)
        return self._known[name]


def arguments(function: Function) -> Iterator[list[Assign]]:
    """Of every call what it is given, without what other calls return."""
    yield from (given for _, given in passing(function))


def passing(function: Function) -> Iterator[tuple[str, list[Assign]]]:
    """The same, with the function that is called."""
    passed: dict[str, Assign] = {}
    for step in function.code:
        if isinstance(step, Assign) and isinstance(step.target, VariableReference):
            passed[step.target.name] = step
        elif isinstance(step, Call):
            given = [
                passed[argument.place.name]
                for argument in step.arguments
                if isinstance(argument, Load)
                and isinstance(argument.place, VariableReference)
                and argument.place.name in passed
            ]
            plain = [a for a in given if not any(name.startswith("$") for name in variables(a.value))]
            yield step.function, plain


def _renamed(function: Function, given: Sequence[Assign]) -> Iterator[tuple[Edit, ...]]:
    known = [v for v in (*function.parameters, *function.locals) if isinstance(v.type, PointerType)]
    for old, new in permutations(known, 2):
        naming = [each for each in given if old.name in variables(each.value)]
        if old.type == new.type and len(naming) > 1:
            yield tuple(Edit(a.location, NewValue(_with(a.value, old, new))) for a in naming)


def _stepped(given: Sequence[Assign]) -> Iterator[tuple[Edit, ...]]:
    for one, other in permutations(given, 2):
        match one.value, other.value:
            case Load(Member(Dereference(Load(VariableReference()) as far)) as link), Load(
                VariableReference()
            ) as near if one.target.type == other.target.type == far.type == near.type:
                assert isinstance(link.base, Dereference)
                stepped = Load(replace(link, base=replace(link.base, pointer=near)))
                yield Edit(one.location, NewValue(far)), Edit(other.location, NewValue(stepped))


def _with(value: Expression, old: VariableReference, new: VariableReference) -> Expression:
    """The value with another variable wherever it goes through the old one or names it."""
    match value:
        case Load(place):
            return Load(_place_with(place, old, new))
        case AddressOf(place):
            return replace(value, place=_place_with(place, old, new))
    return value


def _place_with(place: LValue, old: VariableReference, new: VariableReference) -> LValue:
    match place:
        case VariableReference():
            return new if place == old else place
        case Dereference(pointer):
            return replace(place, pointer=_with(pointer, old, new))
        case Member(base) | Element(base):
            return replace(place, base=_place_with(base, old, new))
