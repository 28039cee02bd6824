"""Statements that set one of two places, or a place to one of two values, as the program has them elsewhere.

`if (p->prev) p->prev->next = p->next; else list->head = p->next;` is written in each function that takes out
a node; where it is missing in one, no plain statement does in its stead.  What is missing somewhere stands
somewhere else in most programs (Barr et al., "The plastic surgery hypothesis", FSE 2014).

Of lists that have two ends, and are linked both ways, it may stand there for the other end: what takes out
the first node sets `l->first->prev` or `l->last`, what takes out the last one `l->last->next` or `l->first`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from wolverine.core.exchanging import SAME, Exchange, Fields, exchanged_place, exchanged_value, named
from wolverine.core.expressions import Conditional, Expression, LValue, Member, text
from wolverine.core.parts import parts
from wolverine.core.patch import Guarded, NewAssignment
from wolverine.core.program import Assign, Branch, Program
from wolverine.core.types import CType, Field, PointerType, StructReference, is_number
from wolverine.repair.menus.exchanging import exchanges
from wolverine.repair.menus.vocabulary import Scope
from wolverine.repair.source.arms import arms

_MOST = 12  # for one scope


@dataclass(frozen=True)
class Fork:
    """One of two assignments, by a condition: where a function of the program does that."""

    condition: Expression
    then: Assign
    otherwise: Assign


def forks(program: Program) -> Iterator[Fork]:
    """The statements of a program that do one of two assignments to pointers or numbers."""
    for function in program.functions.values():
        for index, step in enumerate(function.code):
            fork = None
            match step:
                case Assign(location, target, Conditional(condition, then, otherwise)):
                    fork = Fork(
                        condition, Assign(location, target, then), Assign(location, target, otherwise)
                    )
                case Branch(_, condition):
                    match arms(function.code, index):
                        case [Assign() as one], [Assign() as other]:
                            fork = Fork(condition, one, other)
            if fork is not None and _plain(program, fork):
                yield fork


def at_the_other_end(program: Program, sources: list[Fork]) -> Iterator[Fork]:
    """The forks that set links and ends, with the other links and ends of the same structs for them."""
    fields = _opposite(program)
    for fork in sources:
        same: Exchange = {each: each for each in named(fork.condition, fork.then, fork.otherwise)}
        condition = exchanged_value(fork.condition, same, fields)
        one, other = _assigned(fork.then, same, fields), _assigned(fork.otherwise, same, fields)
        if condition is None or one is None or other is None:
            continue
        before = fork.then.target, fork.otherwise.target
        if all(_is_one_of(each, fields) for each in before) and one.target not in before:
            then = Assign(fork.then.location, one.target, one.value)
            yield Fork(condition, then, Assign(fork.otherwise.location, other.target, other.value))


def _opposite(program: Program) -> Fields:
    """The pointers to structs that are two of a kind in a struct: each is the other's."""
    found: dict[tuple[CType, str], tuple[str, int]] = {}
    for tag, struct in program.types.structs.items():
        kinds: dict[CType, list[Field]] = {}
        for each in struct.fields:
            if isinstance(each.type, PointerType) and isinstance(each.type.target, StructReference):
                kinds.setdefault(each.type, []).append(each)
        for pair in kinds.values():
            if len(pair) == 2:
                for one, other in (pair, pair[::-1]):
                    found[StructReference(tag), one.name] = other.name, other.offset
    return found


def _is_one_of(target: LValue, fields: Fields) -> bool:
    return isinstance(target, Member) and (target.base.type, target.name) in fields


def forked(sources: list[Fork], scope: Scope) -> Iterator[Guarded]:
    """The forks as they would be written in a scope."""
    yield from islice(_forked(sources, scope), _MOST)


def _forked(sources: list[Fork], scope: Scope) -> Iterator[Guarded]:
    seen: set[Guarded] = set()
    for fork in sources:
        for exchange in exchanges(named(fork.condition, fork.then, fork.otherwise), scope):
            condition = exchanged_value(fork.condition, exchange)
            one, other = _assigned(fork.then, exchange), _assigned(fork.otherwise, exchange)
            if condition is None or one is None or other is None:
                continue
            made = Guarded(condition, one, other)
            if made not in seen:
                seen.add(made)
                yield made


def _assigned(step: Assign, exchange: Exchange, fields: Fields = SAME) -> NewAssignment | None:
    target = exchanged_place(step.target, exchange, fields)
    value = exchanged_value(step.value, exchange, fields)
    return None if target is None or value is None else NewAssignment(target, value)


def _plain(program: Program, fork: Fork) -> bool:
    """Whether both arms are statements of the source of one type, nothing is called, and they differ."""
    one, other = fork.then, fork.otherwise
    both = [(text(step.value), step.target) for step in (one, other)]
    alike = one.target.type == other.target.type and both[0] != both[1]
    kinds = {program.location(step.location).kind for step in (one, other) if step.location >= 0}
    inside = named(fork.condition, one, other)
    return (
        alike
        and (isinstance(one.target.type, PointerType) or is_number(one.target.type))
        and kinds == {"assignment"}
        and min(one.location, other.location) >= 0
        and not any(each.name.startswith("$") for each in inside)
        and not any(isinstance(p, Conditional) for p in (*parts(one.value), *parts(other.value)))
    )
