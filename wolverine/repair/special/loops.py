"""Loops that free a list of which the program frees one node, or what led to it, or nothing."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from wolverine.core.expressions import (
    Dereference,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
    variables,
)
from wolverine.core.parts import place_parts
from wolverine.core.patch import Candidate, Deletion, Edit, FreedList, NewCall
from wolverine.core.program import Assign, Before, Call, Declare, Function, Gap, Jump, Program
from wolverine.core.trace import Problem
from wolverine.core.types import CType, PointerType, StructReference
from wolverine.repair.menus.vocabulary import Vocabulary
from wolverine.repair.source.blocks import statement
from wolverine.repair.source.flow import behind
from wolverine.repair.source.walk import expressions_of
from wolverine.repair.special.leftover import Whole, together
from wolverine.semantics.owned import owned
from wolverine.semantics.shape import self_pointers

_PLACES = ("before", "wrap-before", "after", "block")
_NAME = "rest"


def freeing_lists(
    problem: Problem, whole: Whole, by: tuple[str, int], nodes: Collection[int]
) -> Sequence[Candidate]:
    """What frees a list by the statement at `by` (function, instruction), so that the nodes are freed.

    Only that under which the program does the same besides, the closest first.
    """
    tried = _tried(problem.program, *by) if whole.before is not None else ()
    return lists_freed(problem, whole, tried, nodes)


def lists_freed(
    problem: Problem, whole: Whole, tried: Iterable[Sequence[Edit]], nodes: Collection[int]
) -> Sequence[Candidate]:
    """Of these edits those that free the nodes, under which the program does the same besides."""
    before = whole.before
    found: list[tuple[tuple[int, ...], Candidate]] = []
    for number, made in enumerate(tried if before is not None else ()):
        if (carried := together(problem, whole, made)) is None or before is None:
            continue
        patch, left = carried
        if left.same(before) and left.alive.isdisjoint(nodes) and left.alive < before.alive:
            order = left.lost, left.live, len(made), number
            one = problem.accepted.size + 1  # what is freed once is freed in a loop: one edit
            found.append((order, Candidate(patch, one, float(one))))
    found.sort(key=lambda entry: entry[0])
    return [each for order, each in found if order[:2] == found[0][0][:2]]


def frees_holder(program: Program, name: str, index: int, types: Collection[CType | None]) -> bool:
    """Whether the statement frees a node of another type than these."""
    freed = statement(program.functions[name], index)
    target = freed.arguments[0].type if isinstance(freed, NewCall) else None
    return isinstance(target, PointerType) and target.target not in types


def frees_first(program: Program, name: str, index: int) -> bool:
    """Whether the statement frees the first node of a list, and its function what holds the list.

    `free(a->books); free(a);`: nobody comes to the rest of the books any more.  Nor does anybody behind
    `free(t->rows[i])` in a loop, and `free(t->rows)`.
    """
    function = program.functions[name]
    match statement(function, index):
        case NewCall("free", (Load(place),)):
            return any(_frees(function, [*place_parts(place)]))
    return False


def _tried(program: Program, name: str, index: int) -> Iterator[Sequence[Edit]]:
    """What frees a whole list in the place of the `free` at an instruction of a function, or before it.

    At the function's end it is before one of its `return`s.
    """
    function = program.functions[name]
    freed = statement(function, index)
    value = freed.arguments[0] if isinstance(freed, NewCall) else None
    at_end = index == function.end
    vocabulary, rest = Vocabulary(program, name), unused(program)
    for at in _gaps(function, index) if not at_end else _ends(function):
        gap = program.location(at)
        if gap.kind != "gap" or gap.gap not in _PLACES:
            continue
        for place in vocabulary.places(vocabulary.scope(gap)):
            if not vocabulary.writable(place) or (_handed(program, function, place) and not at_end):
                continue
            if value is not None and value.type == place.type and value != Load(place):
                continue  # more than the rest of the list behind what is freed
            for made in lists_led_to(program, place, rest):
                if _kept(function, index, made):
                    continue
                gone = {Load(each) for each in (place, *made.owned)} if value == Load(place) else set()
                yield [Edit(at, made), *(Edit(each, Deletion()) for each in _frees(function, gone))]


def _frees(function: Function, values: Collection[Expression]) -> Iterator[int]:
    """The locations of the statements that free one of these values."""
    for index, step in enumerate(function.code):
        made = statement(function, index) if isinstance(step, Call) else None
        if isinstance(made, NewCall) and made.arguments[0] in values:
            yield step.location


def lists_led_to(program: Program, place: LValue, rest: str) -> Iterator[FreedList]:
    """The loops that free the list to which a place leads, over one link or another.

    They declare a variable `rest`.
    """
    match place.type:
        case PointerType(StructReference(tag) as struct) if tag in program.types.structs:
            node = Dereference(Load(place), struct)
        case _:
            return
    fields = dict.fromkeys(owned(program, frozenset([struct])))
    direct = {field.name for field in program.types.structs[tag].fields}
    own = tuple(
        Member(node, each.name, each.offset, each.type) for each in fields if each.base.type == struct
    )
    for link in self_pointers(program.types, tag):
        if link.name in direct:
            led = Member(node, link.name, link.offset, link.type)
            kept = VariableReference(rest, link.type)
            yield from (FreedList(place, led, kept, each) for each in dict.fromkeys(((), own)))


def _kept(function: Function, index: int, made: FreedList) -> bool:
    """Whether the function has stored the rest of the list: `*link = gone->next; free(gone);`.

    Then only the first node is to be freed.
    """
    code = function.code
    led = {Load(made.first), *(s.value for s in code if isinstance(s, Assign) and s.target == made.first)}
    node = made.link.base
    rest = {Load(replace(made.link, base=Dereference(each, node.type))) for each in led}
    later = (each for at in behind(code, index) for each in expressions_of(code[at]))
    read = frozenset[str]().union(*map(variables, later))
    return any(
        isinstance(step, Assign)
        and step.value in rest
        and step.target != made.first
        and (
            not isinstance(step.target, VariableReference)
            or step.target.level == "global"
            or step.target.name in read
        )
        for step in code[:index]
    )


def _gaps(function: Function, index: int) -> Iterator[int]:
    """The gap in front of the statement of an instruction, by its location."""
    at = function.units[function.unit_of[index]].first - 1
    while at > 0 and isinstance(function.code[at], Declare | Jump | Before):
        at -= 1
    step = function.code[at] if at >= 0 else None
    if isinstance(step, Gap) and not isinstance(step, Before):
        yield step.location


def _ends(function: Function) -> Iterator[int]:
    """The gaps in front of each `return`, and of the end."""
    for index, step in enumerate(function.code):
        leaves = isinstance(step, Jump) and step.target == function.end and function.unit_of[index] >= 0
        if leaves or index == function.end:
            yield from _gaps(function, index)


def _handed(program: Program, function: Function, place: LValue) -> bool:
    """Whether it is a node that a function is given here and there, of which it frees no more than that."""
    called = (
        step.function == function.name
        for each in program.functions.values()
        for step in each.code
        if isinstance(step, Call)
    )
    return place in function.parameters and sum(called) > 1


def unused(program: Program) -> str:
    """A name that occurs nowhere in the source."""
    words = {word for file in program.files for word in re.findall(rb"[A-Za-z_]\w*", file.content)}
    names = (f"{_NAME}{k if k > 1 else ''}" for k in range(1, len(words) + 2))
    return next(name for name in names if name.encode() not in words)
