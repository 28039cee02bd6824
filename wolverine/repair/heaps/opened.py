"""Rings that a fault has made are no inputs for what walks to null.

Where an execution comes to no end on the way to null, the heaps that it passes on may well be in rings, and
what is modelled on them would be too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from wolverine.core.expressions import AddressOf, Load, Member
from wolverine.core.graph import MemoryGraph, NodeId, Place, Pointer, Value
from wolverine.core.parts import null_tests, parts
from wolverine.core.program import Branch, Instruction, Program, reachable
from wolverine.core.trace import Trace
from wolverine.core.types import CType, PointerType
from wolverine.repair.heaps.remains import rings
from wolverine.repair.menus.calling import writes
from wolverine.repair.source.flow import loops_around
from wolverine.repair.source.walk import compares_pointers, expressions_of
from wolverine.semantics.machine import Machine


def walks_to_null(program: Program, trace: Trace) -> bool:
    """Whether the execution came to no end on the way to null, and nothing tells where a ring begins.

    Whoever walks in a ring compares pointers, and reads the same links: in a loop, or such a link itself.
    """
    if not trace.endless or trace.crash is None:
        return False
    links = set(_gone_over(program, trace))
    comparing = (f.code for f in program.functions.values() if _compares_on_the_way(f.code))
    if any(not links or not links.isdisjoint(_links(each)) for each in comparing):
        return False
    code = program.functions[trace.crash.position.function].code
    return any(any(null_tests(step.condition)) for step in code if isinstance(step, Branch))


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


def _compares_on_the_way(code: Sequence[Instruction]) -> bool:
    """Whether it compares pointers in a loop, or a link; `p == head` asks for the first node of any list."""
    asking = [at for at, step in enumerate(code) if compares_pointers((step,))]
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


def opened(graph: MemoryGraph) -> MemoryGraph:
    """The graph with null for the links of one field that lead back, each ring's oldest node first."""
    cut: dict[Place, Value] = {}
    links = [(p.object.number, p.offset, p) for p in graph.cells if isinstance(p.object, NodeId)]
    for _, _, start in sorted(links, key=lambda link: link[:2]):
        place, value = start, graph.cells.get(start)
        seen = set()
        while isinstance(place.object, NodeId) and isinstance(value, Pointer) and place not in cut:
            seen.add(place)
            following = Place(value.object, value.offset + place.offset)
            if following in seen:
                cut[place] = None
                break
            place, value = following, graph.cells.get(following)
    return replace(graph, cells={**graph.cells, **cut}) if cut else graph
