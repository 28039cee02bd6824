"""Rings that a fault has made are no inputs for what walks to null.

Where an execution comes to no end on the way to null, the heaps that it passes on may well be in rings, and
what is modelled on them would be too.
"""

from __future__ import annotations

from dataclasses import replace

from wolverine.core.graph import MemoryGraph, NodeId, Place, Pointer, Value
from wolverine.core.parts import null_tests
from wolverine.core.program import Branch, Program
from wolverine.core.trace import Trace
from wolverine.repair.walk import compares_pointers


def walks_to_null(program: Program, trace: Trace) -> bool:
    """Whether the execution came to no end on the way to null, and nothing tells where a ring begins.

    Whoever walks in a ring compares pointers.
    """
    if not trace.endless or trace.crash is None:
        return False
    if any(compares_pointers(function.code) for function in program.functions.values()):
        return False
    code = program.functions[trace.crash.position.function].code
    return any(any(null_tests(step.condition)) for step in code if isinstance(step, Branch))


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
