"""Explicit search over version spaces: all sets of edits of one size that meet the traces.

The program is executed from the traces' starts.  Where an execution first comes to a location that may
change, the choices there are grouped by their effect on the present state, and each group is followed
in turn, then the statement as it is.  A location counts as changed only from the first time that its
effect differs; the group has agreed with the original at every earlier time on this path.  Later
executions split a group further.  At the end, the product of the groups is a set of repairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from wolverine.core.graph import Frame, Place
from wolverine.core.program import Branch, Concrete, Instruction, Program
from wolverine.core.trace import Assertion, Budget, Decision, StopReason, Trace
from wolverine.repair.candidates import Menus
from wolverine.repair.effects import (
    CRASH,
    Assignments,
    Conditionals,
    Effect,
    Pool,
    look,
    open_menu,
    perform,
)
from wolverine.repair.schedule import Check, Schedule, apply_write, prepare
from wolverine.semantics.compiled import Evaluate
from wolverine.semantics.concrete import HARMLESS, called_functions
from wolverine.semantics.faults import Halt
from wolverine.semantics.machine import Machine, Mark
from wolverine.semantics.state import seat, set_stack, surviving_numbers

_CHECK_EVERY = 2_000  # units of work between looks at the clock and at `interrupted`
_RUN = 10_000  # machine steps between two arrivals
_OWN_STEPS = 20_000  # machine steps of one candidate's own control flow


@dataclass(frozen=True, slots=True)
class Space:
    """A set of repairs: one choice of each mask (over the location's menu), all combinations.

    `executed` counts the executions of the changed locations, `given_up` are asserted places that these
    repairs do not meet, as (label, place).
    """

    masks: Mapping[int, int]
    executed: Mapping[int, int] = field(default_factory=dict)
    given_up: frozenset[tuple[str, Place]] = frozenset()


@dataclass(frozen=True, slots=True)
class Limits:
    """What a search may do: insertions, the candidate's own control flow, weak places given up."""

    insertions: int | None = None
    own_control: bool = False
    spare: int = 0


class Stopped(Exception):  # noqa: N818
    """The search was ended; `reason` says by what, `of_stage` that only its own share was used up."""

    def __init__(self, reason: StopReason, *, of_stage: bool = False) -> None:
        super().__init__(reason)
        self.reason: StopReason = reason
        self.of_stage = of_stage


class Work:
    """Counts machine steps and evaluations, and ends a search that spends too much."""

    def __init__(self, budget: Budget, clock: Callable[[], float], interrupted: Callable[[], bool]) -> None:
        self.spent = 0
        self._limit = budget.work
        self._stage = budget.work
        self._seconds = budget.seconds
        self._clock = clock
        self._began = clock()
        self._interrupted = interrupted
        self._next = 0

    @contextmanager
    def at_most(self, share: int | None) -> Iterator[None]:
        """Within this, `Stopped` of the stage is raised when `share` more was spent."""
        self._stage = self._limit if share is None else min(self._limit, self.spent + share)
        try:
            yield
        finally:
            self._stage = self._limit

    def spend(self, amount: int) -> None:
        """Raises `Stopped`."""
        self.spent += amount
        if self.spent >= self._next:
            self._next = self.spent + _CHECK_EVERY
            if self._interrupted():
                raise Stopped("interrupted")
            if self._seconds is not None and self._clock() - self._began > self._seconds:
                raise Stopped("budget")
        if self.spent > self._stage:
            raise Stopped("budget", of_stage=self._stage < self._limit)


class Runner:
    """One trace: its machine, schedule and opened menus."""

    def __init__(self, program: Program, trace: Trace, menus: Menus) -> None:
        self.machine = Machine(program)
        seat(self.machine, trace.start, trace.start_stack)
        self.origin: Mark = self.machine.mark()
        self.trace = trace
        self.pool = Pool(self.machine)
        self._menus = menus
        self.schedule: Schedule = prepare(self.machine, trace, frozenset())
        self._opened: dict[int, Assignments | Conditionals] = {}
        self._truths: dict[tuple[str, int], Evaluate] = {}
        self._editable: dict[str, dict[int, int]] = {}

    def configure(self, schedule: Schedule, editable: Mapping[str, Mapping[int, int]]) -> None:
        """Run by this schedule from now on, with these locations by function and instruction."""
        self.machine.undo(self.origin)
        self.schedule = schedule
        stops: dict[str, set[int]] = {f: set(found) for f, found in schedule.watched.items()}
        for function, locations in editable.items():
            stops.setdefault(function, set()).update(locations)
        self.machine.set_stops(stops)
        self._editable = {f: dict(found) for f, found in editable.items()}
        self.origin = self.machine.mark()

    @property
    def has_observed(self) -> bool:
        """Whether the trace has loop decisions that were merely observed."""
        return any(isinstance(e, Decision) and not e.forced for e in self.trace.events)

    @property
    def has_weak(self) -> bool:
        """Whether the trace has asserted places that may be given up."""
        return any(isinstance(e, Assertion) and e.weak for e in self.trace.events)

    def location(self, function: str, index: int) -> int | None:
        """The location that may change at an instruction."""
        return self._editable.get(function, {}).get(index)

    def menu(self, location: int) -> Assignments | Conditionals | None:
        """The opened menu of a location, None when it offers nothing."""
        found = self._opened.get(location)
        if found is None:
            menu = self._menus.menu(location)
            if menu is None:
                return None
            found = self._opened[location] = open_menu(self.pool, menu)
        return found

    def truth(self, function: str, index: int, step: Branch) -> bool | None:
        """What the branch's own condition says, None when evaluating it is a fault."""
        closure = self._truths.get((function, index))
        if closure is None:
            [closure] = self.machine.truths(function, [step.condition])
            self._truths[function, index] = closure
        try:
            return bool(closure(self.machine.frame.base))  # type: ignore[union-attr]
        except (KeyError, Halt):
            value = look(self.machine, closure)
            return bool(value) if isinstance(value, (int, float)) else None


class Explorer:
    """Searches the traces of one problem, one number of edits at a time."""

    def __init__(self, program: Program, runners: Sequence[Runner], work: Work, limits: Limits) -> None:
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
        runner = self._runners[0]
        runner.machine.undo(runner.origin)
        self._go(0, 0, edits)
        return self.found

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
        limit = _OWN_STEPS + 200 * len(schedule.groups)
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
                used = 0
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
            if location is not None and (edits or location in self._decided):
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
                machine.run(_RUN)
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
            classes = menu.classes(subset)
            if self._may_change(location):
                for effect, mask in classes.items():
                    if effect != mine:
                        self._commit(runner, location, mask, effect, onward, number, following, edits)
            self._set(self._agree, location, classes.get(mine, 0))
        return self._plain(runner, following, None)

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
            if self._may_change(location):
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
        self._branch_off(runner, location, mask, effect, onward, number, following, edits - 1)
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
