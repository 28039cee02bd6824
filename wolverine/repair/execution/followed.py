"""What an execution does, step for step."""

from __future__ import annotations

from collections.abc import Iterator

from wolverine.core.program import Concrete, Program
from wolverine.core.trace import Position, Trace
from wolverine.repair.execution.concrete import passed
from wolverine.repair.execution.tape import Tape
from wolverine.semantics.faults import Halt
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import seat

_STEPS = 100_000  # of an execution that is looked into


class Arrival:
    """Counts the times that an execution comes to a position."""

    def __init__(self, position: Position) -> None:
        self._place = position[:3]
        self._left = position.occurrence

    def at(self, activation: int, function: str, instruction: int) -> bool:
        """Whether it has come there now, for the time that is meant."""
        self._left -= (activation, function, instruction) == self._place
        return self._left == 0 and (activation, function, instruction) == self._place


def followed(program: Program, trace: Trace) -> Iterator[tuple[int, str, int]]:
    """The (activation, function, instruction) at which it stands, one after the other, as far as is known."""
    machine = Machine(program, strict=trace.strict)
    try:
        seat(machine, trace.start, trace.start_stack)
        tape = Tape(machine, trace)
        for _ in range(_STEPS):
            frame = machine.frame
            if frame is None:
                return
            yield frame.number, frame.linked.name, machine.pc
            if isinstance(program.functions[frame.linked.name].code[machine.pc], Concrete):
                if not passed(machine) and not tape.take(machine):
                    return
            elif machine.step() in ("exited", "undetermined"):
                return
    except Halt:
        return


def last_round(program: Program, trace: Trace) -> frozenset[int]:
    """The instructions that the function executes between the last two arrivals where the trace ends.

    None where it cannot be followed there.
    """
    crash = trace.crash
    arrivals, executed = 0, set[int]()
    for activation, _, pc in followed(program, trace) if crash is not None else ():
        assert crash is not None
        if activation == crash.position.activation:
            if pc == crash.position.instruction:
                arrivals += 1
                if arrivals == crash.position.occurrence:
                    return frozenset(executed)
                executed.clear()
            executed.add(pc)
    return frozenset()
