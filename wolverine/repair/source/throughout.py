"""One slip in several places of a function: each edit by itself mends only some of what happens.

The room of a pointer for every node that is made, links that no new node gets, the wrong link in a loop and
behind it (`&(*at)->next`, `*at = x->next` where another link was meant), or in a test and under it
(`tested_links`), the wrong variable in `a = b = v`,
`=` for `+=` with one number for several places, the node itself in each call of a recursion that goes down.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, groupby, pairwise, permutations

from wolverine.core.expressions import (
    AddressOf,
    Binary,
    Constant,
    Dereference,
    Element,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
    text,
    variables,
)
from wolverine.core.parts import parts, without_casts
from wolverine.core.patch import Cleared, Edit, NewAssignment, NewValue
from wolverine.core.program import Assign, Branch, Call, Function, Gap, Instruction, Jump, Program
from wolverine.core.types import Field, PointerType, StructReference, is_number
from wolverine.repair.source.sizes import sizes
from wolverine.repair.source.slips import passing
from wolverine.repair.source.tested_links import links_exchanged

_TOGETHER = 3  # statements with one wrong link, at most


def throughout(program: Program, function: Function) -> Iterator[tuple[Edit, ...]]:
    """The edits that mend such a slip, for each that there may be; without new nodes."""
    yield from _sizes(program, function)
    yield from _links(program, function)
    yield from _chained(program, function)
    yield from _added(program, function)
    yield from _recursions(program, function)
    yield from links_exchanged(program, function)


def everywhere(program: Program, function: Function) -> Iterator[tuple[Edit, ...]]:
    """These, and those by which nodes are made with `calloc`."""
    return chain(throughout(program, function), cleared(program, function))


def cleared(program: Program, function: Function) -> Iterator[tuple[Edit, ...]]:
    """The edits by which all nodes of a struct are made with `calloc` that lack a link in common."""
    found: dict[str, list[tuple[int, frozenset[str]]]] = {}
    for index, step in enumerate(function.code):
        malloc = isinstance(step, Call) and step.function == "malloc"
        if malloc and program.location(step.location).kind == "allocation":
            made = _made(program, function, index)
            if made is not None:
                found.setdefault(made[0], []).append((step.location, made[1]))
    for several in found.values():
        if len(several) > 1 and frozenset.intersection(*(links for _, links in several)):
            yield tuple(Edit(location, Cleared()) for location, _ in several)


def _sizes(program: Program, function: Function) -> Iterator[tuple[Edit, ...]]:
    """All that is allocated with one size, where what takes it has another."""
    found: dict[str, list[Edit]] = {}
    for index, step in enumerate(function.code):
        if isinstance(step, Assign) and isinstance(step.value, Constant):
            other = next(sizes(program, function, index) or iter(()), None)
            if other is not None:
                found.setdefault(text(step.value), []).append(Edit(step.location, NewValue(other)))
    yield from (tuple(edits) for edits in found.values() if len(edits) > 1)


def _links(program: Program, function: Function) -> Iterator[tuple[Edit, ...]]:
    """Another link of the struct in statements that follow each other among those with the one there is."""
    reading: dict[tuple[str, str], list[Assign]] = {}
    for step in function.code:
        if isinstance(step, Assign) and program.location(step.location).kind in ("assignment", "initialiser"):
            for named in sorted(_fields(step.value)):
                reading.setdefault(named, []).append(step)
    for (tag, name), steps in sorted(reading.items()):
        fields = [*program.types.members(StructReference(tag))]
        this = next(field for field in fields if field.name == name)
        others = [field for field in fields if field.name != name and field.type == this.type]
        for other in others if isinstance(this.type, PointerType) else ():
            for length in range(2, _TOGETHER + 1):
                for at in range(len(steps) - length + 1):
                    near = steps[at : at + length]
                    yield tuple(_with(program, each, tag, name, other) for each in near)


def _chained(program: Program, function: Function) -> Iterator[tuple[Edit, ...]]:
    """Another variable that takes the value first in `a = b = v`, which `a` then has from that."""
    named = (*function.parameters, *function.locals, *program.globals)
    for inner, outer in pairwise(function.code):
        if not (isinstance(inner, Assign) and isinstance(outer, Assign)):
            continue
        if min(inner.location, outer.location) < 0 or outer.value != Load(inner.target):
            continue
        for other in named:
            if other.type == inner.target.type and other not in (inner.target, outer.target):
                first = Edit(inner.location, NewAssignment(other, inner.value))
                yield first, Edit(outer.location, NewAssignment(outer.target, Load(other)))


def _added(program: Program, function: Function) -> Iterator[tuple[Edit, ...]]:
    """What several numbers in a row are set to added to them, and what is added to them set instead."""
    steps = [step for step in function.code if not isinstance(step, Gap)]
    for own, group in groupby(steps, key=partial(_amount, program)):
        row = [step for step in group if isinstance(step, Assign)]
        if own is None or len(row) < 2:
            continue
        added, amount = own
        yield tuple(
            _edit(program, step, amount if added else Binary("+", Load(step.target), amount, step.value.type))
            for step in row
        )


def _recursions(program: Program, function: Function) -> Iterator[tuple[Edit, ...]]:
    """Links for calls of a function by itself, of which several are given just what it was given.

    `t->left = cut(t)` and `t->right = cut(t)` never end; what takes the result says where it goes down.
    Where nothing takes it, it is the links of the node in either order.
    """
    calls = [given for name, given in passing(function) if name == function.name]
    again = [given for given in calls if _as_given(function, given)]
    if len(again) < 2:
        return
    stored = [edit for given in again for edit in _taken(function, given)]
    if len(stored) == len(again):
        yield tuple(stored)
        return
    nodes = [each for each in again[0] if _links_of(program, each.value)]
    if len(nodes) != 1:
        return
    place = again[0].index(nodes[0])
    for links in permutations(_links_of(program, nodes[0].value), len(again)):
        made = zip(again, links, strict=True)
        yield tuple(Edit(given[place].location, NewValue(link)) for given, link in made)


def _as_given(function: Function, given: Sequence[Assign]) -> bool:
    """Whether a call of the function by itself is given just what it was given."""
    values = [without_casts(each.value) for each in given]
    return len(values) > 0 and values == [Load(each) for each in function.parameters]


def _taken(function: Function, given: Sequence[Assign]) -> Iterator[Edit]:
    """The edit by which such a call is given the link that takes its result: `t->left = cut(t)`."""
    code = function.code
    behind = code[code.index(given[-1]) :]
    call, after = next(each for each in pairwise(behind) if isinstance(each[0], Call))
    match call, after:
        case Call(result=VariableReference() as result), Assign(
            _, Member(Dereference(pointer)) as link, value
        ) if without_casts(value) == Load(result):
            for each in given:
                if without_casts(each.value) == pointer and each.value.type == link.type:
                    yield Edit(each.location, NewValue(Load(link)))


def _links_of(program: Program, pointer: Expression) -> list[Expression]:
    """The links of a node that lead to nodes of its kind, as they are read over a pointer to it."""
    match pointer.type:
        case PointerType(StructReference(tag) as kind):
            fields = program.types.members(kind)
            links = (f for f in fields if f.type == pointer.type and tag in program.types.structs)
            return [Load(Member(Dereference(pointer, kind), f.name, f.offset, f.type)) for f in links]
    return []


def _amount(program: Program, step: Instruction) -> tuple[bool, Expression] | None:
    """Whether a number is added to another one by an assignment, or this is set to it, and that number."""
    if not isinstance(step, Assign) or not is_number(step.target.type):
        return None
    if step.location < 0 or program.location(step.location).kind != "assignment":
        return None
    match without_casts(step.value):
        case Binary("+", Load(place), amount) if place == step.target:
            return True, amount
        case Constant():
            return None
        case value:
            return None if Load(step.target) in parts(value) else (False, value)


def _edit(program: Program, step: Assign, value: Expression) -> Edit:
    if program.location(step.location).kind == "assignment":
        return Edit(step.location, NewAssignment(step.target, value))
    return Edit(step.location, NewValue(value))


def _fields(value: Expression) -> set[tuple[str, str]]:
    """The fields that a value goes through or leads to, by the struct's tag and the name."""
    found = set()
    for part in parts(value):
        place = part.place if isinstance(part, (Load, AddressOf)) else None
        if isinstance(place, Member) and isinstance(place.base.type, StructReference):
            found.add((place.base.type.tag, place.name))
    return found


