"""Numbers that say how many nodes hang on the pointer beside them: `dept->n` next to `dept->staff`.

The program counts them by ones.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import NamedTuple

from wolverine.core.expressions import Binary, Constant, Expression, Load, LValue, Member, VariableReference
from wolverine.core.graph import MemoryGraph, NodeId, ObjectId, Place, Pointer, Value, VariableId
from wolverine.core.parts import without_casts
from wolverine.core.program import Assign, Call, Function, Library, Program, reachable
from wolverine.core.types import (
    CHAR,
    INT,
    VOID_POINTER,
    ArrayType,
    CType,
    IntType,
    PointerType,
    StructReference,
    Types,
)
from wolverine.semantics.address import GLOBALS, number_of
from wolverine.semantics.allocation import FRESH
from wolverine.semantics.layout import Layout
from wolverine.semantics.shape import Shape, self_pointers

_MOST = 10_000  # nodes of one structure
_MOST_STRUCTS = 64  # in one array
ARRAY = 0

# (number of the variable, or the tag of the node's struct; offset)
Cell = tuple[int | str, int]
# Values by object and offset; a pointer is the number of the node to which it leads.
Held = Mapping[int, Mapping[int, int]]


class Counted(NamedTuple):
    """The cell holds the number of nodes that `root` leads to over the pointers at the offsets `links`.

    The root may be a table: so many `rows` in a row there, or an array (ARRAY) to which it leads.
    """

    cell: Cell
    root: Cell
    links: tuple[int, ...]
    rows: int = 1


class Owner(NamedTuple):
    """A struct: the number of its object, and where it begins in that."""

    object: int
    begin: int


def possible(program: Program, layout: Layout) -> frozenset[Counted]:
    """What the program may count by ones: fields beside pointers to other structs, and globals."""
    return frozenset(_possible(program, layout))


def recounted(graph: MemoryGraph, rules: Iterable[Counted], layout: Layout) -> MemoryGraph:
    """The graph with the numbers right that are counted, by the first pointer where there are several."""
    named: dict[int, ObjectId] = {}
    for place in graph.cells:
        if (number := number_at(layout, place)) is not None:
            named[number] = place.object
    cells = dict(graph.cells)
    first = sorted(rules, key=lambda rule: (repr(rule.cell), rule.root[1]), reverse=True)
    for rule, owner, _, nodes in judged_in(first, layout, graph):
        cells[Place(named[owner.object], owner.begin + rule.cell[1])] = nodes  # the first has the last word
    return replace(graph, cells=cells)


def kept(rules: Iterable[Counted], graph: MemoryGraph, layout: Layout) -> frozenset[Counted]:
    """The rules that a graph keeps, of some object at least."""
    right: set[Counted] = set()
    wrong: set[Counted] = set()
    cells, live, structs = held(layout, graph.cells), alive(graph), tags(graph)
    for rule, owner, count, nodes in judged_in(rules, layout, graph):
        inside = rule.rows == 1 and _begins_inside(rule, owner, cells, live, structs)
        (right if count == nodes and not inside else wrong).add(rule)
    return frozenset(right - wrong)


def _begins_inside(
    rule: Counted, owner: Owner, cells: Held, live: Collection[int], structs: Mapping[int, str]
) -> bool:
    root = next(iter(_roots(rule, cells, owner)), 0)
    alike = [node for node in live if structs.get(node) == structs.get(root)]
    return root in alike and _is_inside(rule.links, root, cells, alike)


def _is_inside(links: Sequence[int], root: int, cells: Held, live: Collection[int]) -> bool:
    """Whether a list of live nodes leads to the root, as to its last node, and the root is in no ring."""
    if len(links) != 1:
        return False
    before = {node for node in live if cells.get(node, {}).get(links[0]) == root}
    return bool(before) and before.isdisjoint(_reached(cells, live, [root], links))


def judged(
    rules: Iterable[Counted], cells: Held, live: Container[int], structs: Mapping[str, Collection[Owner]]
) -> Iterator[tuple[Counted, Owner, int, int]]:
    """For each rule and object: what is counted, and how many nodes there are; `structs` are `owners`."""
    for rule in rules:
        of, offset = rule.cell
        for owner in [Owner(of, 0)] if isinstance(of, int) else structs.get(of, ()):
            number, begin = owner
            if isinstance(of, str) and number < GLOBALS and number not in live:
                continue
            count = cells.get(number, {}).get(begin + offset)
            roots = _roots(rule, cells, owner)
            if count is not None and roots:
                yield rule, owner, count, len(_reached(cells, live, roots, rule.links))


def judged_in(
    rules: Iterable[Counted], layout: Layout, graph: MemoryGraph
) -> Iterator[tuple[Counted, Owner, int, int]]:
    """The same of a graph."""
    return judged(rules, held(layout, graph.cells), alive(graph), owners(layout, graph))


def told(rule: Counted, owner: Owner, cells: Held, live: Container[int]) -> bool:
    """Whether it is known of all nodes that are counted where they lead to."""
    nodes = _reached(cells, live, _roots(rule, cells, owner), rule.links)
    return all(link in cells.get(node, {}) for node in nodes for link in rule.links)


def _roots(rule: Counted, cells: Held, owner: Owner) -> list[int]:
    """What the pointers hold from which an owner's nodes are counted."""
    holder, offset = rule.root
    number, begin = owner if isinstance(holder, str) else (holder, 0)
    first, there = begin + offset, cells.get(number, {})
    if rule.rows == ARRAY:
        return [*cells.get(there.get(first, 0), {}).values()]
    last = first + rule.rows * VOID_POINTER.size
    return [there[at] for at in range(first, last, VOID_POINTER.size) if at in there]


