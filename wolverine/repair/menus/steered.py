"""Conditions that somebody forces by hand ask for too little, or for too much: what they may ask besides.

`while (cur != NULL)` that is left amid a list looks for a node in it, `&& cur->key < key`: what tells that
node from the others are its numbers.  Elsewhere nothing says that a condition lacks that many tests.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from wolverine.core.expressions import (
    COMPARISONS,
    Binary,
    Cast,
    Dereference,
    Expression,
    Load,
    Logical,
    LValue,
    Member,
    VariableReference,
    lvalue_text,
    text,
    variables,
)
from wolverine.core.parts import conjuncts, null_test
from wolverine.core.program import Function
from wolverine.core.types import INT, CType, IntType, PointerType, StructReference, is_number, promoted
from wolverine.repair.menus.asking import of_fields, of_limits, of_other_nodes
from wolverine.repair.menus.vocabulary import Scope, Vocabulary
from wolverine.repair.source.flow import loops_around
from wolverine.repair.source.invariant import may_change

_PAIRS = 24  # of numbers


def besides(
    vocabulary: Vocabulary, function: Function, index: int, scope: Scope, condition: Expression
) -> Iterator[Logical]:
    """The condition at an instruction with one more test of numbers behind it."""
    places = vocabulary.places(scope)
    tests = chain(
        islice(_of_nodes(vocabulary, function, index, scope, condition), _PAIRS * len(COMPARISONS)),
        of_fields(places, scope),
        of_limits(places),
        of_other_nodes(function, places),
    )
    for test in {text(each): each for each in tests}.values():
        yield Logical("&&", condition, test)
        yield Logical("||", condition, test)


def _of_nodes(
    vocabulary: Vocabulary, function: Function, index: int, scope: Scope, condition: Expression
) -> Iterator[Binary]:
    """How numbers of a node of which the condition asks whether it is there compare with others.

    These are variables, or the same field of other nodes; of a loop's condition those that no round changes.
    """
    around = next(loops_around(function.code, index), range(0))
    spare = {each.name for each in function.spares}
    known = [each for each in scope if each.name not in spare]
    for place in _there(condition):
        for field in _numbers(vocabulary, place):
            others: list[LValue] = [*_alike(field, known), *known]
            for other in others:
                if is_number(other.type) and lvalue_text(other) != lvalue_text(field):
                    names = variables(other)
                    if not any(may_change(function.code[at], [other], names) for at in around):
                        yield from _compared(field, other)


def _there(condition: Expression) -> Iterator[LValue]:
    """The pointers that have to lead somewhere for a condition to hold."""
    for each in conjuncts(condition):
        match null_test(each):
            case place, "!=":
                yield place


def _numbers(vocabulary: Vocabulary, pointer: LValue) -> Iterator[Member]:
    """The fields that are numbers, of the node to which a pointer leads."""
    node = _node(pointer)
    for each in vocabulary.members(node) if node is not None else ():
        match each:
            case Member(base, _, _, ctype) if base == node and is_number(ctype):
                yield each


def _node(pointer: LValue) -> Dereference | None:
    match pointer.type:
        case PointerType(StructReference() as struct):
            return Dereference(Load(pointer), struct)
    return None


def _alike(field: Member, scope: list[VariableReference]) -> Iterator[Member]:
    """The same field of the nodes to which variables lead."""
    for each in scope:
        node = _node(each)
        if node is not None and node.type == field.base.type:
            yield Member(node, field.name, field.offset, field.type)


def _compared(field: LValue, other: LValue) -> Iterator[Binary]:
    """The comparisons of two numbers; none where C would convert one to what the other is."""
    left, right = _reckoned(field), _reckoned(other)
    if left is not None and right is not None and left.type == right.type:
        yield from (Binary(operator, left, right, INT) for operator in COMPARISONS)


def _reckoned(place: LValue) -> Expression | None:
    """What a place holds as C compares it."""
    ctype: CType | None = promoted(place.type) if isinstance(place.type, IntType) else place.type
    return None if ctype is None else Load(place) if ctype == place.type else Cast(Load(place), ctype)
