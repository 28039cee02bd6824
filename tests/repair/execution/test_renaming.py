"""Assertions up to the names of new nodes: one walk against trying the names."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from random_problems import NODE, POINTER, TYPES, random_problem
from thorough import examples

from wolverine.core.graph import MemoryGraph, Node, NodeId, Place, Pointer, Value, Variable, VariableId
from wolverine.core.program import Program
from wolverine.core.trace import Assertion, Position
from wolverine.core.types import INT
from wolverine.repair.execution.renaming import Renaming
from wolverine.semantics.address import COUNT_KEY
from wolverine.semantics.assertions import Asserted
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import encode_graph

HEAD = VariableId(-1, "", "head")


def _program() -> Program:
    return next(
        p.program for seed in range(100) if (p := random_problem(Random(seed), locations=6)) is not None
    )


PROGRAM = _program()


def _heap(random: Random, nodes: int) -> dict[Place, Value]:
    cells: dict[Place, Value] = {}
    names = [None, *(Pointer(NodeId(n)) for n in range(1, nodes + 1))]
    cells[Place(HEAD, 0)] = random.choice(names)
    for number in range(1, nodes + 1):
        cells[Place(NodeId(number), 0)] = random.randint(0, 1)
        for offset in (8, 16):
            cells[Place(NodeId(number), offset)] = random.choice(names)
    return cells


def _graph(cells: dict[Place, Value], numbers: range) -> MemoryGraph:
    nodes = {NodeId(n): Node(NodeId(n), 24, NODE) for n in numbers}
    types = {p: POINTER if p.offset or p.object == HEAD else INT for p in cells}
    return MemoryGraph(TYPES, (), (Variable(HEAD, POINTER),), nodes, cells, types)


def _renamed(random: Random, cells: dict[Place, Value], fixed: int, nodes: int) -> dict[Place, Value]:
    fresh = list(range(fixed + 1, nodes + 1))
    random.shuffle(fresh)
    names = {NodeId(n): NodeId(n) for n in range(1, fixed + 1)}
    names |= {NodeId(fixed + 1 + i): NodeId(n) for i, n in enumerate(fresh)}

    def value(held: Value) -> Value:
        return Pointer(names[held.object], held.offset) if isinstance(held, Pointer) else held  # type: ignore[index]

    return {
        Place(names.get(p.object, p.object), p.offset): value(v)  # type: ignore[call-overload]
        for p, v in cells.items()
    }


@settings(max_examples=examples(150, 1000), deadline=None)
@given(st.integers(0, 2**32))
def test_one_walk_agrees_with_trying_the_names(seed: int) -> None:
    random = Random(seed)
    nodes = random.randint(1, 4)
    fixed = random.randint(0, nodes)
    asserted = _heap(random, nodes)
    here = _renamed(random, asserted, fixed, nodes)
    if random.random() < 0.5:
        place = random.choice(sorted(here, key=repr))
        here[place] = _heap(random, nodes)[place] if place.object == HEAD or place.offset else 2
    start = _graph({}, range(1, fixed + 1))
    machine = Machine(PROGRAM)
    encoded = encode_graph(machine.layout, _graph(here, range(1, nodes + 1)))
    machine.memory.cells.update((k, v) for k, v in encoded.cells.items() if v is not None)
    machine.memory.cells.update(encoded.nodes)
    machine.memory.cells[COUNT_KEY] = nodes
    states = {NodeId(n): "live" for n in range(1, nodes + 1)} if random.random() < 0.7 else {}
    assertion = Assertion(Position(0, "f", 0, 1), asserted, states)  # type: ignore[arg-type]
    own_names = _holds_as_named(machine, asserted, nodes)
    slow = not Asserted(machine.layout, start, assertion).fails(machine)
    assert slow == (own_names or Renaming(machine.layout, start, assertion).met(machine))


def _holds_as_named(machine: Machine, asserted: dict[Place, Value], nodes: int) -> bool:
    wanted = encode_graph(machine.layout, _graph(asserted, range(1, nodes + 1))).cells
    return all(machine.memory.cells.get(key) == raw for key, raw in wanted.items())
