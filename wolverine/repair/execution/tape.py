"""What an execution read: for runs that begin where it began.

A function that reads cannot be run again without what it read.  Each of its statements that the process
carried out does once more, one time after the other, what it did in the execution.
"""

from __future__ import annotations

from wolverine.core.trace import Trace
from wolverine.repair.execution.schedule import Write, apply_write, prepare
from wolverine.semantics.address import INPUT_KEY
from wolverine.semantics.machine import Machine


class Tape:
    """The effects of an execution's concrete steps, by statement; how far it is read lies in memory."""

    def __init__(self, machine: Machine, trace: Trace) -> None:
        schedule = prepare(machine, trace, own_control=True)
        self._writes: dict[tuple[str, int], list[Write]] = {}
        for (_, function, index, _), write in schedule.writes.items():
            if write.to is None:
                self._writes.setdefault((function, index), []).append(write)
        self._counters = {where: INPUT_KEY + 1 + at for at, where in enumerate(self._writes)}

    def take(self, machine: Machine) -> bool:
        """Let the concrete step at which the machine stands do what it did next, and go on behind it.

        False where it did nothing more.
        """
        frame = machine.frame
        assert frame is not None
        where = frame.linked.name, machine.pc
        writes = self._writes.get(where)
        if writes is None:
            return False
        counter = self._counters[where]
        done = machine.memory.cells.get(counter, 0)
        if done >= len(writes):
            return False
        machine.memory.put(counter, done + 1)
        apply_write(machine, writes[done])
        machine.pc = frame.linked.following[machine.pc + 1]
        return True
