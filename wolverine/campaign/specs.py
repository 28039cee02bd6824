"""What a campaign asserts: states and loop decisions of the correct program (Wolverine2 section 7.1).

One run of the correct program in the model gives a trace for every activation of a function: from its
entry to its end.  `dense` asserts the state at the end of each iteration and at the end of the function
and gives every loop decision; `ends` the end of the function and the loop decisions; `free` only the end.
The state at the start is the precondition of all of them.  At the end of a function its result counts too.

The positions are those at which gdb stops: the end of an iteration of a `for` lies before its increment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from wolverine.campaign.execution import Execution, Ran
from wolverine.core.expressions import Load, VariableReference
from wolverine.core.graph import (
    MemoryGraph,
    NodeId,
    NodeState,
    Place,
    Pointer,
    Uninitialised,
    Value,
    VariableId,
)
from wolverine.core.program import Branch, Concrete, Function, Gap, Program, Return
from wolverine.core.trace import Assertion, Decision, Effect, End, Event, Position, Trace
from wolverine.semantics.activation import Activation, between, led_to, outwards
from wolverine.semantics.address import kind_of
from wolverine.semantics.machine import NO_PATCH
from wolverine.semantics.replay import replay
from wolverine.semantics.state import decode, graph_of, held

Kind = Literal["dense", "ends", "free"]
KINDS: tuple[Kind, ...] = ("dense", "ends", "free")
_MOST_EVENTS = 400  # a longer activation is left out: nobody asserts that much


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop of a function: its branch, and where an iteration ends (before the increment, or the test)."""

    branch: int
    end: int
    always: bool  # every arrival at `end` ends an iteration


@dataclass
class _Open:
    """An activation that is being recorded."""

    number: int
    depth: int
    call: int
    start: MemoryGraph
    stack: tuple[tuple[str, int], ...]
    events: list[Event] = field(default_factory=list)
    occurrences: dict[tuple[int, int], int] = field(default_factory=dict)
    inside: set[int] = field(default_factory=set)  # branches of loops that have been entered
    overlong: bool = False


@dataclass(frozen=True)
class Recording:
    """The traces of a function's activations in the order in which they returned, all kinds of events in.

    `calls` tells for each trace which call of the function it is, from 1 in the order of the entries.
    """

    ran: Ran
    traces: tuple[Trace, ...]
    calls: tuple[int, ...]


def loops(program: Program, function: str) -> tuple[Loop, ...]:
    """The loops of a function in code order."""
    code = program.functions[function]
    found = []
    for index, step in enumerate(code.code):
        if isinstance(step, Branch) and step.location >= 0 and program.location(step.location).loop:
            role = program.location(step.location).role
            increment = _increment(program, code, index) if role == "for" else None
            first = code.units[code.unit_of[index]].first if code.unit_of[index] >= 0 else index
            end = first if increment is None else increment
            found.append(Loop(index, end, increment is not None or role == "do"))
    return tuple(found)


def _increment(program: Program, code: Function, branch: int) -> int | None:
    """The first instruction of the increment of the `for` with that branch."""
    span = program.location(code.code[branch].location).span
    behind = [u for u in code.units if not u.header and u.span.start >= span.end]
    unit = min(behind, key=lambda u: (u.span.start, -u.span.end), default=None)
    if unit is None:
        return None
    between = program.files[span.file].content[span.end : unit.span.start].split()
    return unit.first if between == [b";"] else None


def record(program: Program, function: str, arguments: Sequence[str]) -> Recording:
    """Run the correct program and record every activation of the function that returns."""
    recorder = _Recorder(program, function)
    run = Execution(program, arguments, recorder.stops, recorder.seen, recorder.result)
    ran = run.run()
    # What the model cannot confirm of the correct program says nothing about a faulty one.
    kept = [(trace, call) for trace, call in recorder.traces if replay(program, NO_PATCH, trace).met]
    return Recording(ran, tuple(trace for trace, _ in kept), tuple(call for _, call in kept))


def select(trace: Trace, kind: Kind) -> Trace:
    """The trace with the events of one kind of specification."""
    last = trace.events[-1].position

    def kept(event: Event) -> bool:
        match event:
            case Assertion():
                return kind == "dense" or event.position == last
            case Decision():
                return kind != "free"
            case _:
                return True

    return replace(trace, events=tuple(event for event in trace.events if kept(event)))


def _number(frame: Activation, opened: _Open) -> int:
    """The number of an activation in the trace of one of its callers."""
    outer = next(each for each in outwards(frame) if each.number == opened.number)
    return led_to(0, between(frame, outer))


