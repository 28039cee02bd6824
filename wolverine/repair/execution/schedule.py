"""A trace's events in the model's terms: what has to hold, and what binds, at each position.

Assertions, forced decisions, intervals and the end belong to exact positions and are met in the order of
the trace.  On the straight line the observed decisions of loops bind too, in their order; under a
candidate's own control flow they are dropped.  What a concrete step wrote is looked up by its position.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import WeakKeyDictionary

from wolverine.core.graph import External, MemoryGraph, NodeId, Opaque, Place, Pointer, Uninitialised, Value
from wolverine.core.trace import Assertion, Decision, Effect, End, Interval, Position, Trace
from wolverine.core.types import CType
from wolverine.repair.execution.renaming import Renaming
from wolverine.semantics.activation import within
from wolverine.semantics.address import (
    ADDRESS_MASK,
    COUNT_KEY,
    KIND_SHIFT,
    OBJECT_LIMIT,
    STATE_KEY,
    kind_of,
    node_address,
)
from wolverine.semantics.avoiding import avoids, does_more, ending_in, past, reads_on
from wolverine.semantics.faults import Fault
from wolverine.semantics.loops import bound_loops
from wolverine.semantics.machine import Machine
from wolverine.semantics.reaching import any_lost
from wolverine.semantics.state import encode, guess_kinds, held, scalar_type

Key = tuple[str, int]  # function, instruction
NOTHING: frozenset[tuple[str, Place]] = frozenset()
_CHECKS: WeakKeyDictionary[Machine, dict[int, tuple[Assertion, Check]]] = WeakKeyDictionary()


@dataclass(frozen=True)
class Expected:
    """A cell that an assertion names: the keys that it may have (by type), and what it should hold."""

    place: Place
    keys: tuple[int, ...]
    raw: Any
    label: str


@dataclass
class Check:
    """The assertion of one position: cells, and nodes that are to be live or freed."""

    label: str
    cells: list[Expected]
    nodes: list[tuple[NodeId, bool]]
    weak: frozenset[Place] = frozenset()
    renamed: Renaming | None = None

    def holds(self, machine: Machine) -> bool:
        """Whether the machine's state meets it, up to the names of nodes that the trace allocates."""
        if self._plainly(machine):
            return True
        return self.renamed is not None and self.renamed.met(machine)

    def _plainly(self, machine: Machine) -> bool:
        """Looks first at what failed last time."""
        get = machine.memory.cells.get
        for index, cell in enumerate(self.cells):
            if get(cell.keys[0]) != cell.raw and not _elsewhere(machine, cell):
                if index:
                    self.cells.insert(0, self.cells.pop(index))
                return False
        return all(_live(machine, node) is live for node, live in self.nodes)

    def contradicted(self, machine: Machine) -> bool:
        """Whether it is not met, and would not be if cells that hold nothing held something."""
        cells = machine.memory.cells
        if any(_live(machine, node) is not live for node, live in self.nodes):
            return self.renamed is None or self._told(machine)
        if self.renamed is not None:
            return self._told(machine)
        return any(
            get_key in cells and not _elsewhere(machine, cell) for cell in self.cells for get_key in cell.keys
        )

    def _told(self, machine: Machine) -> bool:
        """Whether every cell holds something."""
        return all(any(k in machine.memory.cells for k in cell.keys) for cell in self.cells)

    def failing(self, machine: Machine) -> Iterator[Place]:
        """The places that do not hold what they should (byte 0 of a node for its state)."""
        get = machine.memory.cells.get
        for cell in self.cells:
            if get(cell.keys[0]) != cell.raw and not _elsewhere(machine, cell):
                yield cell.place
        for node, live in self.nodes:
            if _live(machine, node) is not live:
                yield Place(node, 0)


@dataclass
class Group:
    """Everything required at one position, in order."""

    position: Position
    checks: list[Check] = field(default_factory=list)
    decision: bool | None = None
    interval: Write | None = None
    free: bool = False  # a branch that may go either way
    end: bool = False
    crashed: bool = False
    endless: bool = False  # it is not to be come to
    lost: frozenset[int] = frozenset()  # nodes that are not to be lost here
    within: frozenset[tuple[int, str]] = frozenset()  # activations around the one that crashed

    @property
    def through(self) -> bool:
        """Whether the statement there has to be carried out (`End.through`)."""
        return self.crashed and not self.lost

    @property
    def place(self) -> Key:
        """The instruction."""
        return self.position.function, self.position.instruction

    def loses(self, machine: Machine) -> bool:
        """Whether one of the nodes is lost that are not to be."""
        return bool(self.lost) and any_lost(machine, self.lost)