def held(layout: Layout, cells: Mapping[Place, Value]) -> Held:
    """Numbers and pointers by object and offset."""
    found: dict[int, dict[int, int]] = {}
    for place, value in cells.items():
        number = number_at(layout, place)
        if number is None:
            continue
        if value is None or isinstance(value, int):
            found.setdefault(number, {})[place.offset] = value or 0
        elif isinstance(value, Pointer) and isinstance(value.object, NodeId) and not value.offset:
            found.setdefault(number, {})[place.offset] = value.object.number
    return found


def tags(heap: MemoryGraph) -> dict[int, str]:
    """The structs of a heap's nodes, by number."""
    return {
        node.id.number: node.type.tag
        for node in heap.nodes.values()
        if isinstance(node.type, StructReference)
    }


def owners(layout: Layout, graph: MemoryGraph) -> dict[str, list[Owner]]:
    """The structs by tag: nodes, and variables but for those of the innermost activation.

    They may lie inside of others, and in arrays of a few.
    """
    innermost = graph.frames[0].depth if graph.frames else 0
    found: dict[str, list[Owner]] = {}
    for variable in graph.variables():
        number = number_at(layout, Place(variable.id, 0)) if variable.id.depth < innermost else None
        if number is not None:
            for tag, begin in _structs(graph.types, variable.type):
                found.setdefault(tag, []).append(Owner(number, begin))
    for node in graph.nodes.values():
        if node.type is not None:
            for tag, begin in _structs(graph.types, node.type):
                found.setdefault(tag, []).append(Owner(node.id.number, begin))
    return found


def _structs(types: Types, ctype: CType, begin: int = 0) -> Iterator[tuple[str, int]]:
    """The structs of a type, by tag, and where they begin."""
    match ctype:
        case StructReference(tag) if tag in types.structs:
            yield tag, begin
            for field in types.structs[tag].fields:
                yield from _structs(types, field.type, begin + field.offset)
        case ArrayType(StructReference() as element, count) if count <= _MOST_STRUCTS:
            for at in range(count):
                yield from _structs(types, element, begin + at * types.size(element))


def alive(graph: MemoryGraph) -> set[int]:
    """The numbers of the live nodes."""
    return {node.id.number for node in graph.nodes.values() if node.state == "live"}


def number_at(layout: Layout, place: Place) -> int | None:
    """The number of a place's object; None for a variable that the program does not have."""
    if isinstance(place.object, NodeId):
        return place.object.number
    address = layout.object_address(place.object) if isinstance(place.object, VariableId) else None
    return None if address is None else number_of(address)


def _reached(cells: Held, live: Container[int], roots: Iterable[int], links: Sequence[int]) -> set[int]:
    seen: set[int] = set()
    work = [*roots]
    while work and len(seen) < _MOST:
        node = work.pop()
        if node not in seen and node in live:
            seen.add(node)
            work += (to for link in links if (to := cells.get(node, {}).get(link, 0)))
    return seen


