"""Statements of other functions with their variables exchanged: `g->degree[u]--` where another has `++`.

What functions of one program do beside the same links they do alike (Engler et al., "Bugs as deviant
behavior", SOSP 2001): sizes, heights and counts are kept up in each of them, or in none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, product

from wolverine.core.expressions import (
    Binary,
    Cast,
    Dereference,
    Element,
    Expression,
    Load,
    Logical,
    LValue,
    Member,
    Unary,
    VariableReference,
)
from wolverine.core.parts import parts, place_parts
from wolverine.core.patch import NewAssignment
from wolverine.core.program import Assign, Program
from wolverine.core.types import IntType
from wolverine.repair.vocabulary import MANY_PLACES, Scope, Vocabulary

_WAYS = 6  # of exchanging the variables of one statement
_MOST = 48  # statements for one scope

_Exchange = Mapping[VariableReference, VariableReference]


def borrowed(
    program: Program, function: str, vocabulary: Vocabulary, scope: Scope
) -> Iterator[NewAssignment]:
    """What other functions set numbers in nodes and arrays to, as it would be written in a scope."""
    if len(vocabulary.places(scope)) <= MANY_PLACES:
        yield from islice(_borrowed(program, function, scope), _MOST)


def _borrowed(program: Program, function: str, scope: Scope) -> Iterator[NewAssignment]:
    seen: set[NewAssignment] = set()
    for name, other in program.functions.items():
        for step in other.code if name != function else ():
            if not isinstance(step, Assign) or not _kept_up(program, step):
                continue
            for made in _exchanged(step, scope):
                if made not in seen:
                    seen.add(made)
                    yield made


def _kept_up(program: Program, step: Assign) -> bool:
    """Whether a statement sets a number that lives on by what is more than one place or a constant."""
    if isinstance(step.target, VariableReference) or not isinstance(step.target.type, IntType):
        return False
    if step.location < 0 or program.location(step.location).kind != "assignment":
        return False
    reckoned = isinstance(step.value, Binary) and any(isinstance(p, Load) for p in parts(step.value))
    return reckoned and all(not v.name.startswith("$") for v in _named(step))


def _named(step: Assign) -> Sequence[VariableReference]:
    """The variables of a statement, each once."""
    inside = (*place_parts(step.target), Load(step.target), *parts(step.value))
    places = (part.place for part in inside if isinstance(part, Load))
    return [*dict.fromkeys(each for place in places for each in _within(place))]


def _within(place: LValue) -> Iterator[VariableReference]:
    match place:
        case VariableReference():
            yield place
        case Member(base) | Element(base):
            yield from _within(base)


def _exchanged(step: Assign, scope: Scope) -> Iterator[NewAssignment]:
    """The statement with variables of the scope for its own, and what takes back what it adds."""
    named = _named(step)
    ways = product(*([*_stand_ins(each, scope)] for each in named))
    for way in islice(ways, _WAYS):
        if len(set(way)) < len(way):
            continue
        exchange = dict(zip(named, way, strict=True))
        target, value = _place(step.target, exchange), _value(step.value, exchange)
        if target is None or value is None:
            continue
        yield NewAssignment(target, value)
        match value:
            case Binary("+" | "-" as operator, Load(same)) if same == target:
                yield NewAssignment(target, replace(value, operator="-" if operator == "+" else "+"))


def _stand_ins(variable: VariableReference, scope: Scope) -> Iterator[VariableReference]:
    """Variables of the scope for one of another function: that of its name, or all of its type."""
    alike = [each for each in scope if each.type == variable.type]
    same = [each for each in alike if (each.name, each.level) == (variable.name, variable.level)]
    if variable.level == "global" or same:
        yield from same
    else:
        yield from (each for each in alike if each.level != "global")


def _place(place: LValue, exchange: _Exchange) -> LValue | None:
    match place:
        case VariableReference():
            return exchange.get(place)
        case Member(base) if (made := _place(base, exchange)) is not None:
            return replace(place, base=made)
        case Dereference(pointer) if (led := _value(pointer, exchange)) is not None:
            return replace(place, pointer=led)
        case Element(base, index):
            made, at = _place(base, exchange), _value(index, exchange)
            return replace(place, base=made, index=at) if made is not None and at is not None else None
    return None


def _value(value: Expression, exchange: _Exchange) -> Expression | None:
    match value:
        case Load(place):
            made = _place(place, exchange)
            return Load(made) if made is not None else None
        case Cast(operand) | Unary(_, operand):
            inner = _value(operand, exchange)
            return replace(value, operand=inner) if inner is not None else None
        case Binary(_, left, right) | Logical(_, left, right):
            one, two = _value(left, exchange), _value(right, exchange)
            return replace(value, left=one, right=two) if one is not None and two is not None else None
    return value if not any(isinstance(part, Load) for part in parts(value)) else None
