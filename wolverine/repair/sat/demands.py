"""What a trace asks where a walk along all executions (`lanes`) arrives, as clauses."""

from __future__ import annotations

from wolverine.repair.execution.arrivals import Arriving
from wolverine.repair.execution.runner import Runner
from wolverine.repair.execution.schedule import Check, Group, Write, apply_write
from wolverine.repair.sat.onehot import Choosing
from wolverine.repair.sat.uncertain import Uncertain
from wolverine.solve.clauses import TRUE, Clauses


class Demands(Arriving):
    """The counterpart of `Arrivals`."""

    def __init__(self, runner: Runner, state: Uncertain, clauses: Clauses, choosing: Choosing) -> None:
        self._runner = runner
        self._machine = runner.machine
        self._guard = TRUE
        self._state = state
        self._clauses = clauses
        self._choosing = choosing

    def under(self, guard: int, following: int) -> tuple[int, bool | None, bool] | None:
        """As `arrive`, on the ways where the guard holds."""
        self._guard = guard
        return self.arrive(self._runner, following)

    def meets(self, runner: Runner, group: Group) -> bool:
        """What is asserted, as clauses."""
        for check in group.checks:
            self._assert(self._guard, check)
        return True

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

    def take(self, runner: Runner, write: Write) -> None:
        """Write what the process wrote; no value is uncertain there."""
        for key, _ in write.cells:
            self._state.cells.pop(key, None)
        apply_write(runner.machine, write)
        self._state.changed()
