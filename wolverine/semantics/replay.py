"""Running a candidate: the patched program against the events of a trace (CONTRACT, "What the words mean").

Assertions, forced decisions, intervals and the end belong to exact positions and are met in the order of
the trace.  Observed loop decisions bind in order too unless the candidate's own control flow is followed.
What a concrete step wrote is looked up by its position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from wolverine.core.graph import Frame, MemoryGraph, NodeId, Pointer, Value
from wolverine.core.patch import Patch
from wolverine.core.program import Branch, Concrete, Gap, Instruction, Jump, Program
from wolverine.core.trace import Assertion, Decision, Effect, End, Event, Interval, Position, Trace
from wolverine.semantics.activation import (
    NO_COUNTS,
    Activation,
    Counts,
    calls_counted,
    outwards,
    within,
)
from wolverine.semantics.address import (
    COUNT_KEY,
    KIND_SHIFT,
    OBJECT_LIMIT,
    STATE_KEY,
    cell_key,
    node_address,
)
from wolverine.semantics.assertions import Asserted
from wolverine.semantics.avoiding import avoids, does_more, ending_in, past, reads_on
from wolverine.semantics.concrete import harmless
from wolverine.semantics.endless import Rounds
from wolverine.semantics.faults import Fault, Halt
from wolverine.semantics.loops import bound_loops
from wolverine.semantics.machine import PATH_MARK, Machine
from wolverine.semantics.reaching import any_lost
from wolverine.semantics.state import (
    encode,
    graph_of,
    guess_kinds,
    leap,
    scalar_type,
    seat,
)


@dataclass(frozen=True, slots=True)
class Replayed:
    """How a candidate fared.

    `met`: every event was met.  Otherwise `event` is the first that was not (None: execution broke off),
    and `reason` says why in words.  `crash` is the fault that ended it.  `final` is the state at the end,
    or where it broke off, `stack` the position then.  `executed` counts executions by location.
    `end` is the instruction where it ended (behind a jump without code, where that leads), `end_hits` the
    number of arrivals there in all activations, the last one included; `steps` the machine's work.
    `counts` are what positions behind the end go by.
    """

    met: bool
    final: MemoryGraph
    reason: str = ""
    event: Event | None = None
    crash: Fault | None = None
    stack: tuple[tuple[str, int], ...] = ()
    executed: Mapping[int, int] = field(default_factory=dict)
    end_hits: int = 0
    end: tuple[str, int] | None = None
    steps: int = 0
    counts: Counts = NO_COUNTS


def replay(
    program: Program,
    patch: Patch,
    trace: Trace,
    own_control: bool = False,
    strict: bool = False,
    limit: int = 2_000_000,
) -> Replayed:
    """Run `program` under `patch` from the start of `trace` against its events, at most `limit` steps."""
    return Replayer(program, trace, own_control=own_control, strict=strict, limit=limit).run(patch)


class _Unmet(Exception):  # noqa: N818
    def __init__(self, event: Event | None, reason: str) -> None:
        super().__init__(reason)
        self.event = event
        self.reason = reason


class Replayer:
    """Replays many patches on one trace; what depends on the trace only is prepared once."""

    def __init__(
        self,
        program: Program,
        trace: Trace,
        *,
        own_control: bool = False,
        strict: bool = False,
        limit: int = 2_000_000,
    ) -> None:
        self._program = program
        self._trace = trace
        self._own_control = own_control
        self._limit = limit
        binding = (e for e in trace.events if not isinstance(e, Effect))
        self._events = [e for e in binding if not (own_control and isinstance(e, Decision) and not e.forced)]
        self._effects = {e.position: e for e in trace.events if isinstance(e, Effect)}
        self._loops = bound_loops(program, trace)
        self._stops = _stops(program, trace, self._loops if not own_control else {})
        self._machine = Machine(
            program, stops=self._stops, strict=strict or trace.strict, bounded=not trace.oversteps
        )
        seat(self._machine, trace.start, trace.start_stack)
        self._begin = self._machine.mark()
        self._asserted = {
            id(e): Asserted(self._machine.layout, trace.start, e)
            for e in trace.events
            if isinstance(e, Assertion)
        }
        self._end = next((e for e in trace.events if isinstance(e, End)), None)

    def run(self, patch: Patch) -> Replayed:
        """Run one candidate."""
        machine = self._machine
        machine.undo(self._begin)
        machine.set_patch(patch)
        self._path: list[int] = []
        self._ended = self._end.position[1:3] if self._end is not None else None
        self._asking: tuple[str, int] | None = None  # where the statement begins that reads on
        self._names: dict[int, str] = {}
        self._next = 0
        self._names_of_nodes: dict[NodeId, NodeId] = {}
        start, crash, failed = machine.steps, None, None
        self._last = start + self._limit
        self._note_activations(machine.frame)
        here = machine.frame
        first = here.number if here is not None else 0
        try:
            self._go()
        except _Unmet as unmet:
            failed = unmet
        except Fault as fault:
            if not self._is_past(fault):
                crash, failed = fault, _Unmet(self._head(), f"it crashes: {fault.message}")
        except Halt as halt:
            failed = _Unmet(self._head(), str(halt))
        visits = self._visits(first, self._path)
        executed, end_hits = self._executions(visits)
        return Replayed(
            met=failed is None,
            final=graph_of(machine, self._trace.start),
            reason=failed.reason if failed is not None else "",
            event=failed.event if failed is not None else None,
            crash=crash,
            stack=machine.stack(),
            executed=executed,
            end_hits=end_hits + (failed is None and self._end is not None),
            end=self._landing(self._asking or self._ended, (Jump,)),
            steps=machine.steps - start,
            counts=self._counts(first, visits),
        )

    # -- execution -------------------------------------------------------------------------------

    def _go(self) -> None:
        machine = self._machine
        while True:
            frame = machine.frame
            if frame is None:
                raise _Unmet(self._head(), "the program ends before")
            outcome = self._arrive(frame)
            if outcome == "met":
                return
            if outcome == "moved":
                continue
            if machine.steps >= self._last:
                raise _Unmet(self._head(), "it does not come to an end in the allowed number of steps")
            before = machine.frame
            machine.run(self._last - machine.steps, self._path)
            if machine.frame is not before:
                self._note_activations(machine.frame)

    def _arrive(self, frame: Activation) -> str:
        """Meet the events of this position: "met" at the end, "moved" when the machine went on already."""
        machine = self._machine
        pc, name = machine.pc, frame.linked.name
        if self._goes_on():
            self._end_before(name, pc)
            return "met"
        if pc not in frame.linked.stops:
            if isinstance(frame.linked.steps[pc], Concrete):
                self._concrete(frame, Position(frame.number, name, pc, machine.visit()))
            return ""
        position = Position(frame.number, name, pc, machine.visit())
        head = self._head()
        if (
            isinstance(head, End)
            and head.crashed
            and avoids(self._program, head.position, head.within, frame.number, name, pc)
        ):
            self._next += 1
            self._ended = (name, pc)
            return "met"
        while (event := self._head()) is not None and event.position == position:
            match event:
                case Assertion():
                    reason = self._asserted[id(event)].fails(machine)
                    if reason:
                        raise _Unmet(event, reason)
                    self._next += 1
                case Decision(_, taken):
                    self._decide(frame, event, taken)
                    return "moved"
                case Interval():
                    self._next += 1
                    self._jump(event)
                    return "moved"
                case End(_, _, endless, lost, _):
                    if endless:
                        raise _Unmet(event, "it goes round for ever")
                    if lost and any_lost(machine, {node.number for node in lost}):
                        raise _Unmet(event, "a node is lost")
                    if event.through:
                        mark, rounds, begun = machine.mark(), Rounds(), machine.steps
                        while (
                            within(machine.frame, machine.pc, frame.number, pc)
                            and machine.steps < self._last
                            and not rounds.again(machine, machine.steps - begun)
                        ):
                            machine.step()
                        machine.undo(mark)
                    self._next += 1
                    return "met"
                case Effect():
                    raise AssertionError("effects are looked up by position")
        step = frame.linked.steps[pc]
        if isinstance(step, Branch) and not self._own_control and pc in self._loops.get(name, ()):
            if isinstance(event, Decision) and event.position[1:3] == (name, pc):
                self._decide(frame, event, event.taken)
                return "moved"
            raise _Unmet(event, "a loop condition is evaluated where it was not in this execution")
        if isinstance(step, Concrete):
            self._concrete(frame, position)
        return ""

    def _goes_on(self) -> bool:
        """Whether only the crash is left, and the function asks for more input instead, or is past it."""
        head = self._head()
        if not isinstance(head, End) or not head.crashed:
            return False
        done, crash = self._effects.keys(), head.position
        return reads_on(self._machine, done, crash) or does_more(self._machine, done, crash)

    def _is_past(self, fault: Fault) -> bool:
        """Whether only the crash is left, and the function is past it: it ends before the fault then."""
        head, machine = self._head(), self._machine
        if not isinstance(head, End) or not head.crashed or head.endless or self._trace.strict:
            return False
        if not past(machine, head.position, fault):
            return False
        self._end_before(head.position.function, machine.pc)
        return True

    def _end_before(self, name: str, pc: int) -> None:
        """End where the statement begins in which the machine stands."""
        self._next += 1
        self._ended = (name, pc)
        function = self._program.functions[name]
        self._machine.pc = function.units[function.unit_of[pc]].first
        self._asking = name, self._machine.pc

    def _decide(self, frame: Activation, event: Decision, taken: bool) -> None:
        """Execute the branch, which has to go as the decision says."""
        machine = self._machine
        step = frame.linked.steps[machine.pc]
        if not isinstance(step, Branch):
            raise _Unmet(event, "there is no branch any more")
        if bool(machine.attempt(machine.condition(frame.linked, machine.pc))) != taken:
            way = "into the body" if taken else "past the body"
            raise _Unmet(event, f"the condition does not lead {way}")
        self._path.append(machine.pc)
        machine.steps += 1
        machine.pc = frame.linked.following[step.if_true if taken else step.if_false]
        self._next += 1

    def _head(self) -> Event | None:
        return self._events[self._next] if self._next < len(self._events) else None

    # -- what the process did --------------------------------------------------------------------

    def _concrete(self, frame: Activation, position: Position) -> None:
        machine = self._machine
        step = frame.linked.steps[position.instruction]
        assert isinstance(step, Concrete)
        effect = self._effects.get(position)
        if effect is not None:
            self._apply(effect)
            return
        location = self._program.location(step.location) if step.location >= 0 else None
        if not harmless(step, location.text if location is not None else ""):
            raise _Unmet(None, f"it executes a concrete step ({step.reason}) where the process did not")
        for result in step.results:
            _, address = machine.layout.address(frame.linked.name, result)
            machine.memory.put(cell_key(result.type, frame.base + address), None)

    def _apply(self, effect: Effect) -> None:
        """Write what the process wrote, under the names that the new nodes have here."""
        machine = self._machine
        memory, layout = machine.memory, machine.layout
        for node in effect.nodes:
            number = memory.node_count + 1
            self._names_of_nodes[node] = NodeId(number)
            memory.put(COUNT_KEY, number)
            memory.put(node_address(number) + STATE_KEY, effect.room(node) or OBJECT_LIMIT)
        for place, value in effect.cells.items():
            identity, offset = place
            if isinstance(identity, NodeId):
                identity = self._names_of_nodes.get(identity, identity)
            base = layout.object_address(identity)
            if base is None:
                continue
            ctype = effect.types.get(place) or scalar_type(layout, self._trace.start, place)
            key = base + offset + (guess_kinds(value, offset)[0] << KIND_SHIFT)
            if ctype is not None:
                key = cell_key(ctype, base + offset)
            elif isinstance(value, int):
                keys = [base + offset + (kind << KIND_SHIFT) for kind in guess_kinds(value, offset)]
                key = next((k for k in keys if k in memory.cells), keys[0])
            memory.put(key, encode(layout, self._renamed(value), ctype))
            memory.admit((key,))
        for node in effect.freed:
            memory.release(node_address(self._names_of_nodes.get(node, node).number))

    def _renamed(self, value: Value) -> Value:
        if isinstance(value, Pointer) and isinstance(value.object, NodeId):
            return Pointer(self._names_of_nodes.get(value.object, value.object), value.offset)
        return value

    def _jump(self, event: Interval) -> None:
        machine = self._machine
        bottom = machine.frame
        while bottom is not None and bottom.caller is not None:
            bottom = bottom.caller
        depth = bottom.depth if bottom is not None else 0
        frames = [Frame(depth + len(event.to) - 1 - i, f, ()) for i, (f, _) in enumerate(event.to)]
        leap(machine, event.to, frames)
        self._apply(event.effect)
        if machine.frame is not None:
            self._path.append(machine.frame.number - PATH_MARK)
        self._note_activations(machine.frame)

    # -- counting --------------------------------------------------------------------------------

    def _note_activations(self, frame: Activation | None) -> None:
        while frame is not None and self._names.get(frame.number) != frame.linked.name:
            self._names[frame.number] = frame.linked.name
            frame = frame.caller

    def _visits(self, number: int, path: Sequence[int]) -> Counter[tuple[int, int]]:
        """How often each (activation, instruction) is on a path that begins in the activation `number`."""
        found: Counter[tuple[int, int]] = Counter()
        for entry in path:
            if entry < 0:
                number = entry + PATH_MARK
            else:
                found[number, entry] += 1
        return found

    def _counts(self, number: int, visits: Mapping[tuple[int, int], int]) -> Counts:
        """Executions by activation up to where the process goes: a statement that reads on is not begun."""
        machine, path = self._machine, self._path
        if self._asking is not None and machine.pc in path:
            visits = self._visits(number, path[: len(path) - 1 - path[::-1].index(machine.pc)])
        numbers = tuple(each.number for each in outwards(machine.frame))
        return Counts(numbers, visits, calls_counted(machine.memory.cells))

    def _landing(
        self, place: tuple[str, int] | None, passed: tuple[type[Instruction], ...]
    ) -> tuple[str, int] | None:
        """Where execution goes on from what has no code of its own: a jump past an `else` or round a loop."""
        if place is None:
            return None
        name, index = place
        function, seen = self._program.functions[name], set[int]()
        while isinstance(step := function.code[index], passed) and function.unit_of[index] < 0:
            if index in seen:
                break
            seen.add(index)
            index = step.target if isinstance(step, Jump) else index + 1
        return name, index

    def _executions(self, visits: Mapping[tuple[int, int], int]) -> tuple[dict[int, int], int]:
        """Executions by location, and of the end's instruction."""
        counts: Counter[tuple[str, int]] = Counter()
        names = self._machine.names | self._names
        for (number, index), times in visits.items():
            counts[names[number], index] += times
        executed: dict[int, int] = {}
        for (function, index), times in counts.items():
            location = self._program.functions[function].code[index].location
            if location >= 0:
                executed[location] = executed.get(location, 0) + times
        ended = self._ended
        if ended is not None and isinstance(self._program.functions[ended[0]].code[ended[1]], Jump):
            ended = self._landing(ended, (Jump, Gap))
        return executed, counts[ended] if ended is not None else 0


def _stops(program: Program, trace: Trace, loops: Mapping[str, frozenset[int]]) -> dict[str, frozenset[int]]:
    stops: dict[str, set[int]] = {name: set(found) for name, found in loops.items()}
    for event in trace.events:
        if event.position.function in program.functions:
            here = stops.setdefault(event.position.function, set())
            here.add(event.position.instruction)
            if isinstance(event, End) and event.crashed:
                for name in ending_in(trace, event):
                    stops.setdefault(name, set()).add(program.functions[name].end)
    return {name: frozenset(found) for name, found in stops.items()}
