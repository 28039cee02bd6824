"""The model beside the process: from stop to stop, and what happened between (Wolverine2 section 3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from wolverine.core.graph import MemoryGraph, NodeId, NodeState, Part, Place, Value, VariableId
from wolverine.core.patch import Patch
from wolverine.core.program import Before, Branch, Call, Concrete, Gap, Program
from wolverine.core.trace import Decision, Effect, Event, Position
from wolverine.core.types import VOID_POINTER, CType
from wolverine.semantics.activation import (
    Activation,
    Counts,
    call_key,
    calls_counted,
    count_key,
    counted,
    outwards,
)
from wolverine.semantics.address import (
    ADDRESS_MASK,
    CELL_KINDS,
    COUNT_KEY,
    KIND_SHIFT,
    POINTER,
    STATE_KEY,
    cell_key,
    node_address,
)
from wolverine.semantics.concrete import passable, place_of
from wolverine.semantics.copied import Copied
from wolverine.semantics.events import Results, settled, taken_over
from wolverine.semantics.faults import Fault, Halt
from wolverine.semantics.findings import Decided, Match, NoMatch, Touching
from wolverine.semantics.interval import Search
from wolverine.semantics.loops import loop_branches
from wolverine.semantics.losing import Loss, first_loss
from wolverine.semantics.machine import NO_PATCH, PATH_MARK, Machine
from wolverine.semantics.members import Members, in_use, unwritten_unions
from wolverine.semantics.overflow import first_overflow
from wolverine.semantics.pending import pending
from wolverine.semantics.reaching import Reaching
from wolverine.semantics.state import (
    Encoded,
    Stack,
    encode,
    encode_graph,
    encode_outside,
    guess_kinds,
    held,
    scalar_type,
    seat,
)
from wolverine.semantics.versions import Delta, Version, changes, travel
from wolverine.semantics.violations import Violation, first_endless, first_violation, survived

T = TypeVar("T")
_KEPT_CELLS = 20_000  # larger encodings are not kept with each moment


@dataclass(frozen=True, slots=True)
class Followed:
    """What happened up to a stop: `events` in order of execution.

    `ok` is false when the model did not find the way: `events` is then one `Interval`, `differences`
    are the places where model and process disagreed at the first visit of the stop, `reason` is for
    people; `modelled` is false when the model met something that it does not follow, and a `violation` is
    what C forbids that it could not follow.  `guesses` is how many decisions on values that only the
    process knows were tried out: where they are many, the way that was found may be another one.
    """

    events: tuple[Event, ...]
    ok: bool = True
    differences: tuple[Place, ...] = ()
    reason: str = ""
    modelled: bool = True
    violation: Violation | None = None
    guesses: int = 0


class Follower:
    """The model's run beside one process, from the trace's start at `graph` and `stack` (innermost first).

    After every call the model is in the process' state, except for cells that are uninitialised in the
    model: those that nothing has written since the start.
    """

    def __init__(self, program: Program, graph: MemoryGraph, stack: Stack, patch: Patch = NO_PATCH) -> None:
        self.program = program
        self._machine = Machine(program, patch, lenient=True)
        self._loops = loop_branches(program)
        self._graph = graph
        self._level = True  # the model is in the process' state at `_graph`, apart from what is uninitialised
        seat(self._machine, graph, stack)
        self._functions = {each.number: each.linked.name for each in outwards(self._machine.frame)}
        self._encoded = encode_graph(self._machine.layout, graph)
        self._inhabited_as(graph)
        self._reaching = Reaching(self._machine)
        self._results = Results(self._machine, self._reaching)
        self._version = self._new_version(None, {})

    @property
    def patch(self) -> Patch:
        """The patch that the model runs under."""
        return self._machine.patch

    # -- following the process -------------------------------------------------------------------

    def advance(
        self,
        target: Stack,
        graph: MemoryGraph,
        *,
        limit: int = 2_000_000,
        forced: Sequence[bool] = (),
        crashed: bool = False,
        recorded: Sequence[Effect] = (),
    ) -> Followed:
        """Run the model to the first visit of `target` at which its state is `graph`.

        `forced` are the directions of the first branches on the way; they become forced decisions.
        `recorded` is what statements that are left to the process did on this way before.
        Where the process has `crashed` it may not have moved at all.
        """
        machine = self._machine
        self.snapshot()
        begin = machine.mark()
        self._results.depart()
        self._inhabited_as(graph)
        self._stop_at(target[0])
        here = self.position()
        since = (self._graph, self._encoded) if self._level else None
        overstepped = machine.oversteps()
        search = Search(machine, target, graph, limit, forced, crashed, since, recorded=recorded)
        machine.memory.reality, machine.memory.real_until = self._encoded.cells, begin.trail
        try:
            found: Match | NoMatch = search.find()
        finally:
            machine.memory.reality = {}
        if isinstance(found, Match):
            noted = self._count(here, found.path, found.notes)
            events = settled(machine, noted, found, graph, search.encoded, self._results)
            self._see(graph, search.encoded)
            return Followed(events, guesses=search.guesses)
        machine.undo(begin)
        if search.guesses:
            machine.forget_oversteps(overstepped)
        event = taken_over(machine, here, target, graph, search.encoded, self._encoded)
        machine.memory.put(count_key(here.activation, here.instruction), here.occurrence)
        self._see(graph, search.encoded)
        violation = survived(search.fault, search.faulted, search.unset)
        event = replace(event, reason=found.reason)
        return Followed((event,), False, found.differences, found.reason, found.modelled, violation)

    def _inhabited_as(self, graph: MemoryGraph) -> None:
        """Where the process has its nodes, as of a stop that is still to come."""

        def inhabited(address: int) -> bool:
            return any(node.address <= address < node.address + node.size for node in graph.nodes.values())

        self._machine.memory.inhabited = inhabited

    def violation(self, target: Stack, graph: MemoryGraph, limit: int) -> Violation | None:
        """The first violation on the way from here to `target` (`NOWHERE`: to the program's end)."""
        self.snapshot()
        begin = self._machine.mark()
        self._inhabited_as(graph)
        self._stop_at(target[0])
        try:
            return first_violation(self._machine, target, graph, limit)
        finally:
            self._machine.undo(begin)

    def endless(self, limit: int) -> Violation | None:
        """The loop without an end to which the model comes from here, as far as it alone knows the way."""
        return self._ahead(lambda: first_endless(self._machine, limit))

    def overflow(self, limit: int) -> tuple[Violation, Violation] | None:
        """The recursion without an end to which the model comes from here (see `first_overflow`)."""
        return self._ahead(lambda: first_overflow(self._machine, limit))

    def loss(
        self,
        limit: int,
        known: Collection[int],
        writers: dict[int, str] | None = None,
        *,
        scoped: bool = False,
    ) -> Loss | None:
        """The first nodes that are lost from here on, beside those that are known (see `first_loss`)."""
        return self._ahead(lambda: first_loss(self._machine, limit, known, writers, scoped=scoped))

    def _ahead(self, look: Callable[[], T | None]) -> T | None:
        """What the model comes to from here without any stop; it stands here again afterwards."""
        self.snapshot()
        begin = self._machine.mark()
        self._machine.set_stops({})
        try:
            return look()
        except Halt:
            return None
        finally:
            self._machine.undo(begin)

    def run_out(self, limit: int) -> Violation | None:
        """The process has ended: run on, as far as the model alone knows what happens, for `uses`.

        What C forbids that the model cannot follow ends it.
        """
        machine = self._machine
        self.snapshot()
        machine.set_stops({})
        self._level = False
        last = machine.steps + limit
        outcome = machine.arrived()
        try:
            while (
                machine.frame is not None and machine.steps < last and outcome in (None, "limit", "concrete")
            ):
                step = machine.frame.linked.steps[machine.pc]
                if isinstance(step, Concrete) and not passable(machine, step):
                    return None
                outcome = machine.run(last - machine.steps)
        except Fault as fault:
            frame = machine.frame
            if frame is None:
                return None
            where = frame.linked.name, machine.pc
            unset = place_of(machine, fault.cell) if fault.cell else None
            if unset is None and fault.kind == "wild":
                unset = machine.unset_at(where)
            return survived(fault, where, unset)
        except Halt:
            pass
        return None

    def force(self, instruction: int, taken: bool, evaluated: bool = True) -> Decision:
        """Go along the branch `instruction` of the present function; the decision counts as forced.

        Simple steps before the branch (a for loop's pending part) are executed first, unless what stands
        between is not `evaluated`.  Raises ValueError when the branch does not come next.
        """
        machine = self._machine
        self._stop_at((self.position().function, instruction))
        self._level = False
        here = machine.frame
        assert here is not None
        path: list[int] = []
        begin, pending = machine.mark(), 1000
        if not evaluated:
            if machine.pc != instruction and isinstance(here.linked.steps[machine.pc], Branch):
                path.append(machine.pc)  # an earlier part of the condition, which was
            machine.pc = instruction
        while machine.frame is not here or machine.pc != instruction:
            try:
                outcome = machine.step(path)
            except Halt:
                outcome = "undetermined"
            pending -= 1
            if outcome in ("exited", "undetermined") or not pending:
                machine.undo(begin)
                raise ValueError(f"the model does not come to branch {instruction}")
        self._count(Position(here.number, here.linked.name, machine.pc, 1), path, [])
        step = here.linked.steps[instruction]
        if not isinstance(step, Branch):
            raise ValueError(f"instruction {instruction} of {here.linked.name} is no branch")
        decision = Decision(self.position(), taken, forced=True)
        machine.visit()
        machine.pc = here.linked.following[step.if_true if taken else step.if_false]
        return decision

    def write(self, place: Place, value: Value, ctype: CType | None = None) -> None:
        """The process' memory was changed, at a place with a scalar of that type: the model follows."""
        machine = self._machine
        base = machine.layout.object_address(place.object)
        if base is None:
            return
        ctype = ctype or scalar_type(machine.layout, self._graph, place)
        address = base + place.offset
        if ctype is not None:
            key = cell_key(ctype, address)
        else:
            cells = machine.memory.cells
            keys = [
                address + (kind << KIND_SHIFT) for kind in (*CELL_KINDS, guess_kinds(value, place.offset)[0])
            ]
            key = next((k for k in keys if k in cells), keys[-1])
            ctype = VOID_POINTER if key >> KIND_SHIFT == POINTER else None
        if (union := self._graph.union_at(place)) is not None:
            if key not in machine.memory.cells:
                machine.memory.make_room(key)
                machine.memory.admit((key,))
            start = base + union.offset
            Members(self._graph.types).enter(machine.memory, start, self._graph.unions[union].type, key)
        machine.memory.put(key, encode(machine.layout, value, ctype))

    def in_use(self, graph: MemoryGraph) -> dict[Place, tuple[Part, ...]]:
        """Of the unions of `graph`, the state here, the members that the model has written last."""
        return in_use(self._machine, graph)

    def make(self, node: NodeId, size: int) -> None:
        """A node was made in the process, or taken back (`size` is negative then)."""
        memory = self._machine.memory
        memory.put(node_address(node.number) + STATE_KEY, size if size > 0 else None)
        memory.put(COUNT_KEY, node.number if size > 0 else node.number - 1)

    def write_state(self, node: NodeId, state: NodeState) -> None:
        """A node was made live or freed in the process."""
        size = self._machine.memory.node_size(node.number)
        if size is not None:
            key = node_address(node.number) + STATE_KEY
            self._machine.memory.put(key, size if state == "live" else -1 - size)

    def position(self) -> Position:
        """Where the trace stands."""
        machine = self._machine
        frame = machine.frame
        if frame is None:
            raise ValueError("the model's execution has ended")
        seen = machine.memory.cells.get(count_key(frame.number, machine.pc), 0)
        code, step = frame.linked.steps, frame.linked.steps[machine.pc]
        if isinstance(step, Before):
            # in earlier rounds it was passed over
            seen = max(seen, machine.memory.cells.get(count_key(frame.number, step.on), 0))
        if isinstance(step, Gap) and isinstance(code[machine.pc - 1], Call):
            # behind a call that has just returned: in earlier rounds the slot there was passed over
            seen = max(seen, machine.memory.cells.get(count_key(frame.number, machine.pc - 1), 0) - 1)
        return Position(frame.number, frame.linked.name, machine.pc, seen + 1)

    def counts(self) -> Counts:
        """What was counted since the trace's start."""
        machine = self._machine
        cells = machine.memory.cells
        return Counts(self.numbers(), counted(cells), calls_counted(cells))

    def recount(self, counts: Counts) -> None:
        """Positions go by these counts from now on: the model stands where something else has led on its way.

        Nothing is done where that is at another depth of calls.
        """
        machine = self._machine
        frames = list(outwards(machine.frame))
        if len(frames) != len(counts.numbers):
            return
        memory, inner = machine.memory, None
        for old, number in zip(reversed(frames), reversed(counts.numbers), strict=True):
            inner = Activation(old.linked, old.depth, number, old.back, inner, old.into, old.call, old.calls)
            self._functions[number] = old.linked.name
        machine.frame = inner
        for key in dict.fromkeys((*counted(memory.cells), *counts.executed)):
            memory.put(count_key(*key), counts.executed.get(key, 0))
        for key in dict.fromkeys((*calls_counted(memory.cells), *counts.called)):
            memory.put(call_key(*key), counts.called.get(key, 0))

    def stack(self) -> tuple[tuple[str, int], ...]:
        """(function, next instruction) of the modelled activations, innermost first."""
        return self._machine.stack()

    def numbers(self, version: Version | None = None) -> tuple[int, ...]:
        """The numbers of the modelled activations, innermost first; at another moment of this follower."""
        frame = self._machine.frame if version is None else version.frame
        return tuple(each.number for each in outwards(frame))

    def uninitialised(self) -> frozenset[Place]:
        """The places of the latest graph's variables that hold nothing in the model."""
        graph, encoded, cells = self._graph, self._encoded, self._machine.memory.cells
        missing = {encoded.places[key]: key for key in encoded.cells if key not in cells}
        found = frozenset(
            place
            for place, key in missing.items()
            if isinstance(place.object, VariableId) and not self._typed_otherwise(key)
        )
        return (found - graph.in_unions) | unwritten_unions(self._machine, graph)

    def pending(self) -> dict[Place, Value]:
        """What the statements under way have evaluated and still need (see `MemoryGraph.pending`)."""
        return pending(self._machine, self._reaching)

    def _typed_otherwise(self, key: int) -> bool:
        memory, address = self._machine.memory, key & ADDRESS_MASK
        if held(memory, address, key >> KIND_SHIFT) is not None:
            return True
        return any(address + (kind << KIND_SHIFT) in memory.cells for kind in CELL_KINDS)

    # -- moments ---------------------------------------------------------------------------------

    def snapshot(self) -> Version:
        """This moment, for `restore`; costs what changed since the moment before."""
        delta = changes(self._machine.memory)
        version = self._version
        machine = self._machine
        same = (version.frame, version.pc, version.graph) == (machine.frame, machine.pc, self._graph)
        if delta or not same:
            self._version = self._new_version(version, delta)
        return self._version

    def restore(self, version: Version) -> None:
        """Back (or forth) to a moment of this follower."""
        self.snapshot()
        travel(self._machine.memory, self._version, version)
        machine = self._machine
        machine.frame, machine.pc, machine.calls = version.frame, version.pc, version.calls
        machine.outer = version.outer
        machine.refresh()
        if version.graph.outside != self._graph.outside:
            machine.memory.outside.update(encode_outside(machine.layout, version.graph.outside))
        self._graph, self._level = version.graph, False
        self._encoded = version.encoded or encode_graph(machine.layout, version.graph)
        self._version = version

    def _new_version(self, parent: Version | None, delta: Delta) -> Version:
        machine = self._machine
        depth = 0 if parent is None else parent.depth + 1
        kept = self._encoded if len(self._encoded.cells) < _KEPT_CELLS else None
        moment = (machine.frame, machine.pc, machine.calls, machine.outer, self._graph, kept)
        return Version(parent, depth, delta, *moment)

    # -- after a search --------------------------------------------------------------------------

    def _stop_at(self, place: tuple[str, int]) -> None:
        function, instruction = place
        stops = dict(self._loops)
        stops[function] = stops.get(function, frozenset()) | {instruction}
        self._machine.set_stops(stops)

    def _see(self, graph: MemoryGraph, encoded: Encoded) -> None:
        if graph.outside != self._graph.outside:
            self._machine.memory.show(encode_outside(self._machine.layout, graph.outside))
        self._graph = graph
        self._encoded = encoded
        self._level = True
        self._machine.outer = {frame.depth: frame.function for frame in graph.frames}

    def _count(
        self, here: Position, path: Sequence[int], notes: Sequence[Decided | Touching]
    ) -> list[tuple[Decided | Touching, Position]]:
        """Add the path's instructions to the counts; returns the notes with their positions."""
        memory = self._machine.memory
        counts: Counter[tuple[int, int]] = Counter()
        found: list[tuple[Decided | Touching, Position]] = []
        number, at, last = here.activation, 0, 0
        self._functions.setdefault(number, here.function)
        for note in (*notes, None):
            end = len(path) if note is None else note.at
            for entry in path[at:end]:
                if entry < 0:
                    self._note_entry(number, last, entry + PATH_MARK)
                    number = entry + PATH_MARK
                else:
                    counts[number, entry] += 1
                    last = entry
            at = end
            if note is not None:
                before = memory.cells.get(count_key(note.number, note.pc), 0)
                occurrence = before + counts[note.number, note.pc] + 1
                found.append((note, Position(note.number, note.function, note.pc, occurrence)))
        for (activation, pc), times in counts.items():
            key = count_key(activation, pc)
            memory.put(key, memory.cells.get(key, 0) + times)
        return found

    def _note_entry(self, caller: int, call: int, number: int) -> None:
        function = self._functions.get(caller)
        if function is not None:
            step = self._machine.linked(function).steps[call]  # a patch may call another function
            if isinstance(step, Call) and step.function in self.program.functions:
                self._functions.pop(number, None)  # the latest is last
                self._functions[number] = step.function

    def uses(self) -> dict[NodeId, tuple[str, int]]:
        """The nodes that were used after they were freed: where first, as (function, instruction)."""
        return {NodeId(number): where for number, where in self._machine.uses().items()}

    def violations(self) -> int:
        """How much was done so far that C forbids and the process survived; going back takes nothing back."""
        return self._machine.violations()

    def unset(self) -> dict[Place, tuple[str, int]]:
        """What was used before anything had set it: where first, as (function, instruction)."""
        return self._machine.unset()

    def copied(self) -> Mapping[Place, Copied]:
        """Of variables that were used so, the fields of nodes that they were set to, as far as known."""
        return self._machine.copied()

    def overstepped(self) -> dict[tuple[str, int], Fault]:
        """The library calls that went beyond a node, as (function, instruction): how, the first time."""
        return self._machine.overstepped()

    def entered(self, function: str) -> tuple[int, ...]:
        """The numbers of the activations of a function that were entered so far, in order."""
        begun = {number for number, _ in counted(self._machine.memory.cells)}.union(self.numbers())
        return tuple(n for n, name in self._functions.items() if name == function and n in begun)
