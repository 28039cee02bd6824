"""What happened up to a stop of the process, as events of the trace: decisions, effects, intervals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from wolverine.core.graph import MemoryGraph, NodeId, Place, Value, VariableId
from wolverine.core.trace import Decision, Effect, Event, Interval, Position
from wolverine.core.types import INT, CType, is_scalar
from wolverine.semantics.activation import outwards
from wolverine.semantics.address import (
    COUNT_KEY,
    KIND_BITS,
    NOTED,
    STATE_KEY,
    TOKENS,
    ZEROED_KEY,
    node_address,
)
from wolverine.semantics.concrete import place_of
from wolverine.semantics.dataflow import assigned_behind
from wolverine.semantics.findings import Decided, Match, Touching
from wolverine.semantics.interval import become
from wolverine.semantics.machine import Machine
from wolverine.semantics.pending import awaited
from wolverine.semantics.reaching import Reaching
from wolverine.semantics.state import (
    Encoded,
    Stack,
    decode,
    leap,
    recover_temporaries,
    scalar_type,
)
from wolverine.semantics.unknown import Unknown


class Results:
    """What calls that are left to the process gave: told at the stop behind them, or at a later one.

    A stop can stand between a call and what is made of its result (`return rand() % n;`).  What left nothing
    behind by which it could be told (a seed) is 0, so that the statement can be executed again.
    """

    def __init__(self, machine: Machine, reaching: Reaching) -> None:
        self._machine, self._reaching = machine, reaching
        self._open: dict[Unknown, tuple[Position, Place]] = {}
        self._waiting: frozenset[Unknown] = frozenset()

    def depart(self) -> None:
        """The model leaves a stop."""
        if self._open:
            self._waiting = awaited(self._machine, self._reaching)

    def told(self, match: Match) -> Iterator[Effect]:
        """What is known now, behind a stretch, of those that were open in front of it."""
        if not self._open and not any(isinstance(note, Touching) for note in match.notes):
            return  # as at most stops
        still = awaited(self._machine, self._reaching)
        for token in sorted(self._waiting & self._open.keys(), key=hash):
            if token.number in match.known or token not in still:
                position, place = self._open[token]
                yield Effect(position, self._value(place, token, match))
        self._waiting = still

    def given(self, position: Position, place: Place, token: Unknown, match: Match) -> dict[Place, Value]:
        """What a statement's call gave on this stretch; empty where it is not told yet."""
        if token.number not in match.known and token in self._waiting:
            self._open[token] = (position, place)
            return {}
        return self._value(place, token, match)

    def _value(self, place: Place, token: Unknown, match: Match) -> dict[Place, Value]:
        ctype = _declared(self._machine, place)
        if token.number not in match.known and not is_scalar(ctype):
            return {}
        return {place: decode(self._machine, match.known.get(token.number, 0), ctype)}


def settled(
    machine: Machine,
    noted: Sequence[tuple[Decided | Touching, Position]],
    match: Match,
    graph: MemoryGraph,
    wanted: Encoded,
    results: Results,
) -> tuple[Event, ...]:
    """Turn the notes of a match into events, and its unknown values into the process'.

    `noted` are the notes with their positions; `wanted` is `graph`, the process' state, as cells.  `results`
    knows of which calls it is not told yet what they gave.
    """
    memory = machine.memory
    memory.admit(wanted.cells)
    last = max((i for i, n in enumerate(match.notes) if isinstance(n, Touching)), default=-1)
    events: list[Event] = [*results.told(match)]
    for index, (note, position) in enumerate(noted):
        if isinstance(note, Decided):
            events.append(Decision(position, note.taken, note.forced))
        else:
            unexplained = match.unexplained if index == last else ()
            events.append(_effect(machine, position, note, match, graph, wanted, unexplained, results))
    for key in {k for k in memory.trail[::2] if isinstance(memory.cells.get(k), Unknown)}:
        value = wanted.cells.get(key)
        if value is None:
            token = memory.cells[key]
            value = _value(token, match.known)
            if value is None and key not in wanted.cells:
                continue  # the process may yet tell it
        memory.put(key, value)
    _unset_still(machine)
    if match.unexplained:
        cells = memory.cells
        for key, value in (*wanted.cells.items(), *wanted.nodes.items()):
            if value is not None and key in cells and _otherwise(cells[key], value):
                memory.put(key, value)
        memory.put(COUNT_KEY, max(wanted.count, memory.node_count))
    return tuple(events)


def _unset_still(machine: Machine) -> None:
    """What was used and has been set by nothing, since neither, is as unset as before."""
    written = machine.memory.trail[::2]
    notes = [at for at, key in enumerate(written) if key >= NOTED]
    last = {key: at for at, key in enumerate(written)} if notes else {}
    for at in notes:
        if last[written[at - 1]] == at - 1:  # written just to be used, in front of the note
            machine.memory.put(written[at - 1], None)


