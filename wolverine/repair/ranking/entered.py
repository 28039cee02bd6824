"""What an execution has come to where it enters the loop in which it goes round for ever."""

from __future__ import annotations

from typing import NamedTuple

from wolverine.core.program import Concrete
from wolverine.core.trace import Trace
from wolverine.repair.execution.concrete import passed
from wolverine.repair.execution.tape import Tape
from wolverine.repair.source.flow import loops_around
from wolverine.semantics.faults import Halt
from wolverine.semantics.machine import Machine

_STEPS = 50_000


class Entered(NamedTuple):
    """How many nodes were made by then, and what was printed."""

    made: int = 0
    said: str = ""


def entered(machine: Machine, tape: Tape, trace: Trace) -> Entered:
    """That of an execution, from where the machine stands; nothing where no loop is known to be it."""
    crash = trace.crash
    if crash is None or not trace.endless:
        return Entered()
    position = crash.position
    code = machine.program.functions[position.function].code
    loop = next(loops_around(code, position.instruction), range(0))
    left, found, inside = position.occurrence, Entered(), False
    try:
        for _ in range(_STEPS if loop else 0):
            frame, pc = machine.frame, machine.pc
            if frame is None:
                break
            if frame.number == position.activation:
                if pc in loop and not inside:
                    found = Entered(machine.memory.node_count, machine.output)
                inside = pc in loop
                left -= pc == position.instruction
                if not left:
                    return found
            if isinstance(machine.program.functions[frame.linked.name].code[pc], Concrete):
                if not passed(machine) and not tape.take(machine):
                    break
            elif machine.step() in ("exited", "undetermined"):
                break
    except Halt:
        pass
    return Entered()
