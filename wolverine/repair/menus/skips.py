"""Statements that are passed over in a special case: `if (q == p) b->first = p->next; else { while ... }`.

Where a node is looked for from the second one on, the first is a case of its own, and a call or a loop may
have to be left out; under a test (Wolverine2 section 3.1) stands then more than one statement that is there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from wolverine.core.expressions import Load, LValue, VariableReference, lvalue_text, text, variables
from wolverine.core.parts import parts
from wolverine.core.patch import NewAssignment, NewSkip
from wolverine.core.program import (
    Assign,
    Before,
    Branch,
    Concrete,
    Declare,
    Function,
    Gap,
    Instruction,
    Jump,
    Library,
    Program,
    Return,
    is_result,
)
from wolverine.core.types import VOID, PointerType
from wolverine.repair.source.blocks import compound, led_to
from wolverine.repair.source.given_back import variables_returned
from wolverine.repair.source.walk import expressions_of

_FURTHEST = 3  # statements, whole `if`s and loops among them


def skips(
    program: Program, function: Function, index: int, named: AbstractSet[str], places: Sequence[LValue]
) -> Iterator[NewSkip]:
    """What may be passed over from the gap at an instruction, and what may be done in its stead.

    That is to store a pointer, which a statement among them stores, in another of the `places` (`lasting`),
    or which both arms of an `if` store; `named` are the variables that are in scope in the gap.
    """
    code = function.code
    special: list[NewAssignment] = []
    for each in passed_over(program, function, index):
        within = code[index : each.behind]
        steps = _arms(code, each) if each.whole else code[each.at : each.behind]
        special += (made for step in steps for made in _instead(program, step, named, places))
        if each.at > index or each.whole or not _assigns(program, within):
            ends = _at_the_end(function, each.behind)
            if ends and function.result == VOID:
                return  # that it returns then is the same, and less to read
            if not ends:
                yield NewSkip(each.until, each.last)
            yield from (NewSkip(each.until, each.last, made) for made in special)


def _arms(code: Sequence[Instruction], passed: Passed) -> Iterator[Assign]:
    """The last statements of the arms of an `if` that are one value in one place or another.

    `if (key < p->key) p->left = n; else p->right = n;` is about where `n` belongs.
    """
    within = [step for step in code[passed.at : passed.behind] if not isinstance(step, Gap)]
    match within:
        case [*asked, Assign(_, one, value) as first, Jump(_, to), Assign(_, other, same) as second] if (
            to == passed.behind and value == same and one != other
        ):
            if asked and not any(isinstance(step, Jump) for step in asked):
                yield from (first, second)


class Passed(NamedTuple):
    """Statements from a gap on, the last of them from the instruction `at` to the gap `behind`.

    `last` is the gap in front of that one, and `until` the one behind it, as locations; it may be a `whole`
    `if` or loop.
    """

    at: int
    behind: int
    last: int
    until: int
    whole: bool


def passed_over(program: Program, function: Function, index: int) -> Iterator[Passed]:
    """The statements that may be passed over from the gap at an instruction: one, two and so on."""
    code = function.code
    if type(code[index]) is not Gap or program.location(code[index].location).gap != "before":
        return
    at, last = index, code[index].location
    labels = led_to(code)
    for _ in range(_FURTHEST):
        whole = compound(code, at + 1, labels)
        behind = whole if whole is not None else _behind(program, code, at + 1)
        if behind is None or not _between(program, code, behind):
            return
        if any(isinstance(step, Declare) or _declares(program, step) for step in code[at:behind]):
            return
        if any(_is_taken(code, each) for each in range(at, behind)):
            return
        until = code[behind].location
        yield Passed(at, behind, last, until, whole is not None)
        at, last = behind, until


def _is_taken(code: Sequence[Instruction], index: int) -> bool:
    """Whether an effect is taken from the process, other than of a call of the library: it is left alone."""
    return isinstance(code[index], Concrete) and not isinstance(code[index - 1], Library)


def lasting(function: Function, places: Iterable[LValue]) -> list[LValue]:
    """Those of the places that the function names and that live on behind it, or whose values it returns."""
    steps = function.code
    inside = (part for step in steps for each in expressions_of(step) for part in parts(each))
    named = {lvalue_text(part.place) for part in inside if isinstance(part, Load)}
    named |= {lvalue_text(step.target) for step in steps if isinstance(step, Assign)}
    given_back = {lvalue_text(variable) for _, variable in variables_returned(function)}
    return [
        place
        for place in places
        if lvalue_text(place) in (given_back if _is_local(place) else named)
        and isinstance(place.type, PointerType)
    ]


def _is_local(place: LValue) -> bool:
    return isinstance(place, VariableReference) and place.level != "global"


def _at_the_end(function: Function, index: int) -> bool:
    """Whether nothing is done from an instruction on but to return, over no other way."""
    for step in function.code[index:]:
        match step:
            case Gap():
                pass
            case Assign(_, target) if is_result(target):
                pass
            case Return():
                return True
            case Jump(_, to):
                return to == function.end
            case _:
                return False
    return True


def _instead(
    program: Program, step: Instruction, named: AbstractSet[str], places: Sequence[LValue]
) -> Iterator[NewAssignment]:
    """What a statement stores, stored in another place that it does not name."""
    if not isinstance(step, Assign) or not isinstance(step.target.type, PointerType) or step.location < 0:
        return
    if program.location(step.location).kind != "assignment" or not variables(step.value) <= named:
        return
    mentioned = {text(each) for each in (Load(step.target), *parts(step.value))}
    for place in places:
        if place.type == step.target.type and text(Load(place)) not in mentioned:
            yield NewAssignment(place, step.value)


def _behind(program: Program, code: Sequence[Instruction], first: int) -> int | None:
    """The gap behind the statement that begins at an instruction; None where it leads elsewhere."""
    for at in range(first, len(code)):
        if _between(program, code, at):
            return at if at > first else None
        if isinstance(code[at], Before | Branch | Jump | Return):
            return None
    return None


def _between(program: Program, code: Sequence[Instruction], at: int) -> bool:
    """Whether an instruction is a gap between two statements of a block, or behind its last one."""
    step = code[at]
    return (
        type(step) is Gap
        and step.location >= 0
        and program.location(step.location).gap in ("before", "after")
    )


def _assigns(program: Program, within: Sequence[Instruction]) -> bool:
    """Whether a statement is an assignment by itself, which may stand under a test anyway."""
    steps = [step for step in within if not isinstance(step, Gap)]
    return len(steps) == 1 and isinstance(steps[0], Assign)


def _declares(program: Program, step: Instruction) -> bool:
    return step.location >= 0 and program.location(step.location).kind == "initialiser"
