"""What a trace asks where a walk along all executions (`lanes`) arrives, as clauses."""

from __future__ import annotations

from wolverine.core.program import Concrete
from wolverine.repair.concrete import jump, passable
from wolverine.repair.onehot import Choosing
from wolverine.repair.runner import Runner
from wolverine.repair.schedule import Check, Write, apply_write
from wolverine.repair.uncertain import Uncertain
from wolverine.solve.clauses import TRUE, Clauses


class Demands:
    """The counterpart of `Arrivals`."""

    def __init__(self, runner: Runner, state: Uncertain, clauses: Clauses, choosing: Choosing) -> None:
        self._runner = runner
        self._machine = runner.machine
        self._schedule = runner.schedule
        self._state = state
        self._clauses = clauses
        self._choosing = choosing

    def arrive(self, guard: int, following: int) -> tuple[int, bool | None, bool] | None:
        """As `Arrivals.arrive`, with what is asserted as clauses."""
        machine, schedule = self._machine, self._schedule
        frame = machine.frame
        assert frame is not None
        name, pc = frame.linked.name, machine.pc
        position = (frame.number, name, pc, machine.visit())
        if following == len(schedule.groups):
            return following, None, False
        group = schedule.groups[following]
        bound, free = None, False
        if group.position == position:
            for check in group.checks:
                self._assert(guard, check)
            following += 1
            bound, free = group.decision, group.free or group.crashed
            if group.end and not group.crashed:
                return following, None, True
            if group.interval is not None and group.interval.to is not None:
                self._written(group.interval)
                jump(machine, self._runner.trace, group.interval.to)
                return following, None, True
        elif position in schedule.at:
            return None
        elif (group.decision is not None or group.free) and group.place == (name, pc) and not group.checks:
            following += 1
            bound, free = group.decision, group.free
        if bound is None and not free and pc in schedule.loops.get(name, ()):
            return None
        step = frame.linked.steps[pc]
        if isinstance(step, Concrete):
            write = schedule.writes.get(position)
            if write is not None:
                self._written(write)
            elif not passable(machine, step):
                return None
            machine.pc = frame.linked.following[pc + 1]
            return following, None, True
        return following, bound, False

    def _assert(self, guard: int, check: Check) -> None:
        state, memory = self._state, self._machine.memory
        if check.renamed is not None:
            self._choosing.exact = False  # nodes may have other names
        for node, live in check.nodes:
            freed = state.freed.get(node.number, -TRUE if memory.node_live(node.number) else TRUE)
            self._clauses.add((-guard, -freed if live else freed))
        for cell in check.cells:
            known = (key for key in cell.keys if key in state.cells or key in memory.cells)
            key = next(known, cell.keys[0])
            self._clauses.add((-guard, state.held(key).get(cell.raw, -TRUE)))
            if key in state.cells:
                state.put(key, {cell.raw: TRUE})

    def _written(self, write: Write) -> None:
        for key, _ in write.cells:
            self._state.cells.pop(key, None)
        apply_write(self._machine, write)
        self._state.changed()
