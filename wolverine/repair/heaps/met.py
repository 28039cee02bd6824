"""Inputs of a function that an execution meets, and what grows out of them.

Where several structures hang on the same nodes heaps cannot be made anew (see `semantics.composite`).  So it
is where links are members of unions: the program alone knows by which tag a node has them.  What the
execution gives to the function is consistent; so is what the function makes of it, where it takes nothing
but numbers, texts and what holds the structures, and can be called again with other ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice
from typing import NamedTuple

from wolverine.core.expressions import AddressOf, Dereference, Element, Load, LValue, Member
from wolverine.core.graph import MemoryGraph, NodeId, ObjectId, Place, Pointer, Value, VariableId
from wolverine.core.parts import null_tests, step_parts
from wolverine.core.patch import NO_EDITS, Patch
from wolverine.core.program import Assign, Branch, Program, reachable
from wolverine.core.trace import Trace
from wolverine.core.types import FloatType, IntType, PointerType, StructReference
from wolverine.repair.execution.onward import onward
from wolverine.repair.heaps.bounds import Bounds
from wolverine.repair.heaps.given import PATIENCE, entered, spread, whole, with_other_arguments
from wolverine.repair.heaps.opened import opened, walks_to_null
from wolverine.repair.heaps.outward import from_callers
from wolverine.repair.heaps.unrepaired import returning
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.source.flow import begins_at_entry
from wolverine.repair.source.references import ended
from wolverine.semantics.arguments import another_node
from wolverine.semantics.composite import composite
from wolverine.semantics.faults import Halt
from wolverine.semantics.fresh import fresh_graphs
from wolverine.semantics.machine import Machine
from wolverine.semantics.shape import self_pointers
from wolverine.semantics.state import graph_of, seat
from wolverine.semantics.stretches import shortened
from wolverine.semantics.words import is_text

_MET = 12  # entries of the execution itself
_CALLS = 2  # one after the other
_GROWN = 8  # what the function makes of these by one call
_FILLED = 16  # with room for no more, where one more comes
_VARIED = 16  # of both, with other arguments
_NULLED = 4  # pointers that may be null, and are for once
_SMALL = 12  # fresh heaps with one node at most
_MOST = 40  # of all
_SEVERAL = 3  # nodes that tell of a link that it is never null
_MANY = 1_000  # fresh heaps among which these are

_Field = tuple[str, int]  # a struct's tag and an offset


class Input(NamedTuple):
    """What a function is given; `doubtful` if it was made under a repair that need not be right."""

    heap: MemoryGraph
    doubtful: bool = False


def met(
    program: Program,
    trace: Trace,
    menus: Menus,
    patch: Patch,
    name: str,
    given: MemoryGraph,
    accepted: Patch = NO_EDITS,
    *,
    linked: bool = False,
) -> list[Input]:
    """Inputs of function `name`, where several structures hang on the same nodes of what it is `given`.

    So it is where nodes have links in unions; with `linked` those are meant that link to their own kind.
    None where neither is so, or where such nodes are passed on as they are: a queue of them is made anew like
    any other.  If something is asserted and the patch changes the function, it is executed under the patch,
    else under the `accepted` edits.
    """
    tags = _linking(program) if linked else composite(given) | _linked_in_unions(given)
    if tags.isdisjoint(_gone_into(program, name)):
        return []
    edits = accepted if trace.bare or not _in_function(program, patch, name) else patch
    start = shortened(trace.start)
    first = [start] if name == trace.start_stack[0][0] and begins_at_entry(program, trace) else []
    later = (reading() for _, reading, _ in entered(program, trace, menus, edits, [name]))
    # What the fault links in rings, it would link so in all that grows out of it.
    sound = opened if walks_to_null(program, trace) else _as_is
    found = _distinct(map(sound, chain(first, later)), _MET)
    known, latest = list(found), found
    unsure = edits != accepted
    doubtful = {id(graph) for graph in found if unsure and graph is not start}
    repeatable = _repeatable(program, name, tags)
    if not repeatable:
        again = from_callers(
            program, trace, name, edits, accepted, lambda each: _repeatable(program, each, tags)
        )
        through = _distinct(map(sound, again), _GROWN)
        known = [*known, *through]
        doubtful.update(map(id, through if unsure else ()))
    bounds = Bounds(program, name)
    roomy = bounds.raised(found[0]) if repeatable and found else ()
    roomier = _distinct((left for _, left in _grown(program, name, roomy, accepted)), _GROWN)
    known, latest = [*known, *roomier], [*latest, *roomier]
    for _ in range(_CALLS if repeatable else 0):
        others = [
            heap
            for graph in latest
            for heap in with_other_arguments(program, graph, name, tolerant=trace.strict)
        ]
        grown = _grown(program, name, [*spread(others, _GROWN), *latest], edits)
        latest = _distinct((sound(left) for _, left in grown), _GROWN)
        known += latest
        doubtful.update(map(id, latest if unsure else ()))
    varied: list[MemoryGraph] = []
    filled: list[MemoryGraph] = []
    for graph in reversed(known):
        others = list(with_other_arguments(program, graph, name, tolerant=trace.strict))
        varied += others
        doubtful.update(map(id, others if id(graph) in doubtful else ()))
        if roomier and bounds.full(graph):
            made = _grown(program, name, others, accepted)
            filled += (heap for heap, left in made if len(left.nodes) > len(heap.nodes))
    fresh = fresh_graphs(program, given, ((name, 0),), limit=_MANY, elsewhere=trace.bare)
    leading = _leading(known, tags)
    small = [
        heap for heap in whole(program, fresh) if _count(heap, tags) <= 1 and not _at_null(heap, leading)
    ]
    certain = [heap for heap in varied if id(heap) not in doubtful]
    varied = [*spread(certain, _VARIED // 2 if doubtful else _VARIED), *spread(varied, _VARIED)]
    nulled = [*_with_nulls(program, name, found[0]), *_cut_short(found[0], tags)] if found else []
    for graph in found[:1]:
        nulled += with_other_arguments(program, graph, name, tolerant=trace.strict, others=another_node)
    inputs = _distinct(
        (*known, *spread(filled, _FILLED), *nulled, *varied[:_VARIED], *spread(small, _SMALL)), _MOST
    )
    return [Input(heap, id(heap) in doubtful) for heap in inputs]


def _linking(program: Program) -> frozenset[str]:
    """The structs that link to their own kind."""
    return frozenset(tag for tag in program.types.structs if any(self_pointers(program.types, tag)))


def _linked_in_unions(graph: MemoryGraph) -> frozenset[str]:
    """The structs of the nodes that lead to nodes by a member of a union."""
    return frozenset(
        kind.tag
        for place in graph.in_unions
        if isinstance(place.object, NodeId)
        and (node := graph.nodes.get(place.object)) is not None
        and isinstance(kind := node.type, StructReference)
        and isinstance(led := graph.cells.get(place), Pointer)
        and led.object in graph.nodes
    )


def _as_is(graph: MemoryGraph) -> MemoryGraph:
    return graph


def _gone_into(program: Program, name: str) -> Iterator[str]:
    """The structs of the nodes that the function may read, write, free or miss, be it by a call."""
    for function in reachable(program, {name}):
        code = program.functions[function].code
        for each in ended(program, code):
            match each.type:
                case PointerType(StructReference(tag)):
                    yield tag
        for step in code:
            for asked in null_tests(step.condition) if isinstance(step, Branch) else ():
                match asked:
                    case Member(type=PointerType(StructReference(tag))):
                        yield tag
            places: list[LValue] = [
                part.place for part in step_parts(step) if isinstance(part, Load | AddressOf)
            ]
            for place in (*places, step.target) if isinstance(step, Assign) else places:
                while isinstance(place, Member | Element):
                    place = place.base
                match place:
                    case Dereference(_, StructReference(tag)):
                        yield tag


def _distinct(graphs: Iterable[MemoryGraph], most: int) -> list[MemoryGraph]:
    """The first ones that are all different, without those that lead to freed nodes."""
    found: list[MemoryGraph] = []
    for graph in graphs:
        if not _dangling(graph) and all(graph.cells != each.cells for each in found):
            found.append(graph)
        if len(found) == most:
            break
    return found


def _repeatable(program: Program, name: str, tags: Collection[str]) -> bool:
    """Whether the function can be called again with the same arguments: it is given none of the nodes."""
    for parameter in program.functions[name].parameters:
        match parameter.type:
            case IntType() | FloatType():
                pass
            case PointerType(StructReference(tag)) if tag not in tags:
                pass
            case kind if is_text(kind):
                pass
            case _:
                return False
    return True


def _grown(
    program: Program, name: str, heaps: Iterable[MemoryGraph], edits: Patch
) -> Iterator[tuple[MemoryGraph, MemoryGraph]]:
    """The heaps on which the function ends, each with how it leaves it, to be given to it again."""
    machine = Machine(program, edits, stops={name: {program.functions[name].end}}, strict=True)
    for heap in heaps:
        mark = machine.mark()
        try:
            seat(machine, heap, ((name, 0),))
            if any(went == "stop" and returning(machine) for went in onward(machine, PATIENCE)):
                yield heap, _anew(heap, graph_of(machine, heap))
        except Halt:
            pass
        machine.undo(mark)


def _anew(begun: MemoryGraph, left: MemoryGraph) -> MemoryGraph:
    """What is left, with the variables of the activation as they were when it began."""
    own = {v.id for v in begun.frames[0].variables} if begun.frames else set[VariableId]()
    cells = {place: value for place, value in left.cells.items() if place.object not in own}
    cells |= {place: value for place, value in begun.cells.items() if place.object in own}
    return replace(left, cells=cells, frames=begun.frames)


def _count(heap: MemoryGraph, tags: Collection[str]) -> int:
    """How many nodes are structs with one of these tags."""
    types = (node.type for node in heap.nodes.values())
    return sum(isinstance(kind, StructReference) and kind.tag in tags for kind in types)


def _with_nulls(program: Program, name: str, heap: MemoryGraph) -> Iterator[MemoryGraph]:
    """The heap with pointers null that nodes may have or not, and that the function asks for: all, or one.

    Links of a struct to its own kind hold the structures together, and stay.  What no pointer leads to any
    more leads back no more.
    """
    asked = {
        (kind.tag, place.offset)
        for function in reachable(program, {name})
        for step in program.functions[function].code
        if isinstance(step, Branch)
        for place in null_tests(step.condition)
        if isinstance(place, Member) and isinstance(kind := place.base.type, StructReference)
    }
    held: dict[_Field, list[Place]] = {}
    null: set[_Field] = set()
    for place, value in heap.cells.items():
        node = heap.nodes.get(place.object) if isinstance(place.object, NodeId) else None
        if node is None or node.state != "live" or not isinstance(node.type, StructReference):
            continue
        field = node.type.tag, place.offset
        if field in asked and value is None:
            null.add(field)
        elif field in asked and isinstance(value, Pointer) and heap.type_of(value.object) != node.type:
            held.setdefault(field, []).append(place)
    places = [place for field, found in held.items() if field in null for place in found]
    for chosen in (places, *([each] for each in places[:_NULLED])) if len(places) > 1 else (places,):
        if chosen:
            parted = {(_led(heap.cells[place]), place.object) for place in chosen}
            back = (place for place, value in heap.cells.items() if (place.object, _led(value)) in parted)
            yield replace(heap, cells={**heap.cells, **dict.fromkeys((*chosen, *back))})


def _cut_short(heap: MemoryGraph, tags: Collection[str]) -> Iterator[MemoryGraph]:
    """The heap with a list ended behind one of its nodes, which are no such structs: a stack of them, say.

    A list over one link is a list wherever it ends, unless something else leads to what would come next.
    """
    leading = Counter(_led(value) for value in heap.cells.values() if isinstance(value, Pointer))
    ends = (
        place
        for place, value in heap.cells.items()
        if isinstance(place.object, NodeId)
        and isinstance(kind := heap.nodes[place.object].type, StructReference)
        and kind.tag not in tags
        and isinstance(value, Pointer)
        and leading[value.object] == 1
        and [each.offset for each in self_pointers(heap.types, kind.tag)] == [place.offset]
    )
    for place in islice(sorted(ends), _NULLED):
        yield replace(heap, cells={**heap.cells, place: None})


def _led(value: Value) -> ObjectId | None:
    return value.object if isinstance(value, Pointer) else None


def _leading(heaps: Iterable[MemoryGraph], tags: Collection[str]) -> frozenset[_Field]:
    """The links of such nodes that are null in none: those of a ring lead back, be it to the node itself."""
    counts: Counter[_Field] = Counter()
    null: set[_Field] = set()
    for heap in heaps:
        for field, value in _links(heap):
            counts[field] += 1
            if value is None:
                null.add(field)
    return frozenset(each for each in counts.keys() - null if each[0] in tags and counts[each] >= _SEVERAL)


def _at_null(heap: MemoryGraph, fields: Collection[_Field]) -> bool:
    return any(value is None and field in fields for field, value in _links(heap))


def _links(heap: MemoryGraph) -> Iterator[tuple[_Field, Value]]:
    """The pointers in live structs, by what they are."""
    for place, value in heap.cells.items():
        node = heap.nodes.get(place.object) if isinstance(place.object, NodeId) else None
        if node is None or node.state != "live" or not isinstance(node.type, StructReference):
            continue
        if isinstance(heap.cell_types.get(place), PointerType):
            yield (node.type.tag, place.offset), value


def _in_function(program: Program, patch: Patch, name: str) -> bool:
    inside = reachable(program, {name})
    return any(program.location(edit.location).function in inside for edit in patch.edits)


def _dangling(graph: MemoryGraph) -> bool:
    """Whether a live node leads to one that was freed, or a variable that holds a structure does."""
    freed = {node.id for node in graph.nodes.values() if node.state == "freed"}
    return any(
        isinstance(value, Pointer) and value.object in freed
        for place, value in graph.cells.items()
        if place.object not in freed and not isinstance(graph.type_of(place.object), PointerType)
    )
