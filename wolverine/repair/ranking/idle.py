"""Statements that a repair leaves without use: it may hide a crash by no longer doing the program's work.

A repair is tried on the fresh heaps of the functions that repairs change; what it never comes to there, on
none of them, is idle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from wolverine.core.patch import Deletion, Patch
from wolverine.core.program import Concrete, Function, Gap, Jump, Program, Return
from wolverine.core.trace import Trace
from wolverine.repair.execution.concrete import passed
from wolverine.repair.execution.tape import Tape
from wolverine.repair.heaps.entries import Case
from wolverine.repair.source.covered import Covered
from wolverine.repair.source.flow import begins_at_entry
from wolverine.repair.source.repeated import made_again
from wolverine.repair.special.moves import shifts
from wolverine.semantics.concrete import gives_up
from wolverine.semantics.faults import Halt
from wolverine.semantics.machine import Machine
from wolverine.semantics.replacing import patched
from wolverine.semantics.state import seat

_STEPS = 2_000  # of one run


class Idle:
    """Counts, for one repair after the other, the statements that it comes to on none of the cases.

    Where something is asserted only those count that are in use: `covered` is what the program as it is
    comes to on the cases.
    """

    def __init__(self, program: Program, trace: Trace, cases: Sequence[Case], covered: int = 0) -> None:
        self._program = program
        self._bare = trace.bare
        self._cut_off = trace.bare and not trace.lost  # what loses nodes has come to its end
        self._covered = numbers = Covered(program)
        name = trace.start_stack[0][0]
        self._location: dict[int, int] = {}  # of each statement's instructions
        for function in {case.function for case in cases} | {name}:
            for index, location in _statements(program.functions[function]).items():
                self._location[numbers.number(function, index)] = location
        self._machine: Machine | None = None
        self._passed = 0
        tried = any(case.function == name and case.heap is trace.start for case in cases)
        if not tried or not begins_at_entry(program, trace):
            with suppress(Halt):
                self._begin(trace)
        if not trace.bare:
            covered |= self._passed
            self._location = {at: loc for at, loc in self._location.items() if covered >> at & 1}
        self._wanted = numbers.bits(self._location)

    def _begin(self, trace: Trace) -> None:
        """Run the program as it is from where the trace starts."""
        functions = self._program.functions
        name = trace.start_stack[0][0]
        machine = Machine(self._program, strict=True)
        seat(machine, trace.start, trace.start_stack)
        self._tape = Tape(machine, trace)
        origin = machine.mark()
        machine.set_stops({f: range(len(functions[f].code)) for f in functions})
        self._passed = self._run(machine, name)  # gaps too
        machine.undo(origin)
        machine.set_stops({name: [i for i, s in enumerate(functions[name].code) if isinstance(s, Return)]})
        self._origin, self._machine, self._name = machine.mark(), machine, name

    def count(self, patch: Patch, seen: int = 0) -> int:
        """How many statements of the cases' functions the repair leaves idle.

        A statement that it deletes is one after a mere crash; where states are asserted they speak for that.
        One that it puts elsewhere is none, nor is a step that the loop makes again right behind.
        `seen` is what it came to on the cases (see `Covered`).
        """
        functions = self._program.functions
        edited = patched(self._program, patch)
        at = {(f, i): made for f, found in edited.items() for i, made in found.items()}
        touched = self._covered.bits(self._covered.number(*each) for each in at)
        moved = {edit.location for edit, *_ in shifts(self._program, patch)}
        moved |= {
            functions[f].code[i].location
            for (f, i), made in at.items()
            if isinstance(made, Deletion) and made_again(functions[f], i)
        }
        gone = {
            location
            for (f, i), made in at.items()
            if isinstance(made, Deletion) and self._bare
            if (location := functions[f].code[i].location) not in moved
        }
        if self._machine is not None and self._wanted & ~seen:
            seen |= self._under(patch) if touched & self._passed else self._passed
        reached = {location for number, location in self._location.items() if seen >> number & 1} - gone
        return len(set(self._location.values()) - reached - moved) + len(gone)

    def _under(self, patch: Patch) -> int:
        """What is executed from where the trace starts under the repair."""
        machine = self._machine
        assert machine is not None
        machine.undo(self._origin)
        machine.set_patch(patch)
        return self._run(machine, self._name)

    def _run(self, machine: Machine, name: str) -> int:
        """Run to the return of the innermost activation; what is executed."""
        seen: set[int] = set()
        begun, first = machine.frame, machine.steps
        while (left := _STEPS - (machine.steps - first)) > 0 and (frame := machine.frame) is not None:
            here, pc = frame.linked.name, machine.pc
            step = frame.linked.steps[pc]
            seen.add(self._covered.number(here, pc))
            if frame is begun and isinstance(step, Return):
                break
            if isinstance(step, Concrete):
                if not passed(machine) and not self._tape.take(machine):
                    seen |= self._open_end(machine)
                    break
                continue
            path: list[int] = []
            try:
                if machine.run(left, path) == "undetermined":
                    seen |= self._open_end(machine)
                    break
            except Halt:
                break
            finally:
                self._covered.add(seen, machine, name, here, path)
                if machine.frame is not None:
                    seen.add(self._covered.number(machine.frame.linked.name, machine.pc))
        return self._covered.bits(seen)

    def _open_end(self, machine: Machine) -> set[int]:
        """What lies ahead where a crash has cut off what it would read: that is not known to be idle."""
        return self._covered.ahead(machine) if self._cut_off else set()


def _statements(function: Function) -> Mapping[int, int]:
    """The instructions of the function's statements and conditions, with their locations.

    What an assertion calls where it does not hold is none: that is best left without use.
    """
    return {
        index: step.location
        for index, step in enumerate(function.code)
        if step.location >= 0 and not isinstance(step, (Gap, Jump)) and not gives_up(step)
    }
