"""What a program says elsewhere is likelier than what it says nowhere.

Code repeats itself (Hindle et al., "On the naturalness of software", ICSE 2012): of two edits as near as each
other, the one that puts a place which other statements name where none named the old one is rather meant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from wolverine.core.expressions import (
    COMPARISONS,
    AddressOf,
    Binary,
    Constant,
    Element,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
    lvalue_text,
    source_name,
)
from wolverine.core.parts import parts, place_parts, without_casts
from wolverine.core.program import Assign, Call, Instruction, Library, Program
from wolverine.repair.source.walk import expressions_of

_COMPARED = 2  # arguments of what compares


class Familiar:
    """The places in nodes and arrays that a program names, by text."""

    def __init__(self, program: Program) -> None:
        self._program = program
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

    def estranges(self, old: Iterable[Expression], new: Iterable[Expression]) -> bool:
        """Whether an element at a reckoned index that other statements name becomes one that none names.

        So `table[h % SIZE]` becomes `table[(h + 1) % SIZE]`.
        """
        before, after = Counter(_reckoned(old)), set(_reckoned(new))
        come, gone = after - before.keys(), before.keys() - after
        elsewhere = all(self._named[each] > before[each] for each in gone)
        return bool(come and gone) and elsewhere and not any(self._named[each] for each in come)

    def parts_kept(self, old: Expression, new: Expression) -> bool:
        """Whether a field is no more compared with a variable that the program stores in it elsewhere."""
        return bool((_compared(old) - _compared(new)) & self._kept)

    @cached_property
    def _kept(self) -> frozenset[frozenset[str]]:
        """Fields with the variables that are stored in them, by text."""
        return frozenset(
            frozenset((lvalue_text(step.target), lvalue_text(value.place)))
            for function in self._program.functions.values()
            for step in function.code
            if isinstance(step, Assign) and isinstance(step.target, Member)
            if isinstance(value := without_casts(step.value), Load)
            if isinstance(value.place, VariableReference)
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


def orders_no_more(condition: Expression, new: Expression) -> bool:
    """Whether the same number of two nodes was compared for their order, and now one with a constant."""
    match condition, new:
        case Binary("<" | "<=" | ">" | ">=", Load(Member(_, name)), Load(Member(_, same))), Binary(
            _, one, other
        ) if name == same:
            return any(isinstance(without_casts(each), Constant) for each in (one, other))
    return False


def passes_namesakes(code: Sequence[Instruction], index: int, value: Expression) -> bool:
    """Whether a call of two arguments, for which the instruction passes one, gets two places of one name.

    So it is with `compare(key, n->key)`, with `strcmp(p->name, q->name)`.
    """
    here = code[index]
    if not isinstance(here, Assign) or not isinstance(here.target, VariableReference):
        return False
    passed = Load(here.target)
    call = next((s for s in code[index:] if isinstance(s, Call | Library) and passed in s.arguments), None)
    if call is None or call.result is None or len(call.arguments) != _COMPARED:
        return False
    given = [
        step.value
        for step in code
        if isinstance(step, Assign) and step.target != here.target and Load(step.target) in call.arguments
    ]
    match without_casts(value), [without_casts(each) for each in given]:
        case Load(one), [Load(two)] if one != two and one.type == two.type:
            return _last_name(one) == _last_name(two) != ""
    return False


def _compared(condition: Expression) -> set[frozenset[str]]:
    """The places that a condition compares, by text, two by two."""
    found = set()
    for part in parts(condition):
        match part:
            case Binary(operator, one, other) if operator in COMPARISONS:
                match without_casts(one), without_casts(other):
                    case Load(place), Load(beside):
                        found.add(frozenset((lvalue_text(place), lvalue_text(beside))))
    return found


def _reckoned(expressions: Iterable[Expression]) -> Iterator[str]:
    """The elements with indices that are reckoned, as text."""
    for part in (each for expression in expressions for each in parts(expression)):
        match part:
            case Load(Element(_, index) as place) | AddressOf(Element(_, index) as place):
                if isinstance(without_casts(index), Binary):
                    yield lvalue_text(place)


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
