"""Explicit search over version spaces: all sets of edits of one size that meet the traces.

The program is executed from the traces' starts.  Where an execution first comes to a location that may
change, the choices there are grouped by their effect on the present state, and each group is followed
in turn, then the statement as it is.  A location counts as changed only from the first time that its
effect differs; the group has agreed with the original at every earlier time on this path.  Later
executions split a group further.  At the end, the product of the groups is a set of repairs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from wolverine.core.program import Program
from wolverine.repair.execution.arrivals import Arrivals
from wolverine.repair.execution.assignments import Assignments
from wolverine.repair.execution.effects import ALLOCATE, CRASH, FREE, Effect, landing, perform
from wolverine.repair.execution.runner import Runner
from wolverine.repair.execution.spaces import Ledger, Space
from wolverine.repair.execution.truths import Conditionals
from wolverine.repair.execution.work import Limits, Work
from wolverine.repair.explicit.dead import DeadStates, Point
from wolverine.repair.explicit.direct import asserted
from wolverine.repair.explicit.foreseen import Foreseen
from wolverine.repair.explicit.influence import Influence
from wolverine.repair.explicit.mending import hopeful, within
from wolverine.repair.explicit.needed import Needed
from wolverine.repair.explicit.outlook import Lack, Outlook
from wolverine.semantics.address import number_of
from wolverine.semantics.endless import Rounds


class Explorer:
    """Searches the traces of one problem, one number of edits at a time."""

    def __init__(
        self,
        program: Program,
        runners: Sequence[Runner],
        work: Work,
        limits: Limits,
        segments: Sequence[frozenset[int]] = (),
        outlooks: Sequence[Outlook] = (),
    ) -> None:
        self._program = program
        self._runners = runners
        self._work = work
        self._limits = limits
        self._ledger = Ledger()
        self._decided, self._agree, self._times = self._ledger.decided, self._ledger.agree, self._ledger.times
        self._arrivals = Arrivals(work, limits, self._ledger)
        self._inserted = 0
        self._nodes = 0  # edits on the present path that make new nodes
        self.found: list[Space] = []
        self._first = False
        self._onward = 0
        self._asserted: list[frozenset[Effect]] = []  # what edits write on each trace, but for the last
        self._allowed: frozenset[int] | None = None
        self._unhit: frozenset[int] = frozenset()  # the failing segments that no edit made so far hits
        self._needed = Needed(segments)
        self._outlooks = outlooks
        self._dead = DeadStates(outlooks, self._ledger) if outlooks else None
        self._influences = [Influence(runner, self._arrivals, work) for runner in runners] if outlooks else []

    def search(
        self,
        edits: int,
        *,
        first: bool = False,
        decided: Mapping[int, int] = MappingProxyType({}),
        onward: int = 0,
        direct: bool = False,
    ) -> list[Space]:
        """All repairs with exactly so many edits, if fewer do not suffice; `first` stops at one.

        `decided` are choices (masks by location) of edits that are made besides; others act only behind
        the first `onward` groups of the schedule.  With `direct`, all edits but the last one write what is
        asserted (see `direct`), or change a condition: only some of the repairs are found.

        What was found before a `Stopped` is in `found`.
        """
        self._ledger.clear()
        if self._dead is not None:
            self._dead.clear()
        self._decided.update(decided)
        self._onward = onward
        self._inserted = self._nodes = 0
        self.found = []
        self._first = first
        if not self._needed.possible(frozenset(decided), edits):
            return self.found
        self._asserted = [asserted(each) for each in self._runners] if direct else []
        runner = self._runners[0]
        runner.machine.undo(runner.origin)
        self._focus(edits)
        self._go(0, 0, edits)
        return self.found

    def _focus(self, edits: int) -> frozenset[int] | None:
        """Attend to the locations that may still change, and those that have; returns what was before."""
        before = self._allowed
        decided = frozenset(self._decided)
        self._unhit = self._needed.unhit(decided)
        if not edits:
            self._allowed = decided
        else:
            allowed = self._needed.allowed(decided, edits)
            self._allowed = None if allowed is None else allowed | decided
        self._attend()
        return before

    def _attend(self) -> None:
        for runner in self._runners:
            runner.focus(self._allowed)

    # -- one path ----------------------------------------------------------------------------------

    def _go(self, number: int, following: int, edits: int) -> None:
        """Look at all that follows the present state, unless that is known to lead nowhere."""
        points: list[Point] = []
        self._follow(number, following, edits, points)
        if self._dead is not None:
            self._dead.explored(points)

    def _follow(self, number: int, following: int, edits: int, points: list[Point]) -> None:
        """Execute from the present state to the end of the last trace, or to what is not met.

        `number` is the trace, `following` the group of its schedule that has to be met next, `edits`
        how many locations may still change.  `points` gets the states in which a location might.
        """
        runner = self._runners[number]
        machine, schedule = runner.machine, runner.schedule
        used = 0
        limit = runner.patience
        foreseen: Foreseen | None = None
        looked = edits != 1 or not self._influences
        rounds = Rounds()
        while True:
            frame = machine.frame
            if self._first and self.found:
                return
            if schedule.over(machine, following):
                if self._dead is not None:
                    self._dead.ended += 1
                if number + 1 == len(self._runners):
                    self._succeed()
                    return
                number, following = number + 1, 0
                foreseen, looked = None, edits != 1 or not self._influences
                runner = self._runners[number]
                machine, schedule = runner.machine, runner.schedule
                machine.undo(runner.origin)
                used, limit, rounds = 0, runner.patience, Rounds()
                continue
            if frame is None:
                return
            pc, name = machine.pc, frame.linked.name
            bound: bool | None = None
            watched = schedule.watched.get(name)
            if watched is not None and pc in watched:
                arrival = self._arrivals.arrive(runner, following)
                if arrival is None:
                    return
                if self._dead is not None:
                    self._dead.meet(number, following, arrival[0])
                if arrival[0] == following:
                    rounds.count()
                else:
                    rounds.forget()
                following, bound, moved = arrival
                if moved:
                    used += 1
                    self._work.spend(1)
                    continue
            used += 1
            if used > limit:
                return
            self._work.spend(1)
            location = runner.location(name, pc)
            menu = None
            if location is not None and (self._allowed is None or location in self._allowed):
                menu = runner.menu(location)
            if rounds.again(machine, used, schedule.awaited(following)):
                return
            if menu is not None and location is not None:
                if edits and self._dead is not None:
                    self._work.spend(2)
                    inserted = self._inserted if self._limits.insertions is not None else 0
                    left = (edits, inserted, self._nodes, self._unhit)
                    if self._dead.nowhere(number, following, left, self._allowed, points):
                        return
                self._ledger.set(self._times, location, self._times.get(location, 0) + 1)
                if isinstance(menu, Conditionals):
                    followed = self._condition(runner, menu, location, number, following, edits, bound)
                else:
                    if not looked and location not in self._decided:
                        looked, influence = True, self._influences[number]
                        foreseen = influence.foresee(following, bound, location, self._times, self._decided)
                    followed = self._statement(runner, menu, location, number, following, edits, foreseen)
                if followed is None:
                    return
                following = followed
            else:
                before = machine.steps
                followed = self._arrivals.plain(runner, following, bound)
                used += machine.steps - before
                if followed is None:
                    return
                following = followed

    def _succeed(self) -> None:
        executed = {location: self._times.get(location, 0) for location in self._decided}
        self.found.append(Space(dict(self._decided), executed, frozenset(self._ledger.given)))

    # -- choices -----------------------------------------------------------------------------------

    def _statement(
        self,
        runner: Runner,
        menu: Assignments,
        location: int,
        number: int,
        following: int,
        edits: int,
        foreseen: Foreseen | None,
    ) -> int | None:
        """Make the choices at a location, then execute it as it is; the group that is to be met next."""
        machine = runner.machine
        frame, pc = machine.frame, machine.pc
        assert frame is not None
        linked = frame.linked
        decided = self._decided.get(location)
        self._work.spend(8)
        if decided is not None:
            classes = menu.classes(decided)
            if not classes:
                return None
            if len(classes) == 1:
                [(effect, mask)] = classes.items()
                if mask != decided:
                    self._ledger.set(self._decided, location, mask)
                perform(machine, effect)
                machine.pc = landing(linked, pc, effect)
                return following
            for effect, mask in classes.items():
                onward = landing(linked, pc, effect)
                self._branch_off(runner, location, mask, effect, onward, number, following, edits)
            return None
        agreed = self._agree.get(location)
        subset = menu.menu.all if agreed is None else agreed
        if subset:
            mine = menu.mine()
            outlook = self._outlook(number, following, location)
            demand = None
            if foreseen is not None:
                demand = foreseen.behind(location, self._times[location], mine, machine.memory.cells)
            if demand is not None:
                self._work.spend(16)
                found = menu.wanted(subset, demand)
                if outlook is not None:
                    found = hopeful(machine, outlook[0], found, edits - 1)
            elif outlook is None or not (edits == 1 or outlook[1]):
                found = menu.classes(subset)
                self._ledger.set(self._agree, location, found.get(mine, 0))
            else:
                found, compared = within(machine, menu, outlook[0], subset, edits, mine)
                if compared:
                    self._ledger.set(self._agree, location, found.pop(mine, 0))
                    found = hopeful(machine, outlook[0], found, edits - 1)
            if self._may_change(location, following):
                if foreseen is not None and demand is None:
                    found = foreseen.left(location, self._times[location], mine, machine.memory.cells, found)
                wanted = self._asserted[number] if self._asserted and edits > 1 else None
                ways = [
                    (mask, effect, landing(linked, pc, effect))
                    for effect, mask in found.items()
                    if effect != mine
                    and (wanted is None or effect in wanted)
                    and not self._frees_kept(effect, number, following)
                ]
                if ways:
                    self._commit(runner, location, ways, number, following, edits)
        return self._arrivals.plain(runner, following, None)

    def _frees_kept(self, effect: Effect, number: int, following: int) -> bool:
        """Whether a node is freed that is to be live later on."""
        if not (isinstance(effect, tuple) and effect[0] == FREE and self._outlooks):
            return False
        return number_of(effect[1]) in self._outlooks[number].kept(following)

    def _outlook(self, number: int, following: int, location: int) -> tuple[Lack, bool] | None:
        if not self._outlooks:
            return None
        self._work.spend(4)
        return self._outlooks[number].lack(following, self._decided, location)

    def _condition(
        self,
        runner: Runner,
        menu: Conditionals,
        location: int,
        number: int,
        following: int,
        edits: int,
        bound: bool | None,
    ) -> int | None:
        machine = runner.machine
        frame = machine.frame
        assert frame is not None
        links = frame.linked.following
        self._work.spend(8)

        def onward(truth: Effect) -> int:
            return links[menu.onward(truth)]

        decided = self._decided.get(location)
        if decided is not None:
            classes = {
                truth: mask
                for truth, mask in menu.classes(decided).items()
                if bound is None or truth is bound
            }
            if not classes:
                return None
            if len(classes) == 1:
                [(effect, mask)] = classes.items()
                if mask != decided:
                    self._ledger.set(self._decided, location, mask)
                machine.pc = onward(effect)
                return following
            for effect, mask in classes.items():
                self._branch_off(runner, location, mask, None, onward(effect), number, following, edits)
            return None
        mine = menu.mine()
        agreed = self._agree.get(location)
        subset = menu.menu.all if agreed is None else agreed
        if subset:
            classes = menu.classes(subset)
            outlook = self._outlook(number, following, location) if edits else None
            hopeless = outlook is not None and (edits == 1 or outlook[1]) and outlook[0].total >= edits
            if not hopeless and self._may_change(location, following):
                ways = [
                    (mask, None, onward(effect))
                    for effect, mask in classes.items()
                    if effect is not mine and (bound is None or effect is bound)
                ]
                if ways:
                    self._commit(runner, location, ways, number, following, edits)
            self._ledger.set(self._agree, location, classes.get(mine, 0))
        if mine == CRASH or (bound is not None and mine is not bound):
            return None
        machine.pc = onward(mine)
        return following

    def _may_change(self, location: int, following: int) -> bool:
        if following < self._onward:
            return False
        if self._limits.insertions is None or self._inserted < self._limits.insertions:
            return True
        return self._program.location(location).kind != "gap"

    def _commit(
        self,
        runner: Runner,
        location: int,
        ways: Sequence[tuple[int, Effect | None, int]],
        number: int,
        following: int,
        edits: int,
    ) -> None:
        """Follow each of the ways in which the location changes: choices, their effect, where it leads."""
        last = self._limits.nodes and edits == 1 and not self._nodes
        if last and not any(map(_allocates, ways)):
            return
        inserted = self._program.location(location).kind == "gap"
        self._inserted += inserted
        length, unhit = self._ledger.length, self._unhit
        self._ledger.set(self._decided, location, 0)
        before = self._focus(edits - 1)
        for way in ways:
            made = _allocates(way)
            if made or not last:
                self._nodes += made
                self._branch_off(runner, location, *way, number, following, edits - 1)
                self._nodes -= made
        self._allowed, self._unhit = before, unhit
        self._attend()
        self._ledger.unwind(length)
        self._inserted -= inserted

    def _branch_off(
        self,
        runner: Runner,
        location: int,
        mask: int,
        effect: Effect | None,
        onward: int,
        number: int,
        following: int,
        edits: int,
    ) -> None:
        """Follow one group of choices from here, and come back."""
        machine = runner.machine
        mark, length = machine.mark(), self._ledger.length
        self._ledger.set(self._decided, location, mask)
        try:
            if effect is not None:
                perform(machine, effect)
            machine.pc = onward
            self._go(number, following, edits)
        finally:
            machine.undo(mark)
            self._ledger.unwind(length)


def _allocates(way: tuple[int, Effect | None, int]) -> bool:
    """Whether the choices make a new node."""
    return isinstance(way[1], tuple) and way[1][0] == ALLOCATE
