"""Pointers that the source sets together: `head = tail = n`, `if (q->front == NULL) q->rear = NULL`.

They are null together or not at all, whatever one execution shows.  Where only one of them is null when a
function begins that crashes, what forgot the other one was done before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from wolverine.core.expressions import (
    Binary,
    Cast,
    Constant,
    Dereference,
    Expression,
    Load,
    LValue,
    Member,
    Unary,
    VariableReference,
    lvalue_text,
)
from wolverine.core.graph import MemoryGraph, Pointer, VariableId
from wolverine.core.parts import null_test
from wolverine.core.program import MAIN, Assign, Branch, Call, Function, Gap, Instruction, Program
from wolverine.core.types import ArrayType, CType, PointerType, StructReference
from wolverine.repair.source.together import Together, torn
from wolverine.semantics.address import POINTER, number_of
from wolverine.semantics.counters import alive, number_at, tags
from wolverine.semantics.layout import Layout


class _Cell(NamedTuple):
    """A pointer to nodes in an object that is none of them: `of` names the object, `tag` its struct.

    A global has no struct, and all of them count as one object.
    """

    of: str
    tag: str
    place: LValue
    offset: int


def paired(program: Program, layout: Layout) -> frozenset[Together]:
    """The pairs of cells that are null together as the source says."""
    found: set[Together] = set()
    for function in program.functions.values():
        for one, two in (*_filled(function), *_begun(function), *_emptied(function)):
            found.update(_rules(program, layout, one, two))
    return frozenset(found)


def parted(layout: Layout, graph: MemoryGraph, pairs: Collection[Together]) -> bool:
    """Whether the graph has one cell of a pair null and not the other."""
    cells: dict[int, list[tuple[int, int, int]]] = {}
    for place, value in graph.cells.items():
        number = number_at(layout, place)
        if number is not None and (value is None or isinstance(value, Pointer)):
            cells.setdefault(number, []).append((place.offset, POINTER, 0 if value is None else 1))
    return torn(pairs, cells, alive(graph), tags(graph))


def _filled(function: Function) -> Iterator[tuple[_Cell, _Cell]]:
    """The cells that are given the same node, which the function has made or was given, in one go."""
    fresh = {lvalue_text(variable) for variable in function.parameters}
    for step in function.code:
        match step:
            case Call(_, _, _, VariableReference() as result):
                fresh.add(lvalue_text(result))
            case Assign(_, VariableReference(level=level) as target, value) if level != "global":
                if _source(value) in fresh:
                    fresh.add(lvalue_text(target))
    for run in _runs(function.code):
        given: list[tuple[_Cell, str]] = []
        for step in run:
            if (cell := _cell(step.target)) is None:
                continue
            source = _source(step.value)
            source = next((text for each, text in given if lvalue_text(each.place) == source), source)
            if source in fresh:
                given.append((cell, source))
        for (one, text), (two, other) in combinations(given, 2):
            if text == other:
                yield one, two


def _begun(function: Function) -> Iterator[tuple[_Cell, _Cell]]:
    """The cells of which one is given a node where the other one is null, which is given it in any case.

    `if (q->rear == NULL) q->front = n; else q->rear->next = n;` and behind that `q->rear = n`.
    """
    for step in function.code:
        test = null_test(step.condition) if isinstance(step, Branch) else None
        tested = _cell(test[0]) if test is not None else None
        if not isinstance(step, Branch) or test is None or tested is None:
            continue
        empty, other = (step.if_true, step.if_false)[:: 1 if test[1] == "==" else -1]
        run = next(_runs(function.code[empty:]), [])
        given = {_source(each.value) for each in run if _cell(each.target) == tested}
        for each in function.code[max(empty, other) :]:
            if isinstance(each, Assign) and _cell(each.target) == tested:
                given.add(_source(each.value))
        for each in run:
            cell = _cell(each.target)
            if cell is not None and cell != tested and _source(each.value) in given - {""}:
                yield cell, tested


def _source(value: Expression) -> str:
    """The place that a value is read from, as text ("": none)."""
    match value:
        case Cast(operand):
            return _source(operand)
        case Load(place):
            return lvalue_text(place)
    return ""


def _emptied(function: Function) -> Iterator[tuple[_Cell, _Cell]]:
    """The cells of which one is set to null where the other one is."""
    for step in function.code:
        if not isinstance(step, Branch):
            continue
        tested = _tested(step.condition)
        cell = _cell(tested) if tested is not None else None
        run = next(_runs(function.code[step.if_true :]), [])
        for each in run:
            other = _cell(each.target)
            if cell is not None and other is not None and isinstance(each.value, Constant):
                yield cell, other


def _tested(condition: Expression) -> LValue | None:
    """The place that a condition says is null."""
    match condition:
        case Binary("==", Load(place), Constant()) | Unary("!", Load(place)):
            return place
    return None


def _runs(code: Sequence[Instruction]) -> Iterator[list[Assign]]:
    """The assignments that are made one after the other."""
    run: list[Assign] = []
    for step in code:
        if isinstance(step, Assign):
            run.append(step)
        elif not isinstance(step, Gap):
            yield run
            run = []
    yield run


def _cell(place: LValue) -> _Cell | None:
    match place.type:
        case PointerType(StructReference(kind)):
            pass
        case _:
            return None
    match place:
        case VariableReference(level="global"):
            return _Cell("", "", place, 0)
        case Member(Dereference() | VariableReference() as base, _, offset) if isinstance(
            base.type, StructReference
        ):
            return _Cell(lvalue_text(base), base.type.tag, place, offset) if base.type.tag != kind else None
    return None


def _rules(program: Program, layout: Layout, one: _Cell, two: _Cell) -> Iterator[Together]:
    if (one.of, one.tag, one.place.type) != (two.of, two.tag, two.place.type) or one.place == two.place:
        return
    if not one.tag:
        numbers = [layout.address("", each.place)[1] for each in (one, two)]  # type: ignore[arg-type]
        first, second = sorted((number_of(address), 0) for address in numbers)
        yield Together(first, second)
        return
    low, high = sorted((one.offset, two.offset))
    yield Together((one.tag, low), (one.tag, high))
    for variable in program.globals:
        number = number_of(layout.address("", variable)[1])
        for begin in _within(program, variable.type, one.tag):
            yield Together((number, begin + low), (number, begin + high))
    for name in layout.variables(MAIN) if MAIN in program.functions else ():
        if name.type == StructReference(one.tag):
            address = layout.object_address(VariableId(0, MAIN, name.name))
            if address is not None:
                yield Together((number_of(address), low), (number_of(address), high))


def _within(program: Program, ctype: CType, tag: str) -> Iterator[int]:
    """Where such structs lie in a variable of the type, which may be an array of them."""
    if ctype == StructReference(tag):
        yield 0
    elif isinstance(ctype, ArrayType) and ctype.element == StructReference(tag):
        yield from range(0, program.types.size(ctype), program.types.size(ctype.element))
