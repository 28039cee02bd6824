"""Rings that a fault has made are no inputs for what walks to null.

Where an execution comes to no end on the way to null, the heaps that it passes on may well be in rings, and
what is modelled on them would be too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from wolverine.core.expressions import AddressOf, Load, Member
from wolverine.core.graph import MemoryGraph, NodeId, Place, Pointer, Value, VariableId
from wolverine.core.parts import null_tests, parts
from wolverine.core.program import Branch, Instruction, Program, reachable
from wolverine.core.trace import Trace
from wolverine.core.types import CType, PointerType
from wolverine.repair.heaps.remains import rings
from wolverine.repair.menus.calling import writes
from wolverine.repair.source.flow import loops_around
from wolverine.repair.source.stepping import stepped_over
from wolverine.repair.source.walk import compares_pointers, expressions_of
from wolverine.semantics.machine import Machine


def walks_to_null(program: Program, trace: Trace) -> bool:
    """Whether the execution came to no end on the way to null, and nothing tells where a ring begins."""
    if not trace.endless or trace.crash is None or knows_rings(program, trace):
        return False
    code = program.functions[trace.crash.position.function].code
    return any(any(null_tests(step.condition)) for step in code if isinstance(step, Branch))


def knows_rings(program: Program, trace: Trace) -> bool:
    """Whether the execution came to no end over links over which the program walks in rings elsewhere.

    Whoever walks in a ring compares pointers, and reads the same links: in a loop, or such a link itself.
    Where the loop steps over several of them, as in a tree, who compares one asks which child a node is.
    """
    if not trace.endless or trace.crash is None:
        return False
    links = set(_gone_over(program, trace))
    branching = len(stepped_over(program.functions[trace.crash.position.function])) > 1
    comparing = (
        f.code for f in program.functions.values() if _compares_on_the_way(f.code, branching=branching)
    )
    return any(not links or not links.isdisjoint(_links(each)) for each in comparing)


def _gone_over(program: Program, trace: Trace) -> Iterator[tuple[CType, str, int]]:
    """The fields that lead on in the loop that has no end, or in the whole function."""
    assert trace.crash is not None
    code, index = program.functions[trace.crash.position.function].code, trace.crash.position.instruction
    loop = next(loops_around(code, index), range(len(code)))
    return _links(code[loop.start : loop.stop])


def looking_round(program: Program, trace: Trace, machine: Machine) -> str:
    """The function that came to no end in a ring on its way to null, and only looks at it ("": another one).

    The machine stands in the ring.  Whoever made it has returned by then.
    """
    if trace.crash is None or not gone_round(program, trace, machine):
        return ""
    name = trace.crash.position.function
    return name if not writes(program, reachable(program, {name})) else ""


def gone_round(program: Program, trace: Trace, machine: Machine) -> frozenset[int]:
    """The offsets of the links over which it goes round on its way to null; the machine stands there."""
    if trace.crash is None or not walks_to_null(program, trace):
        return frozenset()
    return rings(machine).intersection(offset for _, _, offset in _gone_over(program, trace))


def _compares_on_the_way(code: Sequence[Instruction], *, branching: bool) -> bool:
    """Whether it compares pointers in a loop, or a link; `p == head` asks for the first node of any list."""
    asking = [at for at, step in enumerate(code) if compares_pointers((step,))]
    if branching:
        return any(any(loops_around(code, at)) and not any(_links(code[at : at + 1])) for at in asking)
    return any(any(loops_around(code, at)) or any(_links(code[at : at + 1])) for at in asking)


def _links(code: Iterable[Instruction]) -> Iterator[tuple[CType, str, int]]:
    """The fields that lead from a record to one of its own kind, as far as code reads them.

    Each is the record's type, its name and its offset.
    """
    for step in code:
        for expression in expressions_of(step):
            for part in parts(expression):
                match part:
                    case Load(Member(base, name, offset, PointerType(target))) | AddressOf(
                        Member(base, name, offset, PointerType(target))
                    ) if target == base.type:
                        yield base.type, name, offset


def opened(graph: MemoryGraph, links: Collection[tuple[CType, int]] = ()) -> MemoryGraph:
    """The graph with null for the links of one field that lead back, each ring's oldest node first.

    So for those of several `links` that lead back together, in the order in which variables lead to nodes.
    """
    cut: dict[Place, Value] = {}
    starts = [(p.object.number, p.offset, p) for p in graph.cells if isinstance(p.object, NodeId)]
    for _, _, start in sorted(starts, key=lambda link: link[:2]):
        place, value = start, graph.cells.get(start)
        seen = set()
        while isinstance(place.object, NodeId) and isinstance(value, Pointer) and place not in cut:
            seen.add(place)
            following = Place(value.object, value.offset + place.offset)
            if following in seen:
                cut[place] = None
                break
            place, value = following, graph.cells.get(following)
    for place in _leading_back(graph, links) if len(links) > 1 else ():
        cut[place] = None
    return replace(graph, cells={**graph.cells, **cut}) if cut else graph


def _leading_back(graph: MemoryGraph, links: Collection[tuple[CType, int]]) -> Iterator[Place]:
    """The links of nodes that lead back to one from which they are come to."""
    leads: dict[NodeId, list[tuple[Place, NodeId]]] = {}
    for place, value in graph.cells.items():
        match place.object, value:
            case NodeId() as node, Pointer(NodeId() as to) if (graph.nodes[node].type, place.offset) in links:
                leads.setdefault(node, []).append((place, to))
    named = [
        value.object
        for place, value in graph.cells.items()
        if isinstance(place.object, VariableId) and isinstance(value, Pointer)
    ]
    done: set[NodeId] = set()
    for first in (*(each for each in named if isinstance(each, NodeId)), *sorted(leads)):
        above: dict[NodeId, Iterator[tuple[Place, NodeId]]] = {}
        if first not in done:
            done.add(first)
            above[first] = iter(leads.get(first, ()))
        while above:
            link = next(above[next(reversed(above))], None)
            if link is None:
                above.popitem()
            elif link[1] in above:
                yield link[0]
            elif link[1] not in done:
                done.add(link[1])
                above[link[1]] = iter(leads.get(link[1], ()))
