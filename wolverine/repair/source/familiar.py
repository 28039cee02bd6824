"""What a program says elsewhere is likelier than what it says nowhere.

Code repeats itself (Hindle et al., "On the naturalness of software", ICSE 2012): of two edits as near as each
other, the one that puts a place which other statements name where none named the old one is rather meant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from wolverine.core.expressions import (
    COMPARISONS,
    AddressOf,
    Binary,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
    lvalue_text,
    source_name,
)
from wolverine.core.parts import parts, place_parts
from wolverine.core.program import Assign, Program
from wolverine.repair.source.walk import expressions_of


class Familiar:
    """The places in nodes and arrays that a program names, by text."""

    def __init__(self, program: Program) -> None:
        self._named: Counter[str] = Counter()
        for function in program.functions.values():
            for step in function.code:
                targets = [step.target] if isinstance(step, Assign) else []
                self._named.update(_named(expressions_of(step), targets))

    def favours(
        self,
        old: Iterable[Expression],
        new: Iterable[Expression],
        was: LValue | None = None,
        now: LValue | None = None,
    ) -> bool:
        """Whether what `new` names besides is named elsewhere, and what only `old` names is not.

        `was` and `now` are the places that are assigned.
        """
        before = Counter(_named(old, [was] if was is not None else []))
        after = set(_named(new, [now] if now is not None else []))
        come, gone = after - before.keys(), before.keys() - after
        return (
            bool(come and gone)
            and all(self._named[each] for each in come)
            and all(self._named[each] == before[each] for each in gone)
        )


def namesakes(target: LValue, value: Expression) -> bool:
    """Whether a field is set to the variable of its name: `n->left = left`."""
    match target, value:
        case Member(_, field), Load(VariableReference(name)):
            return field.casefold() == name.casefold()
    return False


def compares_namesakes(condition: Expression) -> int:
    """How many comparisons are of places with one name: `p->key == key`, `one->key < other->key`."""
    found = 0
    for part in parts(condition):
        match part:
            case Binary(operator, Load(one), Load(other)) if operator in COMPARISONS:
                found += _last_name(one) == _last_name(other) != ""
    return found


def _last_name(place: LValue) -> str:
    match place:
        case Member(_, name) | VariableReference(name):
            return source_name(name).casefold()
    return ""


def _named(expressions: Iterable[Expression], targets: Iterable[LValue]) -> Iterator[str]:
    """The places that are no mere variables, as text."""
    inside = [part for each in expressions for part in parts(each)]
    for target in targets:
        inside += [Load(target), *place_parts(target)]
    for part in inside:
        if isinstance(part, Load | AddressOf) and not isinstance(part.place, VariableReference):
            yield lvalue_text(part.place)
