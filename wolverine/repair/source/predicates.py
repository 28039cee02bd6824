"""What functions ask that do no more than that: `empty(l)` asks `l->next == l`.

Who forgets to ask before a node is taken out forgets what such a function is for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from wolverine.core.arguments import with_other
from wolverine.core.expressions import (
    COMPARISONS,
    AddressOf,
    Binary,
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
from wolverine.core.parts import negated, parts, place_parts, without_casts
from wolverine.core.program import Assign, Branch, Call, Function, Gap, Jump, Program, Return, is_result
from wolverine.core.types import PointerType, StructReference
from wolverine.repair.source.walk import expressions_of

_MOST = 6  # structures in one scope of which one predicate is asked


@dataclass(frozen=True)
class Predicate:
    """What a function asks of the struct to which its parameter leads."""

    parameter: VariableReference
    asked: Expression


def predicates(program: Program) -> list[Predicate]:
    """The predicates of a program that it uses in conditions."""
    used = {name for function in program.functions.values() for name in _used(function)}
    made = (_predicate(program.functions[name]) for name in sorted(used & {*program.functions}))
    return [each for each in made if each is not None]


def asking_of(
    known: Sequence[Predicate], function: Function, names: Collection[str] | None = None
) -> list[Expression]:
    """What a function may ask of the structures that it names: each test, and its opposite.

    Of those only that are named by these variables, where they are given.  A predicate does not ask itself.
    """
    found: dict[str, Expression] = {}
    for predicate in known:
        if _predicate(function) == predicate:
            continue
        named = (place for place in _structures(function) if place.type == _led_to(predicate.parameter))
        for place in islice((p for p in named if names is None or variables(p) <= {*names}), _MOST):
            test = _asked_of(predicate, place)
            found.setdefault(text(test), test)
            found.setdefault(text(negated(test)), negated(test))
    return [*found.values()]


def _used(function: Function) -> Iterator[str]:
    """The functions on whose answers a function decides."""
    tested = {
        name for step in function.code if isinstance(step, Branch) for name in variables(step.condition)
    }
    for step in function.code:
        if isinstance(step, Call) and step.result is not None and step.result.name in tested:
            yield step.function


def _predicate(function: Function) -> Predicate | None:
    """What the function asks, if it does nothing but give back a test of what one parameter leads to."""
    match [step for step in function.code if not isinstance(step, Gap)]:
        case [Assign(_, target, value), *rest] if is_result(target):
            if not all(isinstance(step, Jump | Return) for step in rest) or len(function.parameters) != 1:
                return None
            [parameter] = function.parameters
            asked = without_casts(value)
            if _is_test(asked) and parameter.name in variables(asked) and _led_to(parameter) is not None:
                return Predicate(parameter, asked)
    return None


def _is_test(value: Expression) -> bool:
    match value:
        case Binary(operator):
            return operator in COMPARISONS
        case Unary("!") | Logical():
            return True
    return False


def _led_to(parameter: VariableReference) -> StructReference | None:
    match parameter.type:
        case PointerType(StructReference() as led):
            return led
    return None


def _structures(function: Function) -> list[LValue]:
    """The structs that a function names, each once, those of its parameters first."""
    found: dict[LValue, None] = {}
    for parameter in function.parameters:
        if (led := _led_to(parameter)) is not None:
            found.setdefault(Dereference(Load(parameter), led))
    for step in function.code:
        inside = [part for each in expressions_of(step) for part in parts(each)]
        if isinstance(step, Assign):
            inside += (*place_parts(step.target), Load(step.target))
        for part in inside:
            place = part.place if isinstance(part, Load | AddressOf) else None
            while place is not None:
                if isinstance(place.type, StructReference):
                    found.setdefault(place)
                place = place.base if isinstance(place, Member) else None
    return [place for place in found if not any(name.startswith("$") for name in variables(place))]


def _asked_of(predicate: Predicate, place: LValue) -> Expression:
    """The test, of a place in the stead of what the parameter leads to."""
    given = Load(predicate.parameter)
    pointer = place.pointer if isinstance(place, Dereference) else AddressOf(place, predicate.parameter.type)
    inside = with_other(predicate.asked, Dereference(given, place.type), place)  # type: ignore[arg-type]
    return with_other(inside, given, pointer)
