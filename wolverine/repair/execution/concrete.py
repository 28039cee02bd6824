"""Steps and stretches that are not modelled, under a candidate."""

from __future__ import annotations

from collections.abc import Sequence

from wolverine.core.graph import Frame
from wolverine.core.trace import Trace
from wolverine.semantics.concrete import passable
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import leap


def passed(machine: Machine) -> bool:
    """Go on behind the step at which the machine stands, if it is `passable`; whether it is."""
    frame = machine.frame
    assert frame is not None
    sure = passable(machine, frame.linked.steps[machine.pc])
    if sure:
        machine.pc = frame.linked.following[machine.pc + 1]
    return sure


def jump(machine: Machine, trace: Trace, to: Sequence[tuple[str, int]]) -> None:
    """Stand at the stack `to` (innermost first); activations that survive keep their numbers."""
    known = trace.start.frames
    outermost = known[len(trace.start_stack) - 1].depth if len(known) >= len(trace.start_stack) else 0
    frames = [Frame(outermost + len(to) - 1 - index, name, ()) for index, (name, _) in enumerate(to)]
    leap(machine, to, frames)
