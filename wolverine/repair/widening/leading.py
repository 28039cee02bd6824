"""The machine that leads the way of an encoding: it executes the program, right or wrong.

Where the program is wrong, what the machine would do need not be right; a statement that crashes in the
program as it stands is passed over.
"""

from __future__ import annotations

from wolverine.core.patch import Patch
from wolverine.core.program import Branch, Concrete, Gap, Program, Return
from wolverine.core.trace import Trace
from wolverine.semantics.activation import Activation
from wolverine.semantics.faults import Fault
from wolverine.semantics.machine import Machine
from wolverine.semantics.replacing import patched
from wolverine.semantics.state import seat
from wolverine.solve.terms import Term


def leader(program: Program, trace: Trace, kept: Patch) -> Machine:
    """A machine at the start of the trace, under the edits that are kept.

    It stops at gaps, branches, concrete steps, what the edits made, and the trace's events.
    """
    stops: dict[str, set[int]] = {}
    for name, function in program.functions.items():
        stops[name] = {i for i, s in enumerate(function.code) if isinstance(s, (Gap, Branch, Concrete))}
    for name, edited in patched(program, kept).items():
        stops[name].update(edited)
    for event in trace.events:
        stops.setdefault(event.position.function, set()).add(event.position.instruction)
    machine = Machine(program, kept, stops=stops)
    seat(machine, trace.start, trace.start_stack)
    return machine


def go_on(machine: Machine) -> None:
    """Execute an instruction, or pass over it where it crashes; raises Fault for a return that does."""
    frame, pc = machine.frame, machine.pc
    assert frame is not None
    try:
        machine.step()
    except Fault:
        match frame.linked.steps[pc]:
            case Branch(_, _, _, if_false):
                machine.pc = frame.linked.following[if_false]
            case Return():
                raise
            case _:
                machine.pc = frame.linked.following[pc + 1]


def go_out(machine: Machine, frame: Activation) -> None:
    """Go on until the activation is left."""
    while machine.frame is frame:
        if machine.pc in frame.linked.stops:
            machine.visit()
        go_on(machine)


def go_to(machine: Machine, frame: Activation, target: int) -> None:
    """Go on to an instruction of the activation that the machine stands in."""
    while machine.frame is frame and machine.pc != target:
        if machine.pc in frame.linked.stops:
            machine.visit()
        go_on(machine)


def as_executed(machine: Machine, state: dict[int, Term]) -> None:
    """A step without symbolic meaning does what it did in the execution."""
    memory = machine.memory
    begin = len(memory.trail)
    go_on(machine)
    for key in memory.trail[begin::2]:
        value = memory.cells.get(key)
        if isinstance(value, int) and key > 0:
            state[key] = value
        elif value is None:
            state.pop(key, None)
