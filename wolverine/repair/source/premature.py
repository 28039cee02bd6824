"""A variable that is led on before it has been used: `t = t->next; before = t;`, `last = n; last->next = n;`.

Of two such statements in a row the second makes no sense behind the first: it copies what is there already,
or links a node to itself (`table[h] = n; n->next = table[h];`).  Before it, it does what loops over lists do
(trailing pointers, appending), or what puts a node in front of others.  Nor does it where it reckons with a
place and the value that the first has just given it: `all->count = k; rest = all->count - k;`.  Nor does a
call that is given both: `*cell = value; note(*cell, value);` notes what was there before and what is there
now.

A statement that goes through a pointer in front of the test whether that is null is premature as well:
`int least = first->key; if (first == NULL) return;`.  Where nothing comes of it if the pointer is null, it
belongs behind the test.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from wolverine.core.expressions import (
    COMPARISONS,
    Binary,
    Constant,
    Dereference,
    Expression,
    Load,
    Logical,
    LValue,
    Member,
    VariableReference,
    variables,
)
from wolverine.core.parts import gone_through, null_test, parts, without_casts
from wolverine.core.program import (
    Assign,
    Before,
    Branch,
    Call,
    Function,
    Gap,
    Instruction,
    Jump,
    Library,
    Program,
)
from wolverine.core.types import PointerType
from wolverine.repair.source.blocks import arms_around
from wolverine.repair.source.flow import forward
from wolverine.repair.source.walk import expressions_of, located

SENSELESS = 0.5
_EARLY = 0.3
_IN_VAIN = "-/%"


def led_on_too_early(function: Function, first: int, second: int) -> float:
    """How much speaks for the second of two neighbouring statements before the first, by their locations."""
    if links_to_itself(function, first, second) or _reckons_in_vain(function, first, second):
        return SENSELESS
    if _passes_both(function, first, second):
        return SENSELESS
    match [*_assignments(function, (first, second))]:
        case [Assign(_, VariableReference() as variable, value), Assign() as other]:
            if not isinstance(variable.type, PointerType):
                return 0.0
            goes_on = variable.name in variables(value)
            if other.target != variable and without_casts(other.value) == Load(variable):
                return SENSELESS if goes_on else 0.0
            if variable in gone_through(other.target):
                if _same(value, other.value):
                    return SENSELESS
                return _EARLY if goes_on else 0.0
            return _EARLY if goes_on and _through(variable, other.value) else 0.0
    return 0.0


def behind_its_test(program: Program, function: Function, index: int) -> int | None:
    """The gap behind the test for null of what the statement at an instruction goes through, by its location.

    Where the pointer is null nobody reads what the statement sets.  The test may be of the place
    from which the pointer was read: `t = first; n = t->key; if (first == NULL) return;`.
    """
    code, step = function.code, function.code[index]
    if not isinstance(step, Assign):
        return None
    pointers, others = set(_gone_through(step)), set[LValue]()
    for earlier in code[:index]:
        if isinstance(earlier, Assign):
            held = without_casts(earlier.value)
            others.discard(earlier.target)
            if earlier.target in pointers and isinstance(held, Load):
                others.add(held.place)
    for at in range(index + 1, len(code)):
        match code[at]:
            case Branch(location, condition, if_true, if_false):
                found = null_test(condition)
                null, other = (if_true, if_false)[:: 1 if found is not None and found[1] == "==" else -1]
                if found is None or found[0] not in pointers | others or program.location(location).loop:
                    return None
                without = forward(code, null)
                if other in without or _names(
                    step, (code[each] for each in {*without, *range(index + 1, at)})
                ):
                    return None
                return _first_gap(program, function, other)
            case Jump() | Before():
                return None
    return None


def _gone_through(step: Assign) -> Iterator[LValue]:
    """The pointers through which an assignment goes."""
    yield from gone_through(step.target)
    for part in parts(step.value):
        if isinstance(part, Load):
            yield from gone_through(part.place)


def _names(step: Assign, others: Iterable[Instruction]) -> bool:
    """Whether one of the others reads or sets the variable that an assignment sets."""
    if not isinstance(step.target, VariableReference):
        return False
    return any(
        (isinstance(each, Assign) and each.target == step.target)
        or any(step.target.name in variables(value) for value in expressions_of(each))
        for each in others
    )


def _first_gap(program: Program, function: Function, start: int) -> int | None:
    """The first gap in front of a statement among those that begin at an instruction."""
    for each in function.code[start:]:
        if not isinstance(each, Gap) or isinstance(each, Before):
            return None
        if each.location >= 0 and program.location(each.location).gap == "before":
            return each.location
    return None


def links_to_itself(function: Function, first: int, second: int) -> bool:
    """Whether the second of two assignments links the node that the first one puts somewhere to itself.

    The first node of a ring is meant to be, where nothing was there.
    """
    match [*_assignments(function, (first, second))]:
        case [Assign(_, place, value), Assign(_, Member(Dereference(pointer)), given)]:
            node, there = without_casts(value), Load(place)
            led, to = without_casts(pointer), without_casts(given)
            if not isinstance(node, Load) or led.type != to.type or led == to:
                return False
            return {led, to} == {node, there} and not _was_null(function, second, place)
    return False


def _reckons_in_vain(function: Function, first: int, second: int) -> bool:
    """Whether the second of two assignments has the difference of a place and what the first set it to.

    So it is with what is left of a division, and with comparisons: what comes out is always the same.
    """
    match [*_assignments(function, (first, second))]:
        case [Assign(_, place, value), Assign(_, _, reckoned)]:
            return not isinstance(without_casts(value), Constant) and any(
                isinstance(part, Binary)
                and (part.operator in _IN_VAIN or part.operator in COMPARISONS)
                and {without_casts(part.left), without_casts(part.right)}
                == {Load(place), without_casts(value)}
                for part in parts(reckoned)
            )
    return False


def _passes_both(function: Function, first: int, second: int) -> bool:
    """Whether a call in the second statement is given a place and what the first has just set that to."""
    match [*_assignments(function, (first,))]:
        case [Assign(_, place, value)] if not isinstance(without_casts(value), Constant):
            both = {Load(place), without_casts(value)}
            return any(both <= given for given in _passed(function, second))
    return False


def _passed(function: Function, location: int) -> Iterator[set[Expression]]:
    """What each call in the statement at a location is given, as it is written there."""
    unit = function.unit_of[located(function, location)]
    written: dict[Expression, Expression] = {}
    for step, at in zip(function.code, function.unit_of, strict=True):
        match step:
            case Assign(_, VariableReference() as kept, value) if at == unit:
                written[Load(kept)] = value
            case Call(_, _, arguments) | Library(_, _, arguments) if at == unit:
                yield {without_casts(written.get(each, each)) for each in arguments}


def _was_null(function: Function, location: int, place: LValue) -> bool:
    """Whether a statement stands in an arm of an `if` for a place that is null."""
    index = next(at for at, step in enumerate(function.code) if step.location == location)
    around = (function.code[at] for at, _ in arms_around(function.code, index))
    return any(
        _tests(step.condition, place, "==" if index < step.if_false else "!=")
        for step in around
        if isinstance(step, Branch)
    )


def _tests(condition: Expression, place: LValue, operator: str) -> bool:
    """Whether a condition, or what is joined in it, tests a place for null by this operator."""
    match condition:
        case Logical(_, left, right):
            return _tests(left, place, operator) or _tests(right, place, operator)
    return null_test(condition) == (place, operator)


def _assignments(function: Function, locations: tuple[int, ...]) -> Iterator[Assign]:
    """The assignments among what is at some locations, in their order."""
    found = {step.location: step for step in function.code if isinstance(step, Assign)}
    return (found[each] for each in locations if each in found)


def _same(value: Expression, other: Expression) -> bool:
    """Whether two assignments have the same value, that of a variable."""
    one = without_casts(value)
    return isinstance(one, Load) and one == without_casts(other)


def _through(variable: VariableReference, value: Expression) -> bool:
    read = without_casts(value)
    return isinstance(read, Load) and variable in gone_through(read.place)