def _effect(
    machine: Machine,
    position: Position,
    note: Touching,
    match: Match,
    graph: MemoryGraph,
    wanted: Encoded,
    unexplained: Sequence[Place],
    results: Results,
) -> Effect:
    """What the process shows that one execution of a concrete step wrote."""
    touched = note.touched
    cells: dict[Place, Value] = {}
    frame = machine.frame
    assert frame is not None
    for place, token in touched.results.values():
        cells |= results.given(position, place, token, match)
    for key, (token, before) in touched.cells.items():
        value = match.known.get(token.number)
        there = wanted.places.get(key) or place_of(machine, key)
        if value is not None and there is not None and (isinstance(before, Unknown) or value != before):
            known = scalar_type(machine.layout, graph, there)
            cells[there] = graph.cells.get(there) if known is None else decode(machine, value, known)
    nodes = tuple(NodeId(number) for number in touched.nodes)
    for key, place in wanted.places.items():
        value = wanted.cells[key]
        if place.object in nodes and value is not None and machine.memory.cells.get(key) is None:
            machine.memory.put(key, value)
            cells[place] = graph.cells[place]
    freed = []
    for place in unexplained:
        if isinstance(place.object, NodeId) and place not in graph.cells:
            continue
        cells[place] = graph.cells[place]
    for number in range(1, machine.memory.node_count + 1):
        node = graph.nodes.get(NodeId(number))
        if unexplained and node is not None and node.state == "freed" and machine.memory.node_live(number):
            freed.append(NodeId(number))
    return Effect(position, cells, nodes, tuple(freed), _seen_types(graph, cells), _sizes(graph, nodes))


def taken_over(
    machine: Machine, here: Position, target: Stack, graph: MemoryGraph, wanted: Encoded, before: Encoded
) -> Interval:
    """Take the process' state over; what changed is the interval's effect.

    `wanted` is `graph`, the process' state, as cells; `before` is its state where the interval begins.
    """
    memory = machine.memory
    held = dict(memory.cells)
    cells = {key: value for key, value in held.items() if key < 0 or key >= TOKENS or _zeroed(key)}
    changed: dict[Place, Value] = {}
    waiting, own = _waiting(machine, target), _left_alone(machine, target, graph)
    for key, value in wanted.cells.items():
        have = held.get(key)
        if value is None:
            continue
        owner = wanted.places[key].object
        # Others may have been given the value that chance had left there.
        kept = isinstance(owner, NodeId) or owner.depth in waiting or owner in own
        if kept and have is None and key in before.cells and before.cells[key] == value:
            continue
        cells[key] = value
        if have is None or _otherwise(have, value):
            changed[wanted.places[key]] = graph.cells[wanted.places[key]]
    cells.update(wanted.nodes)
    cells[COUNT_KEY] = wanted.count
    nodes = tuple(n for n in graph.nodes if node_address(n.number) + STATE_KEY not in held)
    freed = tuple(n for n in graph.nodes if graph.nodes[n].state == "freed" and memory.node_live(n.number))
    become(machine, cells)
    memory.admit(wanted.cells)
    leap(machine, target, graph.frames)
    recover_temporaries(machine, results=True)
    types, sizes = _seen_types(graph, changed), _sizes(graph, nodes)
    return Interval(here, tuple(target), Effect(here, changed, nodes, freed, types, sizes))


def _sizes(graph: MemoryGraph, nodes: Iterable[NodeId]) -> dict[NodeId, int]:
    return {node: found.size for node in nodes if (found := graph.nodes.get(node)) is not None}


def _otherwise(have: Any, value: Any) -> bool:
    """Whether the model holds something else than the process, or what only that knows."""
    return isinstance(have, Unknown) or have != value


def _waiting(machine: Machine, target: Stack) -> frozenset[int]:
    """The depths of the activations that have only waited for a call, and have its value at most."""
    frames, found = [*outwards(machine.frame)], set[int]()
    if len(target) >= len(frames):
        return frozenset()
    pairs = zip(reversed(frames[1:]), reversed(frames[:-1]), strict=True)
    for (name, instruction), (frame, called) in zip(reversed(target), pairs, strict=False):
        units = machine.program.functions[name].unit_of
        if name != frame.linked.name or units[instruction] != units[called.back - 1]:
            break
        found.add(frame.depth)
    return frozenset(found)


def _left_alone(machine: Machine, target: Stack, graph: MemoryGraph) -> frozenset[VariableId]:
    """The variables of an activation that has gone on by itself which no statement on its way sets."""
    frame = machine.frame
    if frame is None or not graph.frames or graph.frames[0].depth != frame.depth:
        return frozenset()
    if target[0][0] != frame.linked.name or target[0][1] <= machine.pc:
        return frozenset()
    function = machine.program.functions[frame.linked.name]
    written = assigned_behind(function, machine.pc, machine.program)
    own = (variable.id for variable in graph.frames[0].variables)
    return frozenset(each for each in own if each.name not in written)


def _zeroed(key: int) -> bool:
    """Whether a key tells how far calloc cleared a node."""
    return key & KIND_BITS == ZEROED_KEY


def _seen_types(graph: MemoryGraph, cells: Mapping[Place, Value]) -> dict[Place, CType]:
    return {
        place: graph.cell_types[place]
        for place in cells
        if isinstance(place.object, NodeId) and place in graph.cell_types
    }


def _declared(machine: Machine, place: Place) -> CType:
    assert isinstance(place.object, VariableId)
    return machine.layout.variable_type(place.object) or INT


def _value(tree: Unknown, known: Mapping[int, Any]) -> Any:
    try:
        return tree.value(known)
    except (ArithmeticError, KeyError, TypeError, ValueError):
        return None
