"""What says that an execution lacks a node.

More nodes are asserted than it allocates, or it crashes by writing through a pointer that the program
never lets lead anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence

from wolverine.core.graph import NodeId, Pointer
from wolverine.core.program import Assign, Program
from wolverine.core.trace import Assertion, Problem, Trace
from wolverine.repair.allocations import gone_through, unset
from wolverine.repair.arrivals import follow
from wolverine.repair.runner import Runner


def lacking(problem: Problem, runners: Sequence[Runner]) -> bool:
    """Whether some execution lacks a node."""
    return any(_young(runner) or never_set(problem.program, runner.trace) for runner in runners)


def _young(runner: Runner) -> bool:
    """Whether more nodes are asserted than the program as it is allocates on its way through the trace."""
    start = runner.trace.start.nodes
    most = 0
    for event in runner.trace.events:
        if isinstance(event, Assertion):
            held = (v.object for v in event.cells.values() if isinstance(v, Pointer))
            told = {*held, *(place.object for place in event.cells), *event.states}
            most = max(most, sum(isinstance(each, NodeId) and each not in start for each in told))
    return most > 0 and most > _allocated(runner)


def _allocated(runner: Runner) -> int:
    """How many nodes the program as it is allocates, whatever is asserted."""
    machine = runner.machine
    machine.undo(runner.origin)
    runner.focus(frozenset())
    before = machine.memory.node_count
    try:
        follow(runner)
        return machine.memory.node_count - before
    finally:
        machine.undo(runner.origin)


def never_set(program: Program, trace: Trace) -> bool:
    """Whether the trace ends by a write through a pointer to a struct that is never set but to null."""
    if trace.crash is None:
        return False
    position = trace.crash.position
    step = program.functions[position.function].code[position.instruction]
    return isinstance(step, Assign) and any(
        unset(program, position.function, place) for place in gone_through(step.target)
    )
