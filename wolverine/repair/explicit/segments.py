"""The stretches between assertions that the program as it is does not get right.

Where an assertion tells the states of all nodes, the state there is known whatever edits lead to it, but
for the cells that it does not tell.  The stretch up to the next assertion can then be executed on its
own, with those cells empty.  It fails for certain when it fails without reading one of them: then every
repair has an edit among the locations that may be executed in it.  Where an empty cell is read, nothing
is known up to the next assertion.

How often an instruction was executed before depends on the edits all the same.  It is not needed where no
loop goes round without a decision from one event to the next: the next event of an activation happens at the
first arrival at its instruction.  In a loop of which the trace holds no decisions that is known only of the
arrival after the one where the stretch begins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from wolverine.core.program import Branch, Call, Concrete, Program, reachable
from wolverine.repair.execution.runner import Runner
from wolverine.repair.execution.schedule import Check, Group, apply_write
from wolverine.repair.explicit.boundary import settle, tells
from wolverine.repair.source.flow import behind, forward
from wolverine.semantics.activation import Mark
from wolverine.semantics.faults import Fault, Halt

_STEPS = 200_000

# How a stretch goes on: execution moved, it went wrong for certain, or nothing can be told.
_Outcome = Literal["on", "wrong", "unknown"]


@dataclass(frozen=True)
class _Start:
    """Where a stretch begins: (function, instruction, activation) innermost first, and the next group."""

    stack: tuple[tuple[str, int, int], ...]
    following: int


def failing_segments(runner: Runner, *, likely: bool = False) -> list[frozenset[int]]:
    """The locations of each failing stretch of the runner's trace.

    With `likely`, also of those that need not fail: in which the process does what the model does not follow,
    a read say, and an edit in front of the stretch may change how often it does; or at the end of which the
    failing assertion might be met by other nodes.
    """
    return list(_Walk(runner, likely).failing())


class _Walk:
    def __init__(self, runner: Runner, likely: bool) -> None:
        self._runner = runner
        self._likely = likely
        self._machine = runner.machine
        self._program = runner.machine.program
        self._groups = runner.schedule.groups
        self._open = False  # whether cells were emptied, and activations have numbers of their own
        self._failed = -1  # the first group that is not met
        self._start = _Start((), 0)
        self._mark: Mark = runner.origin

    def failing(self) -> Iterator[frozenset[int]]:
        machine, runner, groups = self._machine, self._runner, self._groups
        machine.undo(runner.origin)
        runner.focus(frozenset())
        if machine.frame is None or not groups:
            return
        self._begin(0)
        at: int | None = 0
        while at is not None:
            ended, at = self._stretch(at)
            if self._failed >= 0:
                yield self._between(self._start, self._failed)
            if at is not None:
                at = self._begun(ended, at)
        machine.undo(runner.origin)

    def _begin(self, following: int) -> None:
        machine = self._machine
        stack = []
        pc, frame = machine.pc, machine.frame
        while frame is not None:
            stack.append((frame.linked.name, pc, frame.number))
            pc, frame = frame.back, frame.caller
        self._start = _Start(tuple(stack), following)
        self._mark = machine.mark()
        self._failed = -1

    def _begun(self, ended: _Outcome, at: int) -> int | None:
        """Begin the next stretch at group `at`, or where one can begin behind it; the group next met."""
        groups, machine = self._groups, self._machine
        if ended == "on":  # execution stands there
            settle(machine, groups[at].checks)
            self._open = True
            self._begin(at + 1)
            return at
        for index in range(max(at, self._start.following), len(groups)):
            group = groups[index]
            if group.checks and self._stand(group) and tells(machine, self._runner.trace.start, group.checks):
                settle(machine, group.checks)
                self._open = True
                self._begin(index + 1)
                return index
            if group.interval is not None:
                break
        return None

    def _stand(self, group: Group) -> bool:
        """Go to the position of a group, if the activation is one of those at the start of the stretch."""
        machine = self._machine
        machine.undo(self._mark)
        frame = machine.frame
        while frame is not None and frame.number != group.position.activation:
            frame = frame.caller
        if frame is None or frame.linked.name != group.position.function:
            return False
        machine.frame, machine.pc = frame, group.position.instruction
        return True

    def _stretch(self, following: int) -> tuple[_Outcome, int | None]:
        """Execute up to an assertion that tells the state: how it went and that group, None at the end.

        Where execution came to no such assertion, the group before which it was left.
        """
        machine, groups = self._machine, self._groups
        first, begun = following, machine.steps
        while following < len(groups):
            if machine.steps - begun > _STEPS:
                return "unknown", None
            group = groups[following]
            frame = machine.frame
            if frame is None:
                return self._wrong(following), following
            if self._open and not self._followed(group):
                return "unknown", following
            outcome, met, bound, moved = self._arrive(following)
            if outcome == "wrong":
                return self._wrong(self._behind(following, met)), following
            if outcome == "unknown":
                return outcome, following
            if met is not None:
                new = following > first or (machine.steps > begun and not self._open)
                if met.checks and new and tells(machine, self._runner.trace.start, met.checks):
                    return "on", following
                following += 1
                if met.end and not met.through:
                    break
            if not moved:
                outcome = self._execute(bound)
                if outcome == "wrong":
                    return self._wrong(min(following, len(groups) - 1)), following
                if outcome == "unknown":
                    return outcome, following
        if not self._open and self._failed < 0:
            self._runner.length = machine.steps - begun
        return "on", None

    def _behind(self, following: int, met: Group | None) -> int:
        """The group up to which an edit is needed when execution ended there, after `met`."""
        return following if met is None else min(following + 1, len(self._groups) - 1)

    def _wrong(self, following: int) -> _Outcome:
        if self._failed < 0:
            self._failed = following
        return "wrong"

    def _followed(self, group: Group) -> bool:
        """Whether the group's activation was there when the stretch began; a loop's decision binds in any."""
        if not group.checks and not group.end and group.interval is None:
            name, pc = group.place
            if pc in self._runner.schedule.loops.get(name, ()):
                return True
        return any(number == group.position.activation for _, _, number in self._start.stack)

    def _arrive(self, following: int) -> tuple[_Outcome, Group | None, bool | None, bool]:
        """What stands here: how it goes on, the group that is met or not, its decision, whether it moved."""
        machine, schedule = self._machine, self._runner.schedule
        frame = machine.frame
        assert frame is not None
        name, pc = frame.linked.name, machine.pc
        if pc not in schedule.watched.get(name, ()):
            return "on", None, None, False
        position = (frame.number, name, pc, machine.visit())
        group = schedule.groups[following]
        met: Group | None = None
        looping = pc in schedule.loops.get(name, ())
        here = group.place == (name, pc) and group.position.activation == frame.number
        standing = following < self._start.following  # at the group itself, where the stretch begins
        if here and self._open and not standing and not self._first_arrival(self._start.following, group):
            return "unknown", None, None, False
        if group.position == position or (here and self._open):
            met = group
            if self._failed < 0 and (group.endless or any(self._fails(check) for check in group.checks)):
                self._failed = following
            if self._failed < 0 and not self._open and group.loses(machine):
                self._failed = following
        elif position in schedule.at and not self._open:
            return "wrong", None, None, False
        elif looping and group.decision is not None and group.place == (name, pc) and not group.checks:
            met = group
        step = frame.linked.steps[pc]
        free = met is not None and (met.free or met.through)
        if looping and not free and (met is None or met.decision is None):
            return ("on" if met is not None and met.end else "wrong"), met, None, False
        if isinstance(step, Concrete):
            write = schedule.writes.get(position)
            if write is None or met is not None or (self._open and not self._likely):
                return "unknown", met, None, False
            apply_write(machine, write)
            machine.pc = frame.linked.following[pc + 1]
            return "on", None, None, True
        if met is not None and met.interval is not None:
            return "unknown", met, None, False  # what was not modelled ends the stretch
        return "on", met, met.decision if met is not None else None, False

    def _fails(self, check: Check) -> bool:
        """Whether the assertion is certainly not met, whatever emptied cells held."""
        if check.holds(self._machine):
            return False
        if not self._open or self._likely:
            return True
        if check.renamed is not None and check.renamed.loose:
            return False  # a node of which was said nothing where the stretch begins may be meant
        return check.contradicted(self._machine)

    def _execute(self, bound: bool | None) -> _Outcome:
        machine = self._machine
        frame = machine.frame
        assert frame is not None
        step = frame.linked.steps[machine.pc]
        try:
            if isinstance(step, Branch) and bound is not None:
                [closure] = machine.evaluators.truths(frame.linked.name, [step.condition])
                if bool(machine.attempt(closure)) is not bound:
                    return "wrong"
                machine.pc = frame.linked.following[step.if_true if bound else step.if_false]
            elif isinstance(step, Concrete):
                return "unknown"
            else:
                machine.run(_STEPS)
        except Halt as halt:
            if self._open and not (isinstance(halt, Fault) and halt.kind != "uninitialised"):
                return "unknown"
            return "wrong"
        return "on"

    def _first_arrival(self, following: int, group: Group) -> bool:
        """Whether a group is met at the first arrival of a stretch that begins in front of `following`."""
        _, name, instruction, occurrence = group.position
        loops = self._runner.schedule.loops.get(name, frozenset())
        code = self._program.functions[name].code
        if instruction in loops or instruction not in behind(code, instruction, barred=loops):
            return True
        if not following:
            return occurrence == 1
        begun = self._groups[following - 1].position
        return begun[:3] == group.position[:3] and begun.occurrence == occurrence - 1

    # -- where a stretch goes --------------------------------------------------------------------------

    def _between(self, start: _Start, end: int) -> frozenset[int]:
        """All locations that any candidate may execute from there to the position of group `end`."""
        groups = self._runner.schedule.groups
        group = groups[end]
        activation, name, instruction, _ = group.position
        before = groups[start.following : end]
        if instruction in self._runner.schedule.loops.get(name, ()):
            before = [g for g in before if g.place == group.place]  # no arrival without a decision
        last = not before and not group.through and self._first_arrival(start.following, group)
        found: set[tuple[str, int]] = set()
        for function, pc, number in start.stack:
            at_end = number == activation and function == name
            stop = instruction if at_end and last else -1
            found.add((function, pc))
            begun = self._onward(start, function, pc, number)
            if begun == pc or begun != stop:
                found.update(
                    (function, i) for i in forward(self._program.functions[function].code, begun, stop)
                )
            if at_end:
                break
        called = reachable(self._program, _calls(self._program, found))
        result = {self._program.functions[f].code[i].location for f, i in found}
        for name in called:
            result.update(step.location for step in self._program.functions[name].code)
        result.discard(-1)
        return frozenset(result)

    def _onward(self, start: _Start, function: str, pc: int, number: int) -> int:
        """Where every execution goes on from a branch whose decision binds at the start of the stretch."""
        step = self._program.functions[function].code[pc]
        if not start.following or not isinstance(step, Branch):
            return pc
        group = self._groups[start.following - 1]
        if group.position[:3] != (number, function, pc) or group.decision is None:
            return pc
        return step.if_true if group.decision else step.if_false


def _calls(program: Program, steps: Iterable[tuple[str, int]]) -> Iterator[str]:
    for function, index in steps:
        step = program.functions[function].code[index]
        if isinstance(step, Call):
            yield step.function