@dataclass(frozen=True)
class Write:
    """The effect of a concrete step or of an interval, ready to be applied."""

    cells: tuple[tuple[int, Any], ...]
    allocated: tuple[tuple[int, int], ...]
    freed: tuple[int, ...]
    to: tuple[tuple[str, int], ...] | None = None


@dataclass
class Schedule:
    """One trace, prepared for a machine of its program."""

    trace: Trace
    groups: list[Group]
    at: Mapping[tuple[int, str, int, int], int]
    writes: Mapping[tuple[int, str, int, int], Write]
    watched: Mapping[str, frozenset[int]]
    loops: Mapping[str, frozenset[int]]  # branches that are to go as the next decision says

    def _avoided(self, machine: Machine) -> bool:
        """Whether the function in which it crashed, or the first one, has come to its end without.

        Or to where it reads what the process did not, or does something else that is not modelled.
        """
        last, frame = self.groups[-1], machine.frame
        if not last.crashed or last.checks or last.decision is not None or last.interval is not None:
            return False
        if frame is None:
            return False
        name = frame.linked.name
        if avoids(machine.program, last.position, last.within, frame.number, name, machine.pc):
            return True
        done, crash = self.writes.keys(), last.position
        return reads_on(machine, done, crash) or does_more(machine, done, crash)

    def past(self, machine: Machine, following: int, fault: Fault) -> bool:
        """Whether the crash is passed, and behind it the machine stands before a fault of another kind."""
        last = self.groups[-1] if self.groups else None
        if last is None or self.trace.strict or not last.through or following + 1 != len(self.groups):
            return False
        plain = not (last.checks or last.endless) and last.decision is None and last.interval is None
        return plain and past(machine, last.position, fault)

    def awaited(self, following: int) -> int:
        """The number of the activation in which the group has to be met next; 0 where nothing is to be."""
        if following == len(self.groups) or self.groups[following].endless:
            return 0
        return self.groups[following].position.activation

    def over(self, machine: Machine, following: int) -> bool:
        """Whether nothing is left: every group is met, and the statement that crashed is behind."""
        last = self.groups[-1] if self.groups else None
        if following < len(self.groups):
            return following + 1 == len(self.groups) and self._avoided(machine)
        if last is None or not last.through:
            return True
        return not within(machine.frame, machine.pc, last.position.activation, last.position.instruction)


def prepare(
    machine: Machine,
    trace: Trace,
    disregarded: frozenset[tuple[str, Place]] = NOTHING,
    *,
    own_control: bool = False,
    without: frozenset[int] = frozenset(),
) -> Schedule:
    """The schedule of a trace.

    `disregarded` are asserted places that were given up, as (label, place); the events whose numbers
    are in `without` are left out (assertions and forced decisions).
    """
    groups: list[Group] = []
    writes: dict[tuple[int, str, int, int], Write] = {}
    for number, event in enumerate(trace.events):
        if number in without:
            if isinstance(event, Decision):
                _group(groups, event.position).free = True
            continue
        match event:
            case Assertion(position):
                _group(groups, position).checks.append(_checked(machine, trace.start, event, disregarded))
            case Decision(position, taken, forced):
                if forced or not own_control:
                    _group(groups, position).decision = taken
            case End(position, crashed, endless, lost, within):
                group = _group(groups, position)
                group.within = frozenset(within)
                group.end, group.crashed, group.endless = True, crashed, endless
                group.lost = frozenset(node.number for node in lost)
            case Effect(position):
                writes[position] = _write(machine, trace.start, event, None)
            case Interval(position, to, effect):
                _group(groups, position).interval = _write(machine, trace.start, effect, to)
    _close(groups)
    loops = {} if own_control else bound_loops(machine.program, trace)
    watched: dict[str, set[int]] = {name: set(found) for name, found in loops.items()}
    for _, function, instruction, _ in (*(g.position for g in groups), *writes):
        watched.setdefault(function, set()).add(instruction)
    if groups and groups[-1].crashed:
        last = trace.events[-1]
        assert isinstance(last, End)
        for name in ending_in(trace, last):
            watched.setdefault(name, set()).add(machine.program.functions[name].end)
    return Schedule(
        trace,
        groups,
        {group.position: index for index, group in enumerate(groups)},
        writes,
        {function: frozenset(found) for function, found in watched.items()},
        loops,
    )


