"""The forward execution of a trace, with its decisions, from assertion to assertion (Wolverine2 5.2.1).

The program runs as it stands in the source.  What a concrete statement wrote is taken from the trace.
Where an assertion does not hold, the difference is noted and the state becomes the asserted one, as the
process' own was after the corrections of the user: the next segment begins there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from wolverine.core.graph import External, Place, Uninitialised, Value
from wolverine.core.program import NO_STATEMENT, Assign, Branch, Call, Concrete, Program
from wolverine.core.trace import Assertion, Decision, Effect, End, Event, Interval, Position, Trace
from wolverine.semantics.address import (
    COUNT_KEY,
    FRAME,
    KIND_SHIFT,
    LITERAL,
    OBJECT_BITS,
    OBJECT_LIMIT,
    STATE_KEY,
    cell_key,
    node_address,
)
from wolverine.semantics.endless import Rounds
from wolverine.semantics.faults import Fault, Halt
from wolverine.semantics.machine import Machine
from wolverine.semantics.reads import Reads
from wolverine.semantics.state import encode, guess_kinds, held, scalar_type, seat

ASTRAY = 20_000  # instructions in which nothing of the trace comes


class Executed(NamedTuple):
    """One executed instruction; the memory's trail holds what it wrote from `begin` to `end`."""

    function: str
    pc: int
    activation: int
    begin: int
    end: int


@dataclass
class Segment:
    """The steps `first` to `last` (not included) between two assertions.

    `wanted` has the asserted value of every cell by key; `wrong` what a cell held instead, where it was
    another value.  `refused` are the steps at whose condition the user forced the other way.  `crash` is
    true when the last step is one that crashes, `astray` when the steps would have gone on for ever.
    """

    first: int
    last: int = 0
    before: str = "the start of the trace"
    after: str = "the end of the trace"
    nodes: int = 0
    wanted: dict[int, Any] = field(default_factory=dict)
    wrong: dict[int, Any] = field(default_factory=dict)
    refused: list[int] = field(default_factory=list)
    crash: bool = False
    astray: bool = False

    @property
    def differs(self) -> bool:
        """Whether something in the segment is not as the user wants it."""
        return bool(self.wrong or self.refused or self.crash or self.astray)


