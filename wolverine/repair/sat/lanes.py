"""All executions that a trace allows, as clauses: the program is executed whatever its locations become.

The machine walks along the trace with cells that hold several values (`uncertain`).  Loops go as they were
observed, so the execution is a straight line but for `if`s: where both sides come together again before
anything of the trace happens, both are executed and what they left is merged; else the walk is split into
lanes.  Whatever the trace forbids is forbidden under the literal of its lane.  Edits that the walk cannot
follow (nodes that are freed or not) end it with `Beyond`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wolverine.core.program import (
    Assign,
    Branch,
    Call,
    Concrete,
    Declare,
    Gap,
    Instruction,
    Jump,
    Library,
    Return,
)
from wolverine.core.types import is_scalar
from wolverine.repair.execution.concrete import passed
from wolverine.repair.execution.runner import Runner
from wolverine.repair.sat.calls import Calls
from wolverine.repair.sat.demands import Demands
from wolverine.repair.sat.occurrences import Occurrences
from wolverine.repair.sat.onehot import Assigning, Choosing, Deciding
from wolverine.repair.sat.uncertain import Beyond, Held, Uncertain
from wolverine.repair.source.joins import joins, quiet
from wolverine.semantics.activation import Activation
from wolverine.semantics.address import ADDRESS_MASK, KIND_SHIFT, KIND_SIZE, POINTER
from wolverine.semantics.faults import Fault, Halt
from wolverine.semantics.generate import spread
from wolverine.semantics.library import MODELLED
from wolverine.semantics.machine import Machine
from wolverine.solve.clauses import TRUE, Clauses

_LANES = 64
_STEPS = 6_000  # executed on all lanes
_CLAUSES = 700_000
_BEYOND = 3  # so far from all numbers that occur an edit's result may be


@dataclass(frozen=True)
class _Lane:
    """`guard` holds where execution goes this way; `settled` are the literals that are known there."""

    guard: int
    settled: frozenset[int]


class Lanes:
    """The walk along one trace."""

    def __init__(
        self, runner: Runner, clauses: Clauses, choosing: Choosing, spend: Callable[[int], None]
    ) -> None:
        self._runner = runner
        self._machine: Machine = runner.machine
        self._schedule = runner.schedule
        self._program = runner.machine.program
        self._clauses = clauses
        self._choosing = choosing
        self._state = Uncertain(runner.machine, clauses, spend)
        self._spend = spend
        self._happening = Occurrences(self._state, clauses, choosing, _numbers(runner))
        self._demands = Demands(runner, self._state, clauses, choosing)
        self._calls = Calls(self._state, self._happening)
        self._lanes = 1
        self._steps = 0
        self._counted = 0
        self._joins: dict[str, list[int]] = {}

    def encode(self) -> None:
        """Add the clauses; raises `Beyond` where the walk is not possible, and what `spend` raises."""
        machine = self._machine
        machine.undo(self._runner.origin)
        self._runner.focus(None)
        try:
            self._walk(_Lane(TRUE, frozenset()), 0)
        finally:
            machine.undo(self._runner.origin)

    # -- one lane ----------------------------------------------------------------------------------

    def _walk(self, lane: _Lane, following: int) -> None:
        """Execute to the end of the trace, or to where it is not met."""
        machine, schedule = self._machine, self._schedule
        while not schedule.over(machine, following):
            frame = machine.frame
            if frame is None:
                self._happening.forbid(lane.guard)
                return
            bound: bool | None = None
            if machine.pc in self._watched(frame):
                arrival = self._demands.under(lane.guard, following)
                if arrival is None:
                    self._happening.forbid(lane.guard)
                    return
                following, bound, moved = arrival
                if moved:
                    continue
            try:
                went = self._execute(lane, frame, following, bound)
            except Halt:
                self._happening.forbid(lane.guard)
                return
            if not went:
                return

    def _execute(self, lane: _Lane, frame: Activation, following: int, bound: bool | None) -> bool:
        """One instruction; false where the lanes that it is split into were walked to their ends."""
        self._steps += 1
        self._price()
        if self._steps > _STEPS:
            raise Beyond("the execution is too long")
        machine, pc = self._machine, self._machine.pc
        step = frame.linked.steps[pc]
        match step:
            case Branch():
                return self._branch(lane, frame, step, following, bound)
            case Call() if step.function in self._program.functions:
                return self._call(lane, frame, step, following)
            case Call():
                self._calls.library(lane.guard, self._changing(frame), step)
            case Return():
                self._calls.leave(frame, step)
                return True
            case Library() | Concrete():
                return self._outside(frame, step)
            case Jump(_, target):
                machine.pc = frame.linked.following[target]
                return True
            case _:
                self._plain(lane.guard, frame, step)
        machine.pc = frame.linked.following[pc + 1]
        return True

    def _price(self) -> None:
        """Count what was done since the last time as work."""
        count = self._clauses.count
        self._spend(5 + (count - self._counted) // 2)
        self._counted = count
        if count > _CLAUSES:
            raise Beyond("the execution has too many cases")

    # -- statements ----------------------------------------------------------------------------------

    def _plain(self, guard: int, frame: Activation, step: Instruction) -> None:
        """A statement that goes on at the next instruction."""
        match step:
            case Declare(_, variable):
                relative, address = self._machine.layout.address(frame.linked.name, variable)
                first = address + (frame.base if relative else 0)
                self._state.clear([first + each for each in spread(self._program.types, variable.type)])
            case Assign() if not is_scalar(step.target.type):
                raise Beyond("a struct is copied")
            case Assign() | Gap():
                made = self._changing(frame)
                assert not isinstance(made, Deciding)
                self._happening.assign(guard, made, step)
            case _:
                raise Beyond("this is not followed")

    def _changing(self, frame: Activation) -> Assigning | Deciding | None:
        """What the statement at hand may become."""
        location = self._runner.location(frame.linked.name, self._machine.pc)
        return None if location is None else self._choosing.at(location)

    def _watched(self, frame: Activation) -> frozenset[int]:
        return self._schedule.watched.get(frame.linked.name, frozenset())

    def _truth(self, guard: int, frame: Activation, step: Branch) -> int:
        made = self._changing(frame)
        assert not isinstance(made, Assigning)
        return self._happening.truth(guard, made, step)

    # -- branches ------------------------------------------------------------------------------------

    def _branch(
        self, lane: _Lane, frame: Activation, step: Branch, following: int, bound: bool | None
    ) -> bool:
        machine, links = self._machine, frame.linked.following
        pc = machine.pc
        truth = self._truth(lane.guard, frame, step)
        if truth in lane.settled:
            truth = TRUE
        elif -truth in lane.settled:
            truth = -TRUE
        if bound is None and truth not in (TRUE, -TRUE):
            join = self._join(frame.linked.name, pc)
            if join >= 0 and quiet(frame, pc, join, self._watched(frame)):
                self._both_sides(lane.guard, frame, step, truth, join)
                machine.pc = links[join]
                return True
            self._split(lane, truth, following, lambda met: links[step.if_true if met else step.if_false])
            return False
        if bound is not None:
            self._clauses.add((-lane.guard, truth if bound else -truth))
        taken = bound if bound is not None else truth == TRUE
        machine.pc = links[step.if_true if taken else step.if_false]
        return True

    def _split(self, lane: _Lane, truth: int, following: int, onward: Callable[[bool], int]) -> None:
        self._lanes += 1
        if self._lanes > _LANES:
            raise Beyond("execution may go too many ways")
        machine, state = self._machine, self._state
        mark, saved = machine.mark(), state.saved()
        for met in (True, False):
            literal = truth if met else -truth
            guard = self._clauses.both((lane.guard, literal))
            machine.pc = onward(met)
            self._walk(_Lane(guard, lane.settled | {literal}), following)
            machine.undo(mark)
            state.restore(saved)

    def _both_sides(self, guard: int, frame: Activation, step: Branch, truth: int, join: int) -> None:
        machine, state = self._machine, self._state
        mark, saved = machine.mark(), state.saved()
        sides: list[dict[int, Held]] = []
        for met in (True, False):
            start = len(machine.memory.trail)
            literal = truth if met else -truth
            own = self._clauses.both((guard, literal))
            try:
                self._side(own, frame, frame.linked.following[step.if_true if met else step.if_false], join)
            except Halt:
                self._happening.forbid(own)
            changed = dict.fromkeys(machine.memory.trail[start::2])
            changed.update((k, None) for k in state.cells if state.cells[k] is not saved[0].get(k))
            sides.append({key: state.held(key) for key in changed if key > 0})
            machine.undo(mark)
            state.restore(saved)
        for key in dict.fromkeys((*sides[0], *sides[1])):
            if key & ADDRESS_MASK and key >> KIND_SHIFT in KIND_SIZE:
                met_held, failed_held = (side.get(key) or state.held(key) for side in sides)
                state.put(key, state.merged(truth, met_held, failed_held))

    def _side(self, guard: int, frame: Activation, at: int, join: int) -> None:
        machine = self._machine
        machine.pc = at
        while machine.pc != machine.frame.linked.following[join]:  # type: ignore[union-attr]
            self._steps += 1
            self._price()
            pc = machine.pc
            step = frame.linked.steps[pc]
            match step:
                case Branch():
                    truth = self._truth(guard, frame, step)
                    if truth in (TRUE, -TRUE):
                        machine.pc = frame.linked.following[step.if_true if truth == TRUE else step.if_false]
                        continue
                    inner = self._join(frame.linked.name, pc)
                    self._both_sides(guard, frame, step, truth, inner)
                    machine.pc = frame.linked.following[inner]
                case Jump(_, target):
                    machine.pc = frame.linked.following[target]
                case _:
                    self._plain(guard, frame, step)
                    machine.pc = frame.linked.following[pc + 1]

    def _join(self, name: str, pc: int) -> int:
        """Where the ways that a branch may go come together; -1 if nowhere."""
        if name not in self._joins:
            self._joins[name] = joins(self._program.functions[name])
        return self._joins[name][pc]

    # -- calls ---------------------------------------------------------------------------------------

    def _call(self, lane: _Lane, frame: Activation, step: Call, following: int) -> bool:
        machine = self._machine
        pc = machine.pc
        made = self._changing(frame)
        if isinstance(made, Assigning) and made.gone != -TRUE:
            if made.gone not in lane.settled and made.same not in lane.settled:
                self._clauses.add((made.gone, made.same))
                self._split_call(lane, frame, step, following, made)
                return False
            if made.gone in lane.settled:
                machine.pc = frame.linked.following[pc + 1]
                return True
        self._calls.enter(frame, step)
        return True

    def _split_call(
        self, lane: _Lane, frame: Activation, step: Call, following: int, made: Assigning
    ) -> None:
        self._lanes += 1
        if self._lanes > _LANES:
            raise Beyond("execution may go too many ways")
        machine, state = self._machine, self._state
        mark, saved = machine.mark(), state.saved()
        for literal in (made.gone, made.same):
            guard = self._clauses.both((lane.guard, literal))
            inner = _Lane(guard, lane.settled | {literal})
            try:
                if literal == made.gone:
                    machine.pc = frame.linked.following[machine.pc + 1]
                else:
                    self._calls.enter(frame, step)
                self._walk(inner, following)
            except Halt:
                self._happening.forbid(guard)
            machine.undo(mark)
            state.restore(saved)

    def _outside(self, frame: Activation, step: Instruction) -> bool:
        machine = self._machine
        if isinstance(step, Library) and step.function not in MODELLED:
            self._choosing.exact = False  # it may read what it must not
            machine.pc = frame.linked.following[machine.pc + 1]
            return True
        if self._state.cells and not isinstance(step, Concrete):
            raise Beyond("a library function may read what depends on edits")
        if isinstance(step, Concrete):
            if not passed(machine):
                raise Fault("wild", "what it does is not known")
            return True
        machine.step()
        self._state.changed()
        return True


def _numbers(runner: Runner) -> range:
    """The integers between those that occur at the start and in what is asserted, and a little beyond."""
    held = [(key, value) for key, value in runner.machine.memory.cells.items() if key > 0]
    held += [(c.keys[0], c.raw) for g in runner.schedule.groups for check in g.checks for c in check.cells]
    found = [value for key, value in held if key >> KIND_SHIFT < POINTER and type(value) is int]
    return range(min(found, default=0) - _BEYOND, max(found, default=0) + _BEYOND + 1)
