"""What an execution has come to where it enters the loop in which it goes round for ever.

Where the first rounds print something and those behind nothing any more (`while (timers > 0) tick();`), it
has done its work by then, so that this counts as well.
"""

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
_SILENT = 20  # rounds that print nothing


class Entered(NamedTuple):
    """How many nodes were made by then, and what was printed.

    Where it is `done` that includes what the first rounds printed, before it goes round in silence.
    """

    made: int = 0
    said: str = ""
    done: bool = False


def entered(machine: Machine, tape: Tape, trace: Trace) -> Entered:
    """That of an execution, from where the machine stands; nothing where no loop is known to be it."""
    crash = trace.crash
    if crash is None or not trace.endless:
        return Entered()
    position = crash.position
    code = machine.program.functions[position.function].code
    loop = next(loops_around(code, position.instruction), range(0))
    left, found, inside = position.occurrence, Entered(), False
    said, silent = "", 0
    try:
        for _ in range(_STEPS if loop else 0):
            frame, pc = machine.frame, machine.pc
            if frame is None:
                break
            if frame.number == position.activation:
                if pc in loop and not inside:
                    found = Entered(machine.memory.node_count, machine.output)
                inside = pc in loop
                if pc == position.instruction:
                    left -= 1
                    silent = silent + 1 if machine.output == said else 0
                    said = machine.output
                    if left <= 0 and silent >= _SILENT:
                        return Entered(found.made, said, done=said != found.said)
                    if left <= 0 and not silent:
                        return found
            if isinstance(machine.program.functions[frame.linked.name].code[pc], Concrete):
                if not passed(machine) and not tape.take(machine):
                    break
            elif machine.step() in ("exited", "undetermined"):
                break
    except Halt:
        pass
    return found if left <= 0 else Entered()