def _with(program: Program, step: Assign, tag: str, name: str, other: Field) -> Edit:
    return _edit(program, step, _value_with(step.value, tag, name, other))


def _value_with(value: Expression, tag: str, name: str, other: Field) -> Expression:
    """The value with another field wherever it names the one."""
    match value:
        case Load(place) | AddressOf(place):
            return replace(value, place=_place_with(place, tag, name, other))
        case Binary(_, left, right):
            return replace(
                value,
                left=_value_with(left, tag, name, other),
                right=_value_with(right, tag, name, other),
            )
    return value


def _place_with(place: LValue, tag: str, name: str, other: Field) -> LValue:
    match place:
        case Dereference(pointer):
            return replace(place, pointer=_value_with(pointer, tag, name, other))
        case Element(base):
            return replace(place, base=_place_with(base, tag, name, other))
        case Member(base, field):
            inside = _place_with(base, tag, name, other)
            if field == name and isinstance(base.type, StructReference) and base.type.tag == tag:
                return Member(inside, other.name, other.offset, other.type)
            return replace(place, base=inside)
    return place


def _made(program: Program, function: Function, index: int) -> tuple[str, frozenset[str]] | None:
    """What struct a call of malloc makes room for, and the links that the statements behind it do not set."""
    call = function.code[index]
    assert isinstance(call, Call)
    if call.function != "malloc" or call.result is None:
        return None
    rest = function.code[index + 1 :]
    taken = next((s for s in rest if isinstance(s, Assign) and call.result.name in variables(s.value)), None)
    if taken is None:
        return None
    match taken.target.type:
        case PointerType(StructReference(tag)) if tag in program.types.structs:
            links = {f.name for f in program.types.structs[tag].fields if isinstance(f.type, PointerType)}
        case _:
            return None
    for step in rest:
        if isinstance(step, (Branch, Jump)):
            break
        if isinstance(step, Assign) and isinstance(step.target, Member) and step is not taken:
            base = step.target.base
            if isinstance(base.type, StructReference) and base.type.tag == tag:
                links.discard(step.target.name)
    return tag, frozenset(links)
