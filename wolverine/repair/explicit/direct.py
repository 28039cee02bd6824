"""What assertions say that the program leaves otherwise: several edits rather write just that.

Where a search for several edits comes to no end, those are tried of which all but the last write to a cell
what it is asserted to hold later on, and does not hold under the program as it is, or change a condition.
Somebody who corrects two pointers of a picture has mostly two assignments to put right, and each of them
shows in it (Wolverine2 has no counterpart; nothing is ruled out by that).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wolverine.core.graph import Place
from wolverine.core.trace import Budget
from wolverine.repair.execution.arrivals import FOLLOWED, Arrivals, go_on
from wolverine.repair.execution.effects import Effect
from wolverine.repair.execution.runner import Runner
from wolverine.repair.execution.schedule import Group
from wolverine.repair.execution.spaces import Ledger
from wolverine.repair.execution.work import Limits, Work
from wolverine.semantics.address import node_address
from wolverine.semantics.encoding import held_at


def asserted(runner: Runner) -> frozenset[Effect]:
    """What would write a cell as an assertion has it, where the program as it is leaves it otherwise."""
    return frozenset(_collected(runner).wrong)


def asserted_states(runner: Runner) -> tuple[dict[tuple[int, Any], Any], list[int]]:
    """What cells are asserted to hold, and the addresses of nodes that are asserted to be freed.

    With the cells is said what the program as it is leaves in them.
    """
    collecting = _collected(runner)
    return collecting.cells, [*collecting.freed]


def unmet_places(runner: Runner) -> list[Place]:
    """The places that the program as it is leaves otherwise than asserted, in the order of the trace."""
    return [*_collected(runner).places]


def _collected(runner: Runner) -> _Collecting:
    """What the assertions say along the way that the program goes as it is."""
    runner.machine.undo(runner.origin)
    runner.focus(frozenset())
    work = Work(Budget(work=FOLLOWED), lambda: False)
    collecting = _Collecting(work)
    try:
        go_on(runner, collecting, work)
    finally:
        runner.machine.undo(runner.origin)
        runner.focus(None)
    return collecting


class _Collecting(Arrivals):
    """Goes on where an assertion is not met, and keeps which cells it is about."""

    def __init__(self, work: Work) -> None:
        super().__init__(work, Limits(), Ledger(), checking=False)
        self.wrong: set[Effect] = set()
        self.cells: dict[tuple[int, Any], Any] = {}
        self.freed: dict[int, None] = {}
        self.places: dict[Place, None] = {}

    def meets(self, runner: Runner, group: Group) -> bool:
        """Whether every assertion of the group holds: here they all count as met."""
        self.wrong.update(_wrong(runner, group))
        for check in group.checks:
            self.places.update(dict.fromkeys(check.failing(runner.machine)))
            for cell in check.cells:
                if len(cell.keys) == 1:
                    self.cells[cell.keys[0], cell.raw] = held_at(runner.machine.memory, cell.keys[0])
            self.freed.update({node_address(node.number): None for node, live in check.nodes if not live})
        return True


def _wrong(runner: Runner, group: Group) -> Iterator[Effect]:
    memory = runner.machine.memory
    for check in group.checks:
        for cell in check.cells:
            if len(cell.keys) == 1 and held_at(memory, cell.keys[0]) != cell.raw:
                yield cell.keys[0], cell.raw
