"""Pointers to the last node of a list that a function forgets, where it links the first one.

`if (q->front == NULL) q->front = n; else q->rear->next = n;`: what goes through `rear` relies on that it
leads to the node that was linked last.  So only null is ever read there, unless `q->rear = n` comes behind.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from wolverine.core.expressions import (
    Constant,
    Dereference,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
    lvalue_text,
    text,
)
from wolverine.core.parts import without_casts
from wolverine.core.program import Assign, Declare, Function, Gap, Instruction, Program, Return
from wolverine.repair.source.flow import behind, one_way


class Tail(NamedTuple):
    """A place that should lead to what is `linked`, and at which instructions it is forgotten.

    It is where the `first` node is linked, in another place; `further` are those that go through it to link
    another node, and `kept` says that it is set behind these.
    """

    place: LValue
    linked: str
    first: int
    further: tuple[int, ...]
    kept: bool


class Tails:
    """Those that the functions of a program forget."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._found: dict[str, list[Tail]] = {}

    def sets(self, function: str, index: int, target: LValue, value: Expression) -> bool:
        """Whether an assignment in a gap sets one that is forgotten, where that is always done."""
        if function not in self._found:
            self._found[function] = [*_tails(self._program.functions[function])]
        code = self._program.functions[function].code
        return any(
            each.place == target
            and each.linked == text(without_casts(value))
            and isinstance(code[index], Gap)
            and _mends(code, index, each)
            for each in self._found[function]
        )


def goes_through_tail(function: Function, instruction: int) -> LValue | None:
    """The place that a function forgets and goes through at an instruction, where it comes from outside."""
    for each in _tails(function):
        if instruction in each.further and each.place not in function.locals:
            return each.place
    return None


def _tails(function: Function) -> Iterator[Tail]:
    code = function.code
    assigned = [(at, step) for at, step in enumerate(code) if isinstance(step, Assign)]
    through: dict[tuple[str, str], list[int]] = {}
    places: dict[str, LValue] = {}
    for at, step in assigned:
        match step.target, without_casts(step.value):
            case Member(Dereference(Load(place))), Load() as value:
                for each in (place, *_copied(code, at, place)):
                    if each not in function.parameters:
                        through.setdefault((lvalue_text(each), text(value)), []).append(at)
                        places[lvalue_text(each)] = each
    for (written, linked), further in through.items():
        place = places[written]
        sets = [
            (at, text(without_casts(step.value)))
            for at, step in assigned
            if lvalue_text(step.target) == written and not isinstance(without_casts(step.value), Constant)
        ]
        if any(one_way(code, at, each) and at < each for at, _ in sets for each in further):
            continue  # a variable that walks to the last node
        kept = any(value == linked and one_way(code, at, further[0]) for at, value in sets)
        for at, step in assigned:
            first = _beside(step.target, place) and text(without_casts(step.value)) == linked
            apart = not any(one_way(code, at, each) for each in (*further, *(set_at for set_at, _ in sets)))
            if first and apart:
                yield Tail(place, linked, at, tuple(further), kept)


def _copied(code: Sequence[Instruction], index: int, place: LValue) -> Iterator[LValue]:
    """The place from which one was set just before an instruction: `t->prev = l->tail; t->prev->next = t`."""
    for step in code[:index][::-1]:
        match step:
            case Assign(_, target, Load(source)) if target == place:
                yield source
                return
            case Assign() | Gap() | Declare():
                pass
            case _:
                return


def _beside(one: LValue, other: LValue) -> bool:
    """Whether two places are variables, or fields of one struct, of one type."""
    if one == other or one.type != other.type:
        return False
    match one, other:
        case Member(base), Member(same):
            return base == same
        case (VariableReference(), VariableReference()):
            return one.level == other.level
        case Dereference(Load(VariableReference())), Dereference(Load(VariableReference())):
            return True
    return False


def _mends(code: Sequence[Instruction], index: int, tail: Tail) -> bool:
    """Whether each way from where it is forgotten comes through a gap before it is needed or the end."""
    if tail.kept:
        anew = not any(one_way(code, index, each) for each in tail.further)
        return anew and not _avoids(code, tail.first, index, tail.further)
    return not any(_avoids(code, at, index, tail.further) for at in (tail.first, *tail.further))


def _avoids(code: Sequence[Instruction], start: int, gap: int, needed: Collection[int]) -> bool:
    """Whether a way from an instruction leads to the end, or to one of others, and not through a gap."""
    reached = behind(code, start, barred=(gap,))
    last = len(code) - 1
    return any(at == last or at in needed or isinstance(code[at], Return) for at in reached)
