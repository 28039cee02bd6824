"""What a corrected picture showed besides what was corrected: likely, though nobody asserted it.

Who corrects a few places of a picture has looked at it, and most of the time left the rest because it was
right.  So of the repairs that bring about the corrections those come first that leave the rest as it was, and
the picture before, in which nothing was corrected.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from wolverine.core.patch import Patch
from wolverine.core.program import Program
from wolverine.core.trace import PICTURE, Assertion, Budget, End, Event, Position, Trace
from wolverine.repair.arrivals import Arrivals, onward
from wolverine.repair.candidates import Menus
from wolverine.repair.runner import Runner
from wolverine.repair.schedule import Group, prepare
from wolverine.repair.spaces import Ledger
from wolverine.repair.work import Limits, Stopped, Work
from wolverine.semantics.faults import Halt

_STEPS = 50_000  # machine steps for one repair
_ALL_STEPS = 1_000_000


class Pictured:
    """Counts, for one repair after the other, the places that are other than they were shown.

    `known` has those counts that were made before, and gets the others.
    """

    def __init__(
        self,
        program: Program,
        trace: Trace,
        menus: Menus,
        pictures: Iterable[Assertion],
        known: dict[Patch, int],
    ) -> None:
        self._known = known
        shown = {assertion.position: assertion for assertion in pictures}
        events = tuple(_with_pictures(trace.events, shown))
        self._runner = Runner(program, replace(trace, events=events), menus)
        self._schedule = prepare(self._runner.machine, self._runner.trace, own_control=True)
        self._runner.configure(self._schedule, {})
        self._nodes = {each: len(assertion.states) for each, assertion in shown.items()}
        self._spent = 0

    def amiss(self, patch: Patch) -> int | None:
        """How many places the repair leaves otherwise; None where too much was executed to tell."""
        if patch in self._known:
            return self._known[patch]
        if self._spent > _ALL_STEPS:
            return None
        runner = self._runner
        machine = runner.machine
        machine.undo(runner.origin)
        machine.set_patch(patch)
        arrivals = _Looking(self._nodes)
        following: int | None = 0
        try:
            while following is not None and following < len(self._schedule.groups):
                if machine.frame is None:
                    break
                following, _ = onward(runner, arrivals, following)
        except (Stopped, Halt):
            pass
        self._spent += arrivals.work.spent
        self._known[patch] = arrivals.amiss + len(self._nodes) - arrivals.seen
        return self._known[patch]


class _Looking(Arrivals):
    """Follows an execution that is known to meet what is asserted, and looks at the pictures on the way."""

    def __init__(self, nodes: dict[Position, int]) -> None:
        self.work = Work(Budget(work=_STEPS), lambda: False)
        super().__init__(self.work, Limits(), Ledger())
        self._nodes = nodes
        self.amiss = 0
        self.seen = 0  # pictures

    def meets(self, runner: Runner, group: Group) -> bool:
        """Always; what is not as it was shown is counted."""
        machine = runner.machine
        for check in group.checks:
            if check.label == PICTURE:
                self.seen += 1
                self.amiss += sum(1 for _ in check.failing(machine))
                if self._nodes[group.position]:
                    self.amiss += abs(machine.memory.node_count - self._nodes[group.position])
        return True


def _with_pictures(events: tuple[Event, ...], shown: dict[Position, Assertion]) -> Iterator[Event]:
    left = dict(shown)
    for event in events:
        if isinstance(event, Assertion | End) and event.position in left:
            yield left.pop(event.position)
        yield event
