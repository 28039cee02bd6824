"""What a function is given when the function that has called it is called again, with other numbers.

A helper that takes a node out of structures cannot be called on others of them: which node goes with what,
its caller alone knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from wolverine.core.graph import MemoryGraph, ObjectId
from wolverine.core.patch import Patch
from wolverine.core.program import MAIN, Program
from wolverine.core.trace import Trace
from wolverine.repair.execution.onward import onward
from wolverine.repair.heaps.given import PATIENCE, spread, with_other_arguments
from wolverine.repair.heaps.unrepaired import returning
from wolverine.semantics.faults import Halt
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import graph_of, seat
from wolverine.semantics.stretches import shortened

_CALLS = 3  # of the caller, one after the other
_TRIED = 24  # with so many arguments each time
_KEPT = 3  # of what is left behind for the next call


def from_callers(
    program: Program,
    trace: Trace,
    name: str,
    patch: Patch,
    accepted: Patch,
    repeatable: Callable[[str], bool],
) -> Iterator[MemoryGraph]:
    """The function's inputs where a caller that is under way has ended, and is called again.

    That is the innermost one that is `repeatable`.  It ends under the patch, which does what was asserted;
    later calls are made under the `accepted` edits: the closest repair need not be the right one, and a
    fault does not show in all of them.
    """
    outer = next((each for each, _ in trace.start_stack[1:] if each != MAIN and repeatable(each)), None)
    ended = _ended(program, trace, outer, patch) if outer is not None else None
    if outer is None or ended is None:
        return
    stops = {name: {0}, outer: {program.functions[outer].end}}
    machine = Machine(program, accepted, stops=stops, strict=True)
    latest = [ended]
    for _ in range(_CALLS):
        others = [
            heap
            for graph in latest
            for heap in with_other_arguments(program, graph, outer, tolerant=trace.strict)
        ]
        telling: list[MemoryGraph] = []
        besides: list[MemoryGraph] = []
        for heap in spread(others, _TRIED):
            entries, left = _within(machine, name, outer, heap)
            yield from entries
            (telling if entries else besides).extend(left)
        latest = (telling or besides)[:_KEPT]


def _ended(program: Program, trace: Trace, outer: str, patch: Patch) -> MemoryGraph | None:
    """The state when the function that is under way has ended, as an input of it."""
    stack = trace.start_stack
    depth = next(at for at, (each, _) in enumerate(stack) if at and each == outer)
    machine = Machine(program, patch, stops={outer: {program.functions[outer].end}}, strict=True)
    try:
        seat(machine, trace.start, stack)
        for went in onward(machine, PATIENCE):
            frame = machine.frame
            if went == "stop" and frame is not None and frame.number == -depth:
                return shortened(_begun(graph_of(machine, trace.start)))
    except Halt:
        pass
    return None


def _within(
    machine: Machine, name: str, outer: str, heap: MemoryGraph
) -> tuple[list[MemoryGraph], list[MemoryGraph]]:
    """The states at the function's entries when the caller is called, and what that one leaves if it ends."""
    entries: list[MemoryGraph] = []
    left: list[MemoryGraph] = []
    mark = machine.mark()
    try:
        seat(machine, heap, ((outer, 0),))
        for went in onward(machine, PATIENCE):
            frame = machine.frame
            if went != "stop" or frame is None:
                break
            if frame.linked.name == name:
                entries.append(shortened(graph_of(machine, heap)))
            elif returning(machine):
                left.append(_begun(graph_of(machine, heap)))
                break
    except Halt:
        pass
    machine.undo(mark)
    return entries, left


def _begun(graph: MemoryGraph) -> MemoryGraph:
    """The state as one in which the innermost activation begins: its variables hold what they are given."""
    own: set[ObjectId] = {v.id for v in graph.frames[0].variables if not v.parameter}
    cells = {place: value for place, value in graph.cells.items() if place.object not in own}
    return replace(graph, cells=cells)
