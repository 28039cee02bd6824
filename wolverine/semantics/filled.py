"""Arrays in structs that are filled up to a number beside them: `g->list[i]` with `i < g->n`, null behind it.

Whoever frees such a struct goes as far as the number: what hung further on would be lost.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from wolverine.core.expressions import COMPARISONS, Binary, Constant, Expression, Load, Member, text
from wolverine.core.graph import MemoryGraph, NodeId, ObjectId, Place, Value
from wolverine.core.parts import parts, without_casts
from wolverine.core.program import Program
from wolverine.core.types import VOID_POINTER, ArrayType, IntType, PointerType, StructReference
from wolverine.semantics.counters import number_at, owners
from wolverine.semantics.indexing import elements, evaluated
from wolverine.semantics.layout import Layout


class Filled(NamedTuple):
    """In structs with that tag, the number at one offset and the array of pointers at the other one."""

    tag: str
    number: int
    array: int
    length: int


def possible_filled(program: Program) -> frozenset[Filled]:
    """The arrays of pointers that a function indexes by what it compares with a number beside them.

    An array of the struct's own kind is none: the children of a tree have forms of their own.
    """
    found: set[Filled] = set()
    for function in program.functions.values():
        compared = {
            (text(index), tag, offset)
            for step in function.code
            for expression in evaluated(step)
            for part in parts(expression)
            for index, tag, offset in _compared(part)
        }
        for step in function.code if compared else ():
            for element in elements(step):
                match element.base:
                    case Member(base, _, array, ArrayType(PointerType(target), length)) if length > 1:
                        index = text(without_casts(element.index))
                        found |= {
                            Filled(tag, offset, array, length)
                            for name, tag, offset in compared
                            if name == index and base.type == StructReference(tag) != target
                        }
    return frozenset(found)


def kept_filled(rules: Iterable[Filled], graph: MemoryGraph, layout: Layout) -> frozenset[Filled]:
    """The rules that every such struct of a graph keeps, one of them not for nothing.

    It has something below the number, and room beyond it.
    """
    right: set[Filled] = set()
    wrong: set[Filled] = set()
    for rule, places, number in _judged(rules, graph, layout):
        values = [graph.cells[place] for place in places]
        if not 0 <= number <= rule.length or any(each is not None for each in values[number:]):
            wrong.add(rule)
        elif number < rule.length and any(each is not None for each in values[:number]):
            right.add(rule)
    return frozenset(right - wrong)


def emptied(graph: MemoryGraph, rules: Collection[Filled], layout: Layout) -> MemoryGraph:
    """The graph with null beyond the numbers, and without the nodes to which nothing leads for that."""
    beyond: dict[Place, Value] = {
        place: None
        for _, places, number in _judged(rules, graph, layout)
        for place in places[max(number, 0) :]
        if graph.cells[place] is not None
    }
    if not beyond:
        return graph
    left = replace(graph, cells={**graph.cells, **beyond})
    gone = graph.reachable() - left.reachable()
    return replace(
        left,
        nodes={name: node for name, node in graph.nodes.items() if name not in gone},
        cells={place: value for place, value in left.cells.items() if place.object not in gone},
        cell_types={place: kind for place, kind in graph.cell_types.items() if place.object not in gone},
        stretches={name: each for name, each in graph.stretches.items() if name not in gone},
    )


def _compared(part: Expression) -> Iterator[tuple[Expression, str, int]]:
    """What is compared with a number in a struct, the struct's tag and the number's offset."""
    if isinstance(part, Binary) and part.operator in COMPARISONS:
        left, right = without_casts(part.left), without_casts(part.right)
        for index, bound in ((left, right), (right, left)):
            match bound:
                case Load(Member(base, _, offset, IntType())) if not isinstance(index, Constant):
                    if isinstance(base.type, StructReference):
                        yield index, base.type.tag, offset


def _judged(
    rules: Iterable[Filled], graph: MemoryGraph, layout: Layout
) -> Iterator[tuple[Filled, list[Place], int]]:
    """For each rule and struct: the places of the array, and the number."""
    structs = owners(layout, graph)
    named: dict[int, ObjectId] = {}
    for place in graph.cells:
        if (number := number_at(layout, place)) is not None:
            named[number] = place.object
    for rule in rules:
        for owner in structs.get(rule.tag, ()):
            held = named.get(owner.object)
            if held is None or (isinstance(held, NodeId) and graph.nodes[held].state != "live"):
                continue
            first = owner.begin + rule.array
            places = [Place(held, first + at * VOID_POINTER.size) for at in range(rule.length)]
            count = graph.cells.get(Place(held, owner.begin + rule.number))
            if isinstance(count, int) and all(place in graph.cells for place in places):
                yield rule, places, count
