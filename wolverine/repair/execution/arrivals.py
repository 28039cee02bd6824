"""What a trace asks where an execution arrives, and going on from there as the program is."""

from __future__ import annotations

from abc import ABC, abstractmethod

from wolverine.core.program import Branch, Concrete
from wolverine.core.trace import Budget
from wolverine.repair.execution.concrete import jump, passed
from wolverine.repair.execution.runner import Runner
from wolverine.repair.execution.schedule import Check, Group, Write, apply_write
from wolverine.repair.execution.spaces import Ledger
from wolverine.repair.execution.work import Limits, Stopped, Work
from wolverine.semantics.concrete import passable
from wolverine.semantics.endless import advance
from wolverine.semantics.faults import Fault, Halt
from wolverine.semantics.machine import Machine

_RUN = 10_000  # machine steps between two arrivals
FOLLOWED = 200_000  # machine steps that are followed to measure a trace


class Arriving(ABC):
    """Goes through a trace's groups as an execution comes to them; its heirs say what meeting one means."""

    @abstractmethod
    def meets(self, runner: Runner, group: Group) -> bool:
        """Whether what is asserted where the runner stands is met."""

    def loses(self, runner: Runner, group: Group) -> bool:
        """Whether a node is lost there that must not be."""
        return group.loses(runner.machine)

    @abstractmethod
    def take(self, runner: Runner, write: Write) -> None:
        """Take over what the process wrote where the model does not follow it."""

    def arrive(self, runner: Runner, following: int) -> tuple[int, bool | None, bool] | None:
        """Count an arrival at a watched instruction and check what is required there.

        None when it is not met; else (next group, the decision that binds, whether there is nothing
        left to execute here).
        """
        machine, schedule = runner.machine, runner.schedule
        frame = machine.frame
        assert frame is not None
        name, pc = frame.linked.name, machine.pc
        position = (frame.number, name, pc, machine.visit())
        if following == len(schedule.groups):
            return following, None, False  # in the statement that crashed
        group = schedule.groups[following]
        bound, free = None, False
        looping = pc in schedule.loops.get(name, ())
        if group.position == position:
            if group.endless or not self.meets(runner, group) or self.loses(runner, group):
                return None
            following += 1
            bound, free = group.decision, group.free or group.through
            if group.end and not group.through:
                return following, None, True
            if group.interval is not None and group.interval.to is not None:
                self.take(runner, group.interval)
                jump(machine, runner.trace, group.interval.to)
                return following, None, True
        elif position in schedule.at:
            return None  # something before it was passed over
        elif (
            looping
            and (group.decision is not None or group.free)
            and group.place == (name, pc)
            and not group.checks
        ):
            following += 1
            bound, free = group.decision, group.free
        if bound is None and not free and looping:
            return None  # a loop goes on where it did not in this execution
        step = frame.linked.steps[pc]
        if isinstance(step, Concrete):
            write = schedule.writes.get(position)
            if write is not None:
                self.take(runner, write)
            elif not passable(machine, step):
                return None
            machine.pc = frame.linked.following[pc + 1]
            return following, None, True
        return following, bound, False


class Arrivals(Arriving):
    """Checks and moves the runners of one search."""

    def __init__(self, work: Work, limits: Limits, ledger: Ledger, *, checking: bool = True) -> None:
        """Unless `checking`, assertions count as met and branches go as they are bound to."""
        self._checking = checking
        self._work = work
        self._limits = limits
        self._ledger = ledger

    def _met(self, check: Check, machine: Machine) -> bool:
        """Whether the assertion holds, or fails only at weak places that may be given up."""
        if not self._checking or check.holds(machine):
            return True
        if not self._limits.spare:
            return False
        failing = list(check.failing(machine))
        if any(place not in check.weak for place in failing):
            return False
        known = {place for _, place in self._ledger.given}
        if len(known.union(failing)) > self._limits.spare:
            return False
        for place in failing:
            self._ledger.set(self._ledger.given, (check.label, place), 1)
        return True

    def meets(self, runner: Runner, group: Group) -> bool:
        """Whether every assertion of the group holds."""
        self._work.spend(2)
        return all(self._met(check, runner.machine) for check in group.checks)

    def loses(self, runner: Runner, group: Group) -> bool:
        """Whether a node is lost there that must not be, as far as it is looked at."""
        return self._checking and group.loses(runner.machine)

    def take(self, runner: Runner, write: Write) -> None:
        """Write what the process wrote."""
        apply_write(runner.machine, write)

    def plain(self, runner: Runner, following: int, bound: bool | None) -> int | None:
        """Execute the statement as it is, and on to the next arrival; None when that fails."""
        machine = runner.machine
        frame = machine.frame
        assert frame is not None
        step = frame.linked.steps[machine.pc]
        if isinstance(step, Concrete):  # never executed in the process, so its effect is not known
            return following if passed(machine) else None
        try:
            if isinstance(step, Branch) and bound is not None:
                truth = runner.truth(frame.linked.name, step.condition)
                if truth is not bound and self._checking:
                    return None
                machine.pc = frame.linked.following[step.if_true if bound else step.if_false]
                return following
            before, ends = machine.steps, True
            if following == len(runner.schedule.groups):
                machine.step()  # over the position of a crash
            else:
                ends = advance(machine, min(_RUN, runner.patience)) != "endless"
            self._work.spend(machine.steps - before)
        except Fault as fault:
            passed_by = runner.schedule.past(machine, following, fault)
            return len(runner.schedule.groups) if passed_by else None
        except Halt:
            return None
        return following if ends else None


def length_of(runner: Runner) -> int | None:
    """Machine steps of the program as it is from the start of the trace to its end, whatever is asserted.

    None where it does not come there; where it crashes instead, as the trace says, the runner keeps when.
    """
    machine = runner.machine
    machine.undo(runner.origin)
    runner.focus(frozenset())
    begun = machine.steps
    try:
        length = follow(runner)
        if length is None and runner.trace.crash is not None:
            runner.crashes = machine.steps - begun
        return length
    finally:
        machine.undo(runner.origin)


def follow(runner: Runner) -> int | None:
    """Go on from where the runner stands, with the program as it is, to the end of the trace.

    The machine steps that this took; None where it does not come there.
    """
    work = Work(Budget(work=FOLLOWED), lambda: False)
    return go_on(runner, Arrivals(work, Limits(), Ledger(), checking=False), work)


def go_on(runner: Runner, arrivals: Arrivals, work: Work) -> int | None:
    """As `follow`, with these arrivals, which spend of that work."""
    machine, schedule = runner.machine, runner.schedule
    following: int | None = 0
    try:
        while following is not None and not schedule.over(machine, following) and machine.frame is not None:
            following, moved = onward(runner, arrivals, following)
            if not moved:
                work.spend(1)
        return work.spent if following is not None and machine.frame is not None else None
    except Stopped:
        return None


def onward(runner: Runner, arrivals: Arrivals, following: int) -> tuple[int | None, bool]:
    """One move with the program as it is: the group that is next then, and whether the trace alone moved it.

    None where what it comes to is not met.
    """
    machine, bound = runner.machine, None
    assert machine.frame is not None
    if machine.pc in runner.schedule.watched.get(machine.frame.linked.name, ()):
        arrival = arrivals.arrive(runner, following)
        if arrival is None:
            return None, True
        following, bound, moved = arrival
        if moved:
            return following, True
    return arrivals.plain(runner, following, bound), False
