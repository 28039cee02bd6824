"""Explicit search over version spaces: all sets of edits of one size that meet the traces.

The program is executed from the traces' starts.  Where an execution first comes to a location that may
change, the choices there are grouped by their effect on the present state, and each group is followed
in turn, then the statement as it is.  A location counts as changed only from the first time that its
effect differs; the group has agreed with the original at every earlier time on this path.  Later
executions split a group further.  At the end, the product of the groups is a set of repairs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from wolverine.core.graph import Frame, Place
from wolverine.core.program import Branch, Concrete, Instruction, Program
from wolverine.core.trace import Trace
from wolverine.repair.effects import CRASH, Assignments, Conditionals, Effect, perform
from wolverine.repair.needed import Needed
from wolverine.repair.outlook import Lack, Outlook
from wolverine.repair.runner import Runner
from wolverine.repair.schedule import Check, apply_write
from wolverine.repair.work import Limits, Work
from wolverine.semantics.concrete import HARMLESS, called_functions
from wolverine.semantics.faults import Halt
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import set_stack, surviving_numbers

_RUN = 10_000  # machine steps between two arrivals


@dataclass(frozen=True, slots=True)
class Space:
    """A set of repairs: one choice of each mask (over the location's menu), all combinations.

    `executed` counts the executions of the changed locations, `given_up` are asserted places that these
    repairs do not meet, as (label, place).
    """

    masks: Mapping[int, int]
    executed: Mapping[int, int] = field(default_factory=dict)
    given_up: frozenset[tuple[str, Place]] = frozenset()


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
        self._decided: dict[int, int] = {}
        self._agree: dict[int, int] = {}
        self._times: dict[int, int] = {}
        self._given: dict[tuple[str, Place], int] = {}
        self._log: list[tuple[dict[Any, int], Any, int | None]] = []
        self._inserted = 0
        self.found: list[Space] = []
        self._first = False
        self._allowed: frozenset[int] | None = None
        self._needed = Needed(segments)
        self._outlooks = outlooks

    def search(self, edits: int, *, first: bool = False) -> list[Space]:
        """All repairs with exactly so many edits, if fewer do not suffice; `first` stops at one.

        What was found before a `Stopped` is in `found`.
        """
        for table in (self._decided, self._agree, self._times):
            table.clear()
        self._given.clear()
        self._log.clear()
        self._inserted = 0
        self.found = []
        self._first = first
        if not self._needed.possible(frozenset(), edits):
            return self.found
        runner = self._runners[0]
        runner.machine.undo(runner.origin)
        self._focus(edits)
        self._go(0, 0, edits)
        return self.found

    def _focus(self, edits: int) -> frozenset[int] | None:
        """Attend to the locations that may still change, and those that have; returns what was before."""
        before = self._allowed
        decided = frozenset(self._decided)
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

    # -- bookkeeping that is undone on the way back ------------------------------------------------

    def _set(self, table: dict[Any, int], key: Any, value: int) -> None:
        self._log.append((table, key, table.get(key)))
        table[key] = value

    def _unwind(self, length: int) -> None:
        while len(self._log) > length:
            table, key, old = self._log.pop()
            if old is None:
                del table[key]
            else:
                table[key] = old

    # -- one path ----------------------------------------------------------------------------------

    def _go(self, number: int, following: int, edits: int) -> None:
        """Execute from the present state to the end of the last trace, or to what is not met.

        `number` is the trace, `following` the group of its schedule that has to be met next, `edits`
        how many locations may still change.
        """
        runner = self._runners[number]
        machine, schedule = runner.machine, runner.schedule
        used = 0
        limit = runner.patience
        while True:
            frame = machine.frame
            if self._first and self.found:
                return
            if following == len(schedule.groups):
                if number + 1 == len(self._runners):
                    self._succeed()
                    return
                number, following = number + 1, 0
                runner = self._runners[number]
                machine, schedule = runner.machine, runner.schedule
                machine.undo(runner.origin)
                used, limit = 0, runner.patience
                continue
            if frame is None:
                return
            pc, name = machine.pc, frame.linked.name
            bound: bool | None = None
            watched = schedule.watched.get(name)
            if watched is not None and pc in watched:
                arrival = self._arrive(runner, following)
                if arrival is None:
                    return
                following, bound, moved = arrival
                if moved:
                    continue
            used += 1
            if used > limit:
                return
            self._work.spend(1)
            location = runner.location(name, pc)
            menu = None
            if location is not None and (self._allowed is None or location in self._allowed):
                menu = runner.menu(location)
            if menu is not None and location is not None:
                self._set(self._times, location, self._times.get(location, 0) + 1)
                if isinstance(menu, Conditionals):
                    followed = self._condition(runner, menu, location, number, following, edits, bound)
                else:
                    followed = self._statement(runner, menu, location, number, following, edits)
                if followed is None:
                    return
                following = followed
            else:
                before = machine.steps
                followed = self._plain(runner, following, bound)
                used += machine.steps - before
                if followed is None:
                    return
                following = followed

    def _succeed(self) -> None:
        executed = {location: self._times.get(location, 0) for location in self._decided}
        self.found.append(Space(dict(self._decided), executed, frozenset(self._given)))

    def _met(self, check: Check, machine: Machine) -> bool:
        """Whether the assertion holds, or fails only at weak places that may be given up."""
        if check.holds(machine):
            return True
        if not self._limits.spare:
            return False
        failing = list(check.failing(machine))
        if any(place not in check.weak for place in failing):
            return False
        known = {place for _, place in self._given}
        if len(known.union(failing)) > self._limits.spare:
            return False
        for place in failing:
            self._set(self._given, (check.label, place), 1)
        return True

    def _arrive(self, runner: Runner, following: int) -> tuple[int, bool | None, bool] | None:
        """Count an arrival at a watched instruction and check what is required there.

        None when it is not met; else (next group, the decision that binds, whether there is nothing
        left to execute here).
        """
        machine, schedule = runner.machine, runner.schedule
        frame = machine.frame
        assert frame is not None
        name, pc = frame.linked.name, machine.pc
        position = (frame.number, name, pc, machine.visit())
        group = schedule.groups[following]
        bound, free = None, False
        if group.position == position:
            self._work.spend(2)
            if not all(self._met(check, machine) for check in group.checks):
                return None
            following += 1
            bound, free = group.decision, group.free or group.crashed
            if group.end and not group.crashed:
                return following, None, True
            if group.interval is not None and group.interval.to is not None:
                apply_write(machine, group.interval)
                jump(machine, runner.trace, group.interval.to)
                return following, None, True
        elif position in schedule.at:
            return None  # something before it was passed over
        elif (group.decision is not None or group.free) and group.place == (name, pc) and not group.checks:
            following += 1
            bound, free = group.decision, group.free
        if bound is None and not free and pc in schedule.loops.get(name, ()):
            return None  # a loop goes on where it did not in this execution
        step = frame.linked.steps[pc]
        if isinstance(step, Concrete):
            write = schedule.writes.get(position)
            if write is not None:
                apply_write(machine, write)
            elif not passable(machine, step):
                return None
            machine.pc = frame.linked.following[pc + 1]
            return following, None, True
        return following, bound, False

    def _plain(self, runner: Runner, following: int, bound: bool | None) -> int | None:
        """Execute the statement as it is, and on to the next arrival; None when that fails."""
        machine = runner.machine
        frame = machine.frame
        assert frame is not None
        step = frame.linked.steps[machine.pc]
        if isinstance(step, Concrete):  # never executed in the process, so its effect is not known
            if not passable(machine, step):
                return None
            machine.pc = frame.linked.following[machine.pc + 1]
            return following
        try:
            if isinstance(step, Branch) and bound is not None:
                truth = runner.truth(frame.linked.name, machine.pc, step)
                if truth is not bound:
                    return None
                machine.pc = frame.linked.following[step.if_true if truth else step.if_false]
                return following
            before = machine.steps
            if following == len(runner.schedule.groups):
                machine.step()  # over the position of a crash
            else:
                machine.run(min(_RUN, runner.patience))
            self._work.spend(machine.steps - before)
        except Halt:
            return None
        return following

    # -- choices -----------------------------------------------------------------------------------

    def _statement(
        self, runner: Runner, menu: Assignments, location: int, number: int, following: int, edits: int
    ) -> int | None:
        machine = runner.machine
        frame, pc = machine.frame, machine.pc
        assert frame is not None
        onward = frame.linked.following[pc + 1]
        decided = self._decided.get(location)
        self._work.spend(8)
        if decided is not None:
            classes = menu.classes(decided)
            if not classes:
                return None
            if len(classes) == 1:
                [(effect, mask)] = classes.items()
                if mask != decided:
                    self._set(self._decided, location, mask)
                perform(machine, effect)
                machine.pc = onward
                return following
            for effect, mask in classes.items():
                self._branch_off(runner, location, mask, effect, onward, number, following, edits)
            return None
        agreed = self._agree.get(location)
        subset = menu.menu.all if agreed is None else agreed
        if subset:
            mine = menu.mine()
            outlook = self._outlook(number, following, location)
            if outlook is None or not (edits == 1 or outlook[1]):
                found = menu.classes(subset)
                self._set(self._agree, location, found.get(mine, 0))
            else:
                found = self._within(runner, menu, location, outlook[0], subset, edits, mine)
            if self._may_change(location):
                for effect, mask in found.items():
                    if effect != mine:
                        self._commit(runner, location, mask, effect, onward, number, following, edits)
        return self._plain(runner, following, None)

    def _outlook(self, number: int, following: int, location: int) -> tuple[Lack, bool] | None:
        if not self._outlooks:
            return None
        self._work.spend(4)
        return self._outlooks[number].lack(following, self._decided, location)

    def _within(
        self,
        runner: Runner,
        menu: Assignments,
        location: int,
        lack: Lack,
        subset: int,
        edits: int,
        mine: Effect,
    ) -> dict[Effect, int]:
        """The effects that leave no more to be mended than the other edits can do.

        Where the statement as it is leaves work for all edits that are left, none of them will be here
        at a later time: then its choices need not be compared with it.
        """
        if _after(runner.machine, lack, mine) >= edits:
            if lack.total > edits:
                return {}
            if lack.total == edits:
                return self._mending(menu, lack, subset)
            return _hopeful(runner.machine, lack, menu.classes(subset), edits - 1)
        classes = menu.classes(subset)
        self._set(self._agree, location, classes.get(mine, 0))
        return _hopeful(runner.machine, lack, classes, edits - 1)

    @staticmethod
    def _mending(menu: Assignments, lack: Lack, subset: int) -> dict[Effect, int]:
        """The effects that put a cell right which nothing else can."""
        found: dict[Effect, int] = {}
        for key in lack.wrong:
            if lack.mends(key):
                mask = menu.only(key, lack.cells[key], subset)
                if mask:
                    found[key, lack.cells[key]] = mask
        return found

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
        links, step = frame.linked.following, menu.step
        self._work.spend(8)

        def onward(truth: Effect) -> int:
            return links[step.if_true if truth else step.if_false]

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
                    self._set(self._decided, location, mask)
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
            if not hopeless and self._may_change(location):
                for effect, mask in classes.items():
                    if effect is not mine and (bound is None or effect is bound):
                        self._commit(runner, location, mask, None, onward(effect), number, following, edits)
            self._set(self._agree, location, classes.get(mine, 0))
        if mine == CRASH or (bound is not None and mine is not bound):
            return None
        machine.pc = onward(mine)
        return following

    def _may_change(self, location: int) -> bool:
        if self._limits.insertions is None or self._inserted < self._limits.insertions:
            return True
        return self._program.location(location).kind != "gap"

    def _commit(
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
        inserted = self._program.location(location).kind == "gap"
        self._inserted += inserted
        length = len(self._log)
        self._set(self._decided, location, mask)
        before = self._focus(edits - 1)
        self._branch_off(runner, location, mask, effect, onward, number, following, edits - 1)
        self._allowed = before
        self._attend()
        self._unwind(length)
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
        mark, length = machine.mark(), len(self._log)
        self._set(self._decided, location, mask)
        try:
            if effect is not None:
                perform(machine, effect)
            machine.pc = onward
            self._go(number, following, edits)
        finally:
            machine.undo(mark)
            self._unwind(length)


def _hopeful(machine: Machine, lack: Lack, classes: Mapping[Effect, int], edits: int) -> dict[Effect, int]:
    """The effects after which the edits that are left can still do what has to be done."""
    return {effect: mask for effect, mask in classes.items() if _after(machine, lack, effect) <= edits}


def _after(machine: Machine, lack: Lack, effect: Effect) -> int:
    """How much is lacking when the effect has happened."""
    assert isinstance(effect, tuple)
    key, raw = effect
    return lack.after(key, raw, machine.memory.cells.get(key)) if key > 0 else lack.total


def passable(machine: Machine, step: Instruction) -> bool:
    """Whether a concrete step that the process never executed here surely leaves the picture alone."""
    if not isinstance(step, Concrete) or step.results:
        return False
    text = machine.program.location(step.location).text if step.location >= 0 else ""
    called = called_functions(step, text)
    return bool(called) and called <= HARMLESS


def jump(machine: Machine, trace: Trace, to: Sequence[tuple[str, int]]) -> None:
    """Stand at the stack `to` (innermost first); activations that survive keep their numbers."""
    known = trace.start.frames
    outermost = known[len(trace.start_stack) - 1].depth if len(known) >= len(trace.start_stack) else 0
    frames = [Frame(outermost + len(to) - 1 - index, name, ()) for index, (name, _) in enumerate(to)]
    numbers, following = surviving_numbers(machine, to, frames)
    machine.activations = following
    set_stack(machine, to, frames, numbers)