class Forward:
    """One forward execution: `steps` in order, cut into `segments`; `machine` stands at the end.

    With `reading`, `reads` has the keys that each step read.  `reason` tells why it broke off, if it did.
    """

    def __init__(self, program: Program, trace: Trace, *, reading: bool = False) -> None:
        self.program = program
        self.trace = trace
        self.steps: list[Executed] = []
        self.segments: list[Segment] = []
        self.reason = ""
        events = [e for e in trace.events if not isinstance(e, Effect)]
        self._events: Iterator[Event] = iter(events)
        self._head: Event | None = next(self._events, None)
        self._effects = {e.position: e for e in trace.events if isinstance(e, Effect)}
        stops: dict[str, set[int]] = {}
        for event in trace.events:
            stops.setdefault(event.position.function, set()).add(event.position.instruction)
        known = {f: frozenset(found) for f, found in stops.items() if f in program.functions}
        self.machine = Machine(program, stops=known)
        seat(self.machine, trace.start, trace.start_stack)
        self.reads: list[frozenset[int]] = []
        self._reads = Reads(self.machine) if reading else None
        self._rounds = Rounds()
        self._met = 0  # steps until the latest event that came
        self._segment = Segment(0)
        self._position = trace.events[-1].position if trace.events else Position(0, "", 0, 0)
        try:
            self._run()
        except Halt as halt:
            self.reason = str(halt)
            self._segment.crash = isinstance(halt, Fault)
        self._close(self._segment.after)

    @property
    def trail(self) -> list[Any]:
        """Key, old value, key, old value, ... of every write."""
        return self.machine.memory.trail

    def writes(self, step: Executed) -> Iterator[int]:
        """The keys of the cells that a step wrote (not those that it made uninitialised)."""
        trail = self.trail
        for at in range(step.begin, step.end, 2):
            if trail[at] > 0:
                yield trail[at]

    def location(self, step: Executed, key: int | None = None) -> int:
        """The location to blame for what a step did (to that cell); -1 where none can be edited."""
        code = self.program.functions[step.function].code
        instruction = code[step.pc]
        if isinstance(instruction, Call) and key is not None and instruction.arguments:
            blamed = self._argument(code, step.pc, instruction, key)
            if blamed >= 0:
                return blamed
        at = instruction.location
        return at if at >= 0 and self.program.location(at).kind not in NO_STATEMENT else -1

    def _argument(self, code: tuple[Any, ...], index: int, call: Call, key: int) -> int:
        """The argument from which a parameter has its value."""
        called = self.program.functions.get(call.function)
        if called is None:
            return -1
        for parameter, argument in zip(called.parameters, call.arguments):
            offset = self.machine.layout.address(call.function, parameter)[1]
            if (key - cell_key(parameter.type, offset)) % (FRAME << OBJECT_BITS):
                continue  # a parameter's key is that of its offset, in some frame
            for earlier in range(index - 1, -1, -1):
                step = code[earlier]
                if isinstance(step, Assign) and step.target == getattr(argument, "place", None):
                    return step.location
        return -1

    # -- execution -------------------------------------------------------------------------------

    def _run(self) -> None:
        machine, trail, steps = self.machine, self.trail, self.steps
        step = machine.step
        while len(steps) < self._met + ASTRAY:
            frame, pc = machine.frame, machine.pc
            if frame is None:
                return
            linked = frame.linked
            if pc in linked.stops:
                self._position = Position(frame.number, linked.name, pc, machine.visit())
                outcome = self._arrive(self._position)
                if outcome == "end":
                    return
                if outcome == "moved":
                    continue
                if self._counted(self._position):
                    self._rounds.forget()
            awaited = self._head.position.activation if self._head is not None else 0
            if self._rounds.again(machine, len(steps), awaited):
                break
            begin = len(trail)
            if self._reads is not None:
                self.reads.append(self._reads.of(linked.name, pc, linked.steps[pc]))
            try:
                if isinstance(linked.steps[pc], Concrete) and self._position in self._effects:
                    self._apply(self._effects[self._position])
                step()
            finally:
                steps.append(Executed(linked.name, pc, frame.number, begin, len(trail)))
        self.reason = "it goes astray, and nothing of the trace comes any more"
        self._segment.astray = True

    def _counted(self, position: Position) -> bool:
        """Whether the next event waits for a later arrival here: it comes though no state changes."""
        return self._head is not None and self._head.position[:3] == position[:3]

    def _arrive(self, position: Position) -> str:
        while (event := self._head) is not None and event.position == position:
            self._head = next(self._events, None)
            self._met = len(self.steps)
            self._rounds.forget()
            match event:
                case Assertion():
                    self._assert(event)
                case Decision():
                    self._decide(position, event)
                    return "moved"
                case Interval(_, to, effect):
                    self._apply(effect)
                    self.reason = "a part of the execution is not modelled"
                    return "end" if not self._jump(to) else "moved"
                case End(_, crashed):
                    if not crashed:
                        return "end"
        return ""

    def _decide(self, position: Position, event: Decision) -> None:
        """Go the way of the trace; a condition that says otherwise was overruled by the user."""
        machine = self.machine
        frame = machine.frame
        assert frame is not None
        branch = frame.linked.steps[position.instruction]
        assert isinstance(branch, Branch)
        try:
            truth = bool(machine.attempt(machine.condition(frame.linked, machine.pc)))
        except Halt:
            truth = not event.taken
        if event.forced and truth != event.taken:
            self._segment.refused.append(len(self.steps))
        if self._reads is not None:
            self.reads.append(self._reads.of(position.function, position.instruction, branch))
        end = len(self.trail)
        self.steps.append(Executed(position.function, position.instruction, position.activation, end, end))
        machine.pc = frame.linked.following[branch.if_true if event.taken else branch.if_false]

    def _jump(self, to: tuple[tuple[str, int], ...]) -> bool:
        """Go on behind an interval within the present activation; other intervals end the run."""
        machine = self.machine
        frame = machine.frame
        if frame is None or not to or to[0][0] != frame.linked.name or len(to) != len(machine.stack()):
            return False
        machine.pc = to[0][1]
        return True

    # -- what the trace says -----------------------------------------------------------------------

    def _assert(self, event: Assertion) -> None:
        memory = self.machine.memory
        segment = self._segment
        for place, value in event.cells.items():
            key, raw = self._cell(place, value)
            if key is None or raw is None:
                continue
            have = memory.cells.get(key)
            segment.wanted[key] = raw
            if have != raw and not self._same(key, value, raw):
                segment.wrong[key] = have
                memory.put(key, raw)
        for node, state in event.states.items():
            size = memory.node_size(node.number)
            if size is None:
                continue
            key = node_address(node.number) + STATE_KEY
            segment.wanted[key] = raw = size if state == "live" else -1 - size
            if memory.cells[key] != raw:
                segment.wrong[key] = memory.cells[key]
                memory.put(key, raw)
        self._close(event.label or "the assertion")

    def _same(self, key: int, value: Value, raw: Any) -> bool:
        have = held(self.machine.memory, key & ((1 << KIND_SHIFT) - 1), key >> KIND_SHIFT)
        if isinstance(value, External) and isinstance(have, int) and have >= LITERAL:
            return True
        return bool(have == raw)

    def _cell(self, place: Place, value: Value) -> tuple[int | None, Any]:
        layout = self.machine.layout
        base = layout.object_address(place.object)
        if base is None or isinstance(value, Uninitialised):
            return None, None
        ctype = scalar_type(layout, self.trace.start, place)
        raw = encode(layout, value, ctype)
        if ctype is not None:
            return cell_key(ctype, base + place.offset), raw
        keys = [base + place.offset + (kind << KIND_SHIFT) for kind in guess_kinds(value, place.offset)]
        return next((k for k in keys if k in self.machine.memory.cells), keys[0]), raw

    def _apply(self, effect: Effect) -> None:
        memory = self.machine.memory
        for node in effect.nodes:
            if memory.node_size(node.number) is None:
                memory.put(COUNT_KEY, max(memory.node_count, node.number))
                memory.put(node_address(node.number) + STATE_KEY, effect.room(node) or OBJECT_LIMIT)
        for place, value in effect.cells.items():
            key, raw = self._cell(place, value)
            if key is not None:
                memory.put(key, raw)
                memory.admit((key,))
        for node in effect.freed:
            if memory.node_live(node.number):
                memory.release(node_address(node.number))

    def _close(self, label: str) -> None:
        segment = self._segment
        segment.last, segment.after = len(self.steps), label
        segment.nodes = self.machine.memory.node_count
        self.segments.append(segment)
        self._segment = Segment(len(self.steps), before=label)