class _Recorder:
    def __init__(self, program: Program, function: str) -> None:
        self._program = program
        self._name = function
        code = program.functions[function].code
        self._loops = loops(program, function)
        self._branches = {loop.branch for loop in self._loops}
        self._ends: dict[int, list[Loop]] = {}
        for loop in self._loops:
            self._ends.setdefault(loop.end, []).append(loop)
        returns = {index for index, step in enumerate(code) if isinstance(step, Return)}
        calls = {i for i, step in enumerate(code) if isinstance(step, Concrete)}
        self.stops = {function: {0, *self._branches, *self._ends, *returns, *calls}}
        for name, other in program.functions.items():
            if name != function:
                self.stops[name] = {
                    i for i, s in enumerate(other.code) if isinstance(s, Concrete) and s.results
                }
        self._open: list[_Open] = []
        self._scopes: dict[int, frozenset[str]] = {}
        self._calls = 0
        self.traces: list[tuple[Trace, int]] = []

    def seen(self, run: Execution) -> None:
        """The machine stands before an instruction of `stops`."""
        machine, frame = run.machine, run.machine.frame
        assert frame is not None
        pc = machine.pc
        while self._open and self._open[-1].depth > frame.depth:
            self._open.pop()  # it was left without a return that was seen
        if frame.linked.name == self._name and pc == 0:
            start = graph_of(machine, MemoryGraph(self._program.types))
            stack = ((self._name, 0), *machine.stack()[1:])
            self._calls += 1
            self._open.append(_Open(frame.number, frame.depth, self._calls, start, stack))
            return
        for each in self._open:
            key = (frame.number, pc)
            each.occurrences[key] = each.occurrences.get(key, 0) + 1
        top = self._open[-1] if self._open else None
        if top is None or top.number != frame.number or frame.linked.name != self._name:
            return
        self._own(run, top, pc)

    def _own(self, run: Execution, top: _Open, pc: int) -> None:
        """An instruction of the innermost recorded activation itself."""
        frame = run.machine.frame
        assert frame is not None
        position = Position(0, self._name, pc, top.occurrences[top.number, pc])
        if len(top.events) > _MOST_EVENTS:
            top.overlong = True
            return
        if any(loop.always or loop.branch in top.inside for loop in self._ends.get(pc, ())):
            top.events.append(self._assertion(run, top, position, "the end of an iteration"))
        if pc in self._branches:
            self._decide(run, top, pc)
        step = frame.linked.steps[pc]
        if isinstance(step, Return):
            end = self._assertion(run, top, position, "the end of the function", step)
            if not top.overlong:
                trace = Trace(top.start, top.stack, (*top.events, end, End(position)))
                self.traces.append((trace, top.call))
            self._open.pop()

    def _decide(self, run: Execution, top: _Open, pc: int) -> None:
        """A loop's decision: given for the activation itself, observed by those around it."""
        machine, frame = run.machine, run.machine.frame
        assert frame is not None
        taken = bool(machine.attempt(machine.condition(frame.linked, pc)))
        (top.inside.add if taken else top.inside.discard)(pc)
        for each in self._open:
            number = _number(frame, each)
            position = Position(number, self._name, pc, each.occurrences[frame.number, pc])
            each.events.append(Decision(position, taken, forced=each is top))

    def result(self, run: Execution, step: Concrete, value: int) -> None:
        """A library call gave a value that the program uses: what a replay needs to know."""
        machine, frame = run.machine, run.machine.frame
        assert frame is not None
        for each in self._open:
            number = _number(frame, each)
            times = each.occurrences.get((frame.number, machine.pc), 0)
            position = Position(number, frame.linked.name, machine.pc, times)
            cells = {
                Place(VariableId(frame.depth, frame.linked.name, v.name), 0): value for v in step.results
            }
            each.events.append(Effect(position, cells))

    def _assertion(
        self, run: Execution, top: _Open, position: Position, label: str, end: Return | None = None
    ) -> Assertion:
        graph = graph_of(run.machine, MemoryGraph(self._program.types))
        visible = self._visible(position.instruction)
        reached = {value.object for value in graph.cells.values() if isinstance(value, Pointer)}
        cells: dict[Place, Value] = {}
        for place, value in graph.cells.items():
            if isinstance(value, Uninitialised):
                continue
            match place.object:
                case VariableId(depth, _, name):
                    if depth == top.depth and name not in visible:
                        continue
                    if 0 <= depth < top.depth and place.object not in reached:
                        continue  # a caller's variable that nothing here leads to, as for `spec`
                case NodeId() as node:
                    if graph.nodes[node].state != "live":
                        continue
            cells[place] = value
        cells |= self._result(run, top, end)
        states: dict[NodeId, NodeState] = {node.id: node.state for node in graph.nodes.values()}
        return Assertion(position, cells, states, frozenset(), label)

    def _result(self, run: Execution, top: _Open, end: Return | None) -> dict[Place, Value]:
        """The value that the function returns, as the cell of the temporary that holds it."""
        if (
            end is None
            or not isinstance(end.value, Load)
            or not isinstance(end.value.place, VariableReference)
        ):
            return {}
        variable = end.value.place
        machine, frame = run.machine, run.machine.frame
        assert frame is not None
        _, address = machine.layout.address(self._name, variable)
        found: dict[Place, Value] = {}
        for offset, scalar in self._program.types.scalars(variable.type):
            raw = held(machine.memory, frame.base + address + offset, kind_of(scalar))
            if raw is not None:
                place = Place(VariableId(top.depth, self._name, variable.name), offset)
                found[place] = decode(machine, raw, scalar)
        return found

    def _visible(self, pc: int) -> frozenset[str]:
        if pc not in self._scopes:
            self._scopes[pc] = frozenset(v.name for v in _scope_at(self._program, self._name, pc))
        return self._scopes[pc]


def _scope_at(program: Program, function: str, index: int) -> tuple[VariableReference, ...]:
    """The variables in view at an instruction, and the globals.

    What cannot be edited does not tell; there it is those of the nearest gap before it.
    """
    code = program.functions[function].code
    for at in range(index, -1, -1):
        location = code[at].location
        if location >= 0 and (isinstance(code[at], Gap) or (at == index and _tells(program, location))):
            return (*program.location(location).scope, *program.globals)
    return (*program.functions[function].parameters, *program.globals)


def _tells(program: Program, location: int) -> bool:
    return program.location(location).kind in ("assignment", "initialiser", "condition", "argument", "return")
