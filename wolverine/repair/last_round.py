"""What an execution without an end does in one round of its loop."""

from __future__ import annotations

from wolverine.core.program import Concrete, Program
from wolverine.core.trace import Trace
from wolverine.repair.concrete import passed
from wolverine.repair.tape import Tape
from wolverine.semantics.faults import Halt
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import seat

_STEPS = 100_000  # of an execution that is looked into


def last_round(program: Program, trace: Trace) -> frozenset[int]:
    """The instructions that the function executes between the last two arrivals where the trace ends.

    None where it cannot be followed there.
    """
    crash = trace.crash
    if crash is None:
        return frozenset()
    machine = Machine(program, strict=trace.strict)
    executed: set[int] = set()
    arrivals, awaited = 0, crash.position
    try:
        seat(machine, trace.start, trace.start_stack)
        tape = Tape(machine, trace)
        for _ in range(_STEPS):
            frame = machine.frame
            if frame is None:
                break
            if frame.number == awaited.activation:
                if machine.pc == awaited.instruction:
                    arrivals += 1
                    if arrivals == awaited.occurrence:
                        return frozenset(executed)
                    executed.clear()
                executed.add(machine.pc)
            if isinstance(program.functions[frame.linked.name].code[machine.pc], Concrete):
                if not passed(machine) and not tape.take(machine):
                    break
            elif machine.step() in ("exited", "undetermined"):
                break
    except Halt:
        pass
    return frozenset()
