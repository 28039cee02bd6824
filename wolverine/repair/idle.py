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
from wolverine.repair.concrete import passable
from wolverine.repair.entries import Case
from wolverine.semantics.compiled import compile_program
from wolverine.semantics.encoding import encode_graph
from wolverine.semantics.faults import Fault, Halt
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import seat

_STEPS = 2_000  # of one run


class Idle:
    """Counts, for one repair after the other, the statements that it comes to on none of the cases."""

    def __init__(self, program: Program, trace: Trace, cases: Sequence[Case]) -> None:
        self._program = program
        starts = [(trace.start, trace.start_stack)]
        starts += [(case.heap, ((case.function, 0),)) for case in cases]
        layout = compile_program(program).layout
        self._starts = [(heap, stack, encode_graph(layout, heap)) for heap, stack in starts]
        names = {case.function for case in cases} | {trace.start_stack[0][0]}
        self._wanted = {name: _statements(program.functions[name]) for name in names}

    def count(self, patch: Patch) -> int:
        """How many statements of the cases' functions the repair leaves idle."""
        gone = {edit.location for edit in patch.edits if isinstance(edit.replacement, Deletion)}
        wanted = {(name, index) for name, found in self._wanted.items() for index in found}
        seen: set[tuple[str, int]] = set()
        machine = Machine(self._program, patch, strict=True)
        origin = machine.mark()
        for heap, stack, encoded in self._starts:
            if not wanted - seen:
                break
            machine.undo(origin)
            with suppress(Fault, Halt):
                seat(machine, heap, stack, encoded=encoded)
                _run(machine, seen)
        locations = {self._wanted[name][index] for name, index in wanted - seen}
        found = {self._wanted[name][index] for name, index in wanted & seen}
        return len(locations - found) + len(gone)


def _run(machine: Machine, seen: set[tuple[str, int]]) -> None:
    """Run to the return of the innermost activation; note what is executed."""
    begun, first = machine.frame, machine.steps
    while machine.steps - first < _STEPS and (frame := machine.frame) is not None:
        step = frame.linked.steps[machine.pc]
        seen.add((frame.linked.name, machine.pc))
        if frame is begun and isinstance(step, Return):
            return
        if not isinstance(step, Concrete):
            machine.step()
        elif passable(machine, step):
            machine.pc = frame.linked.following[machine.pc + 1]
        else:
            return


def _statements(function: Function) -> Mapping[int, int]:
    """The instructions of the function's statements and conditions, with their locations."""
    return {
        index: step.location
        for index, step in enumerate(function.code)
        if step.location >= 0 and not isinstance(step, (Gap, Jump))
    }
