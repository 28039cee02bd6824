"""What a repair makes of the way to where the trace begins: what came of it was right, as far as it still is.

A function that is called elsewhere, too, was called before.  What is asserted, and was already so where the
trace begins, came out of these calls.  Where it does not come out of them under a repair, that is wrong, or
the user has not looked there.
"""

from __future__ import annotations

from collections.abc import Iterator

from wolverine.core.graph import NodeId, Place, Pointer, Value, VariableId
from wolverine.core.patch import NO_EDITS, Patch
from wolverine.core.program import Program
from wolverine.core.trace import Trace
from wolverine.repair.execution.onward import onward
from wolverine.repair.execution.tape import Tape
from wolverine.semantics.compare import same_state
from wolverine.semantics.faults import Fault, Halt
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import graph_of, seat

_STEPS = 100_000  # of the way
_ALL_STEPS = 1_000_000


class Begun:
    """Goes the way to a trace under one repair after the other; false where that way is not known."""

    def __init__(self, program: Program, trace: Trace, known: dict[Patch, int]) -> None:
        """`known` has what was found of repairs before, and gets the rest."""
        self._program = program
        self._trace = trace
        self._known = known
        self._way = trace.earlier
        self._entered: set[str] = set()  # functions, on the way
        self._visits = 0  # times that it comes to where the trace begins
        self._spent = 0
        self._kept = dict(_kept(trace))
        if self._way is None or not self._kept:
            return
        function, instruction = trace.start_stack[0]
        stops = {name: {0} for name in program.functions}
        stops[function].add(instruction)
        try:
            self._machine = machine = Machine(program, stops=stops)
            seat(machine, self._way.start, self._way.start_stack)
            self._tape = Tape(machine, self._way)
            self._origin = machine.mark()
            for visits, _ in enumerate(self._arrivals(NO_EDITS), 1):
                if same_state(graph_of(machine, self._way.start), trace.start):
                    self._visits = visits
                    break
        except Halt:
            pass

    def __bool__(self) -> bool:
        return self._visits > 0

    def amiss(self, patch: Patch) -> int | None:
        """How many places come out otherwise; None where too much was executed to tell."""
        names = {self._program.location(edit.location).function for edit in patch.edits}
        if names.isdisjoint(self._entered):
            return 0
        if patch not in self._known:
            if self._spent > _ALL_STEPS:
                return None
            self._known[patch] = self._counted(patch)
        return self._known[patch]

    def _counted(self, patch: Patch) -> int:
        assert self._way is not None
        try:
            for visit, _ in enumerate(self._arrivals(patch), 1):
                if visit == self._visits:
                    cells = graph_of(self._machine, self._way.start).cells
                    return sum(cells.get(place) != value for place, value in self._kept.items())
        except Fault:
            pass
        except Halt:
            return 0
        return len(self._kept)

    def _arrivals(self, patch: Patch) -> Iterator[None]:
        """The times that the execution comes to where the trace begins."""
        machine = self._machine
        machine.undo(self._origin)
        machine.set_patch(patch)
        begun = machine.steps
        try:
            for outcome in onward(machine, _STEPS, self._tape):
                if outcome != "stop" or machine.frame is None:
                    return
                if not self._visits:
                    self._entered.add(machine.frame.linked.name)
                if machine.stack() == self._trace.start_stack:
                    yield
        finally:
            self._spent += machine.steps - begun


def _kept(trace: Trace) -> Iterator[tuple[Place, Value]]:
    """What nodes and globals held where the trace begins, and are asserted to hold in the end."""
    last = trace.outcome
    for place, value in last.cells.items() if last is not None else ():
        lasting = isinstance(place.object, NodeId) or (
            isinstance(place.object, VariableId) and place.object.depth < 0
        )
        if lasting and isinstance(value, int | Pointer | None) and trace.start.cells.get(place, 0.5) == value:
            yield place, value
