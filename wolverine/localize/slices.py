"""Dynamic and relevant slices, backwards from the places that differ.

The dynamic slice (Korel and Laski; Agrawal and Horgan) holds the executed statements on which the
differing places depend through data and control.  The relevant slice (Gyimothy, Beszedes and Forgacs)
adds the conditions that, had they gone the other way, might have written a place that the slice reads,
and what those depend on: without it a statement that was wrongly not executed has no trace.

A statement of the dynamic slice has score 1, one that only the relevant slice holds 0.5; of equals the
one executed latest comes first.  Like every slice it may miss what is not there (a missing statement),
and a place that differs because something was written elsewhere is traced to its last, right, writer.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from wolverine.core.expressions import Dereference, LValue, Member, VariableReference
from wolverine.core.program import Assign, Branch, Call, Instruction
from wolverine.core.trace import Problem
from wolverine.core.types import StructReference, is_scalar
from wolverine.localize.control import Control, control_of
from wolverine.localize.forward import Forward, Segment
from wolverine.localize.suspicion import Suspicion, ranked
from wolverine.semantics.address import FRAME, KIND_SHIFT, LOCALS, field_key, number_of, offset_of

NAME = "slice"
DYNAMIC, RELEVANT = 1.0, 0.5


def localize(problem: Problem) -> tuple[Suspicion, ...]:
    """Rank the statements of the dynamic slice, then those of the relevant slice only."""
    scores: dict[int, tuple[float, float]] = {}
    for trace in problem.traces:
        run = Forward(problem.program, trace, reading=True)
        graph = Dependences(run)
        dynamic = graph.slice()
        for number in graph.slice(relevant=True):
            score = DYNAMIC if number in dynamic else RELEVANT
            location = run.location(run.steps[number])
            if location >= 0:
                held = scores.get(location)
                found = (score, -float(number))
                if held is None or (-found[0], found[1]) < (-held[0], held[1]):
                    scores[location] = found
    return ranked(problem.program, scores)


@dataclass(frozen=True, slots=True)
class _Use:
    """Step `step` uses the value that was put into cell `key` by step `writer` (-1: before the trace)."""

    step: int
    key: int
    writer: int


class _Arm(NamedTuple):
    """A branch, and the way that it went."""

    function: str
    pc: int
    taken: bool


class Dependences:
    """The dependences between the steps of a run."""

    def __init__(self, run: Forward) -> None:
        self._run = run
        self._controls: dict[str, Control] = {}
        self._data: list[list[_Use]] = []
        self._parent: list[int] = []  # the branch or call on which a step depends, -1
        self._branches: dict[_Arm, list[int]] = {}  # the steps that are branches, by the way they went
        self._writing: dict[tuple[_Arm, int], bool] = {}
        self._given: dict[tuple[_Arm, int], tuple[int, int]] = {}
        self._criterion: list[_Use] = []
        self._roots: list[int] = []
        self._connect()

    def slice(self, *, relevant: bool = False) -> frozenset[int]:
        """The steps on which the differing places depend."""
        seen: set[int] = set()
        self._given.clear()
        work: list[int] = list(self._roots)
        pending = list(self._criterion)
        while work or pending:
            while pending:
                use = pending.pop()
                if use.writer >= 0:
                    work.append(use.writer)
                if relevant:
                    work.extend(self._potential(use))
            step = work.pop() if work else -1
            if step < 0 or step in seen:
                continue
            seen.add(step)
            pending.extend(self._data[step])
            if self._parent[step] >= 0:
                work.append(self._parent[step])
        return frozenset(seen)

    # -- dependences -----------------------------------------------------------------------------

    def _connect(self) -> None:
        run = self._run
        writer: dict[int, int] = {}
        latest: dict[tuple[int, int], int] = {}  # last execution of a branch in an activation
        calls: dict[int, int] = {}  # activation -> the step that called it
        previous = -1
        for segment in run.segments:
            for number in range(segment.first, segment.last):
                step = run.steps[number]
                if previous >= 0 and step.activation not in calls:
                    calls[step.activation] = previous if self._is_call(previous) else -1
                previous = number
                self._data.append(
                    [_Use(number, key, writer.get(key, -1)) for key in sorted(run.reads[number])]
                )
                parents = self._control(step.function).parents[step.pc]
                before = [latest[step.activation, p] for p in parents if (step.activation, p) in latest]
                self._parent.append(max(before, default=calls.get(step.activation, -1)))
                if self._is_branch(number):
                    latest[step.activation, step.pc] = number
                    taken = number + 1 < len(run.steps) and self._taken(number)
                    self._branches.setdefault(_Arm(step.function, step.pc, taken), []).append(number)
                for key in run.writes(step):
                    writer[key] = number
            self._end(segment, writer)

    def _end(self, segment: Segment, writer: dict[int, int]) -> None:
        """What differs at the end of the segment is where the slice begins; then it is as asserted."""
        for key in segment.wrong:
            self._criterion.append(_Use(segment.last, key, writer.pop(key, -1)))
        self._roots += segment.refused
        if (segment.crash or segment.astray) and segment.last > segment.first:
            self._roots.append(segment.last - 1)

    def _potential(self, use: _Use) -> Iterator[int]:
        """The branches between write and use whose other arm might have written the cell."""
        for arm, numbers in self._branches.items():
            first, last = bisect_right(numbers, use.writer), bisect_left(numbers, use.step)
            if first < last and self._other_may_write(arm, use.key):
                yield from self._not_given(arm, use.key, first, last)

    def _other_may_write(self, arm: _Arm, key: int) -> bool:
        """Whether the way that was not gone might write the cell."""
        found = self._writing.get((arm, key))
        if found is None:
            other = self._control(arm.function).arms[arm.pc][not arm.taken]
            found = any(self._may_write(arm.function, index, key, set()) for index in other)
            self._writing[arm, key] = found
        return found

    def _not_given(self, arm: _Arm, key: int, first: int, last: int) -> list[int]:
        """Of the executions from `first` to `last` those that were not given for the cell before."""
        numbers = self._branches[arm]
        low, high = self._given.get((arm, key), (first, first))
        if last < low:  # apart: the later ones are remembered
            return numbers[first:last]
        if high < first:
            low = high = first
        self._given[arm, key] = min(low, first), max(high, last)
        return numbers[first : max(low, first)] + numbers[min(high, last) : last]

    def _taken(self, number: int) -> bool:
        step, following = self._run.steps[number], self._run.steps[number + 1]
        branch = self._run.program.functions[step.function].code[step.pc]
        assert isinstance(branch, Branch)
        return following.pc in (self._control(step.function).arms[step.pc][1] | {branch.if_true})

    def _may_write(self, function: str, index: int, key: int, seen: set[str]) -> bool:
        program = self._run.program
        match program.functions[function].code[index]:
            case Assign(_, target):
                return self._may_be(function, target, key)
            case Call(_, called) if called in program.functions and called not in seen:
                seen.add(called)
                code = program.functions[called].code
                return any(self._may_write(called, each, key, seen) for each in range(len(code)))
        return False

    def _may_be(self, function: str, target: LValue, key: int) -> bool:
        """Whether the place may be that cell: the same variable, or a field like it."""
        machine, offset, place = self._run.machine, 0, target
        while isinstance(place, Member):
            offset += place.offset
            place = place.base
        address = key & ((1 << KIND_SHIFT) - 1)
        if isinstance(place, VariableReference):
            relative, base = machine.layout.address(function, place)
            if relative:
                number = number_of(address) - LOCALS  # of some activation, perhaps one that has ended
                return number >= 0 and number % FRAME == number_of(base)
            return number_of(base) == number_of(address)
        if is_scalar(target.type):
            offset, kind = field_key(target.type, offset)
            if key >> KIND_SHIFT != kind:
                return False
        if isinstance(place, Dereference) and isinstance(place.type, StructReference) and place is not target:
            size = machine.program.types.size(place.type)
            return not size or offset_of(address) % size == offset
        return True

    # -- what a step is --------------------------------------------------------------------------

    def _is_branch(self, number: int) -> bool:
        return isinstance(self._instruction(number), Branch)

    def _is_call(self, number: int) -> bool:
        return isinstance(self._instruction(number), Call)

    def _instruction(self, number: int) -> Instruction:
        step = self._run.steps[number]
        return self._run.program.functions[step.function].code[step.pc]

    def _control(self, function: str) -> Control:
        found = self._controls.get(function)
        if found is None:
            found = self._controls[function] = control_of(self._run.program.functions[function])
        return found