def _close(groups: list[Group]) -> None:
    """Without an `End` the trace ends at what is required last."""
    if groups and not groups[-1].end:
        groups[-1].end = True


def _group(groups: list[Group], position: Position) -> Group:
    if not groups or groups[-1].position != position:
        groups.append(Group(position))
    return groups[-1]


def _checked(
    machine: Machine, start: MemoryGraph, event: Assertion, disregarded: frozenset[tuple[str, Place]]
) -> Check:
    """The check of an assertion, made once for a machine."""
    if disregarded:
        return _check(machine, start, event, disregarded)
    known = _CHECKS.setdefault(machine, {})
    if id(event) not in known:
        known[id(event)] = event, _check(machine, start, event, disregarded)
    return known[id(event)][1]


def _check(
    machine: Machine, start: MemoryGraph, event: Assertion, disregarded: frozenset[tuple[str, Place]]
) -> Check:
    cells = []
    for place, value in event.cells.items():
        if isinstance(value, Uninitialised) or (event.label, place) in disregarded:
            continue
        if isinstance(value, External) and start.cells.get(place) != value:
            continue  # it may be a string literal, whose address only the process knows: `replay` looks
        found = _expected(machine, start, place, value, event.label)
        if found is not None:
            cells.append(found)
    nodes = [
        (node, state == "live")
        for node, state in event.states.items()
        if (event.label, Place(node, 0)) not in disregarded or Place(node, 0) in event.cells
    ]
    mentioned = {p.object for p in event.cells} | {
        v.object for v in event.cells.values() if isinstance(v, Pointer)
    }
    mentioned |= event.states.keys()
    fresh = any(isinstance(o, NodeId) and o not in start.nodes for o in mentioned)
    renamed = None
    if fresh:
        kept = {p: v for p, v in event.cells.items() if (event.label, p) not in disregarded}
        renamed = Renaming(machine.layout, start, replace(event, cells=kept))
    return Check(event.label, cells, nodes, event.weak, renamed)


def _expected(
    machine: Machine,
    start: MemoryGraph,
    place: Place,
    value: Value,
    label: str,
    seen: CType | None = None,
) -> Expected | None:
    base = machine.layout.object_address(place.object)
    if base is None:
        return None
    ctype = seen or scalar_type(machine.layout, start, place)
    kinds = (kind_of(ctype),) if ctype is not None else guess_kinds(value, place.offset)
    raw = encode(machine.layout, value, ctype)
    address = base + place.offset
    return Expected(place, tuple(address + (kind << KIND_SHIFT) for kind in kinds), raw, label)


def _elsewhere(machine: Machine, cell: Expected) -> bool:
    """The slow look: under another type, or zero because calloc cleared it."""
    get = machine.memory.cells.get
    found = [k for k in cell.keys if get(k) is not None]
    if found:
        return any(_same(get(k), cell.raw) for k in found)
    return any(_same(held(machine.memory, k & ADDRESS_MASK, k >> KIND_SHIFT), cell.raw) for k in cell.keys)


def _same(have: Any, wanted: Any) -> bool:
    if isinstance(have, Opaque) or isinstance(wanted, Opaque):
        return isinstance(have, Opaque) and isinstance(wanted, Opaque) and have == wanted
    return have is not None and bool(have == wanted)


def _live(machine: Machine, node: NodeId) -> bool:
    return machine.memory.node_live(node.number)


def _write(
    machine: Machine, start: MemoryGraph, effect: Effect, to: tuple[tuple[str, int], ...] | None
) -> Write:
    cells = []
    for place, value in effect.cells.items():
        expected = _expected(machine, start, place, value, "", effect.types.get(place))
        if expected is None:
            continue
        cells.append((expected.keys[0], expected.raw))
    return Write(
        tuple(cells),
        tuple((node.number, effect.room(node) or OBJECT_LIMIT) for node in effect.nodes),
        tuple(node.number for node in effect.freed),
        to,
    )


def apply_write(machine: Machine, write: Write) -> None:
    """Let the machine's memory be what the process' was after a step that is not modelled."""
    memory = machine.memory
    for number, size in write.allocated:
        if memory.node_size(number) is None:
            memory.put(node_address(number) + STATE_KEY, size)
            if memory.node_count < number:
                memory.put(COUNT_KEY, number)
    for key, raw in write.cells:
        memory.put(key, raw)
        memory.admit((key,))
    for number in write.freed:
        if memory.node_live(number):
            memory.release(node_address(number))