def _possible(program: Program, layout: Layout) -> Iterator[Counted]:
    fields, names = _counted_places(program)
    types = program.types
    for tag, offset in fields:
        for field in types.structs[tag].fields if tag in types.structs else ():
            for links, rows in _led(program, field.type, tag):
                yield Counted((tag, offset), (tag, field.offset), links, rows)
    numbers = {g.name: number_of(layout.address("", g)[1]) for g in program.globals if not g.function}
    for variable in program.globals:
        for links, rows in _led(program, variable.type) if not variable.function else ():
            for name in names & numbers.keys():
                yield Counted((numbers[name], 0), (numbers[variable.name], 0), links, rows)


def _led(program: Program, ctype: CType, owner: str = "") -> Iterator[tuple[tuple[int, ...], int]]:
    """The links over which such a pointer or table leads to nodes that are no `owner`, and its rows."""
    match ctype:
        case PointerType(StructReference(tag)):
            rows = 1
        case PointerType(PointerType(StructReference(tag))):
            rows = ARRAY
        case ArrayType(PointerType(StructReference(tag)), rows) if rows > 1:
            pass
        case _:
            return
    if tag != owner and (links := _links(program, tag)):
        yield links, rows


def _links(program: Program, tag: str) -> tuple[int, ...]:
    return tuple(field.offset for field in self_pointers(program.types, tag))


def _counted_places(program: Program) -> tuple[set[tuple[str, int]], set[str]]:
    """The fields, as (tag, offset), and the globals that the program counts by ones.

    Nodes are counted where they come and go: what is also counted where no node does (`depth++` where a scope
    is entered) is the number of something else, and so is what the C library tells (`at = strlen(s)`).
    """
    counted: dict[tuple[str, int] | str, set[str]] = {}
    others: set[tuple[str, int] | str] = set()
    for function in program.functions.values():
        told = _told(function)
        for step in function.code:
            place = _countable(step.target) if isinstance(step, Assign) else None
            match step:
                case Assign(_, _, value) if place and without_casts(value) in told:
                    others.add(place)
                case Assign(_, target, Binary("+" | "-", Load(same), Constant(1))) if (
                    place and same == target
                ):
                    counted.setdefault(place, set()).add(function.name)
    moving = {function.name for function in program.functions.values() if moves_nodes(function)}
    kept = [each for each, where in counted.items() if each not in others and _among(program, where, moving)]
    return {each for each in kept if not isinstance(each, str)}, {
        each for each in kept if isinstance(each, str)
    }


def _countable(target: LValue) -> tuple[str, int] | str | None:
    """A field, as (tag, offset), or the name of a global."""
    match target:
        case Member(base, _, offset) if isinstance(base.type, StructReference):
            return base.type.tag, offset
        case VariableReference(name, level="global"):
            return name
    return None


def _told(function: Function) -> AbstractSet[Expression]:
    """The values of temporaries that functions of the C library have returned."""
    return {
        Load(each.result) for each in function.code if isinstance(each, Library) and each.result is not None
    }


def moves_nodes(function: Function) -> bool:
    """Whether the code of a function makes or frees nodes, or sets links or globals that lead to some."""
    for step in function.code:
        match step:
            case Call(_, called) if called in FRESH or called in ("realloc", "free"):
                return True
            case Assign(_, target) if isinstance(target.type, PointerType):
                if not isinstance(target, VariableReference) or target.level == "global":
                    return True
    return False


def _among(program: Program, functions: Iterable[str], moving: AbstractSet[str]) -> bool:
    """Whether each of the functions is one of those, calls one, or is called by one."""
    for name in functions:
        around = {f.name for f in program.functions.values() if name in _called(f)}
        if moving.isdisjoint(around | reachable(program, [name])):
            return False
    return True


def _called(function: Function) -> set[str]:
    return {step.function for step in function.code if isinstance(step, Call)}


def summed(start: MemoryGraph, shape: Shape, place: Place) -> int | None:
    """The offset of the numbers in several nodes of a structure that add up to what stands at a place."""
    total, ctype = start.cells[place], start.cell_types.get(place)
    if not isinstance(total, int) or not isinstance(ctype, IntType) or ctype.size < INT.size:
        return None
    for offset, scalar in start.types.scalars(StructReference(shape.tag)):
        values = [start.cells.get(Place(node, offset)) for node in shape.nodes]
        numbers = [each for each in values if isinstance(each, int)]
        several = sum(map(bool, numbers)) > 1 and len(numbers) == len(values)
        if isinstance(scalar, IntType) and scalar != CHAR and several and sum(numbers) == total:
            return offset
    return None
