"""Conditions with one more test, one that the program makes elsewhere.

Whether a node is open, or smaller than the first one, is asked wherever that matters: what one condition
lacks stands in another (Engler et al., "Bugs as deviant behavior", SOSP 2001).  Only what asks for fields is
such a test; whether a pointer is null is asked anywhere (see `conditions`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from wolverine.core.exchanging import exchanged_value, named
from wolverine.core.expressions import (
    COMPARISONS,
    ORDERS,
    Binary,
    Conditional,
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
    variables,
)
from wolverine.core.parts import MIRRORED, negated, null_test, parts, without_casts
from wolverine.core.program import Branch, Function, Program
from wolverine.core.types import INT, IntType, PointerType
from wolverine.repair.menus.exchanging import exchanges
from wolverine.repair.menus.vocabulary import Scope
from wolverine.repair.source.unread import unread_parameters
from wolverine.repair.source.walk import expressions_of

_MOST = 8  # tests for one scope
_PAIRS = 24  # of numbers


def asked(program: Program) -> list[Expression]:
    """The tests of a program, each once."""
    found: dict[str, Expression] = {}
    for function in program.functions.values():
        for step in function.code:
            inside = [part for each in expressions_of(step) for part in parts(each)]
            conditions = [part.condition for part in inside if isinstance(part, Conditional)]
            if isinstance(step, Branch):
                conditions.append(step.condition)
            for test in (each for condition in conditions for each in _single(condition)):
                if _of_fields(test):
                    found.setdefault(text(test), test)
    return [*found.values()]


def in_scope(tests: Iterable[Expression], scope: Scope) -> list[Expression]:
    """The tests as they would be written in a scope, with its variables."""
    made = (exchanged_value(test, way) for test in tests for way in exchanges(named(test), scope))
    worded = {text(each): each for each in made if each is not None}
    return [*islice(worded.values(), _MOST)]


def of_fields(places: Iterable[LValue], scope: Scope) -> Iterator[Expression]:
    """Whether a field leads to where a variable does, or holds 0."""
    for place in places:
        if not isinstance(place, Member):
            continue
        if isinstance(place.type, PointerType):
            others = [each for each in scope if each.type == place.type and each.name not in variables(place)]
            for other in others:
                yield from (Binary(sign, Load(place), Load(other), INT) for sign in ("==", "!="))
        elif isinstance(place.type, IntType):
            zero = Constant(0, place.type)
            yield from (Binary(sign, Load(place), zero, INT) for sign in ("==", "!="))


def of_other_nodes(function: Function, places: Sequence[LValue]) -> Iterator[Expression]:
    """What the function asks of a number in one node, asked of the same field of others.

    Who looks for a place with `cur->next->mark > mark` may have to know `cur->mark < mark`.
    """
    asked = (part for step in function.code if isinstance(step, Branch) for part in parts(step.condition))
    compared = [part for part in asked if isinstance(part, Binary) and part.operator in COMPARISONS]
    found = (
        (each, kept, place)
        for each in compared
        for field, kept in ((each.left, each.right), (each.right, each.left))
        for place in places
        if field != Load(place) and _same_field(field, place)
    )
    for each, kept, place in islice(found, _PAIRS):
        signs = ORDERS if each.operator in ORDERS else ("==", "!=")
        yield from (Binary(sign, Load(place), kept, INT) for sign in signs)


def of_nodes_asked(condition: Expression, places: Iterable[LValue]) -> list[LValue]:
    """The places that are fields of nodes for which a condition asks: `head->mark` of `head == NULL`."""
    asked = {*parts(condition)}
    return [p for p in places if isinstance(p, Member) and _node(p.base) in asked]


def as_of_others(function: Function, condition: Expression, new: Expression) -> bool:
    """Whether a condition asks besides of a node's number just what the function asks of another's.

    Or the opposite: who goes on past nodes with `p->next->mark >= mark` stays in front of one with
    `head->mark < mark`.
    """
    known = {text(each) for each in _single(condition)}
    more = [each for each in _single(new) if text(each) not in known]
    if len(more) != 1 or not known < {text(each) for each in _single(new)}:
        return False
    ways = {(text(each.right), each.operator) for each in _mirrored(more[0])}
    nodes = [each.left.place for each in _mirrored(more[0]) if isinstance(each.left, Load)]
    asked = (part for step in function.code if isinstance(step, Branch) for part in parts(step.condition))
    return any(
        (text(other.right), other.operator) in ways
        and any(_same_field(other.left, node) and other.left != Load(node) for node in nodes)
        for each in asked
        for way in (each, negated(each))
        for other in _mirrored(way)
    )


def _mirrored(comparison: Expression) -> Iterator[Binary]:
    """A comparison by order, from either side."""
    match comparison:
        case Binary(operator, left, right) if operator in ORDERS:
            yield comparison
            yield Binary(MIRRORED[operator], right, left, INT)


def _node(place: LValue) -> Expression | None:
    """What leads to a place."""
    return place.pointer if isinstance(place, Dereference) else None


def _same_field(value: Expression, place: LValue) -> bool:
    """Whether a value is a number of a node, and a place the same field of a node."""
    match value, place:
        case Load(Member(Dereference() as one, _, offset, IntType())), Member(Dereference() as two, _, at):
            return (one.type, offset) == (two.type, at)
    return False


def of_unread(function: Function, places: Sequence[LValue], scope: Scope) -> Iterator[Expression]:
    """Whether a number in a node is what the function was given and does not use: `p->key == key`."""
    unused = unread_parameters(function)
    asked = [each for each in scope if each.name in unused and isinstance(each.type, IntType)]
    nodes = [each for each in places if isinstance(each, Member) and isinstance(each.base, Dereference)]
    found = ((p, field) for p in asked for field in nodes if field.type == p.type and _plain(field))
    for parameter, field in islice(found, _PAIRS):
        yield from (Binary(sign, Load(field), Load(parameter), INT) for sign in ("==", "<"))


def of_limits(places: Iterable[LValue]) -> Iterator[Expression]:
    """Whether a number has come to another one that stands beside it, or is greater."""
    numbers = [each for each in places if isinstance(each.type, IntType) and _plain(each)]
    pairs = ((one, two) for one in numbers for two in numbers if one != two and _beside(one, two))
    for one, two in islice(pairs, _PAIRS):
        yield from (Binary(sign, Load(one), Load(two), INT) for sign in ("==", ">"))


def _plain(place: LValue) -> bool:
    """Whether a place is a variable, or a field of what a variable is or leads to."""
    match place:
        case (
            VariableReference() | Member(VariableReference()) | Member(Dereference(Load(VariableReference())))
        ):
            return True
    return False


def _beside(one: LValue, two: LValue) -> bool:
    """Whether two are of one type, and in the same struct, or both in none."""
    base = one.base if isinstance(one, Member) else None
    return one.type == two.type and base == (two.base if isinstance(two, Member) else None)


def with_one_more(condition: Expression, tests: Sequence[Expression]) -> Iterator[Expression]:
    """The condition with one of the tests, or its opposite, beside all of it or one of its two sides."""
    mentioned = {text(each) for each in _single(condition)}
    for test in tests:
        if mentioned & {text(test), text(negated(test))}:
            continue
        for each in (test, negated(test)):
            yield Logical("&&", each, condition)
            yield Logical("&&", condition, each)
            yield Logical("||", condition, each)
            if isinstance(condition, Logical):
                operator, left, right = condition.operator, condition.left, condition.right
                other = "||" if operator == "&&" else "&&"
                yield Logical(operator, left, Logical(other, each, right))
                yield Logical(operator, Logical(other, each, left), right)


def _single(condition: Expression) -> Iterator[Expression]:
    match condition:
        case Logical(_, left, right):
            yield from _single(left)
            yield from _single(right)
        case Unary("!", operand):
            yield from _single(operand)
        case _:
            yield condition


def _of_fields(test: Expression) -> bool:
    """Whether a test compares numbers, or asks for one, of which some is in a struct."""
    if null_test(test) is not None or any(each.name.startswith("$") for each in named(test)):
        return False
    match test:
        case Binary(operator, left) if operator in COMPARISONS:
            numbers = isinstance(without_casts(left).type, IntType)
        case Load(place):
            numbers = isinstance(place.type, IntType)
        case _:
            numbers = False
    return numbers and any(isinstance(p, Load) and isinstance(p.place, Member) for p in parts(test))
