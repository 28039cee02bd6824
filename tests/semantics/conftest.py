"""A stand-in for the process: the machine itself, stopped before every unit."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from wolverine.core.graph import Frame, MemoryGraph, Place, Value, Variable, VariableId
from wolverine.core.program import Program
from wolverine.core.types import PointerType
from wolverine.frontend import load
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import graph_of, seat

Stack = tuple[tuple[str, int], ...]


@pytest.fixture
def lower(tmp_path: Path) -> Callable[[str], Program]:
    """Lower C text."""
    if shutil.which("gcc") is None:
        pytest.skip("gcc is needed to preprocess")
    numbers = iter(range(1000))

    def run(text: str) -> Program:
        path = tmp_path / f"p{next(numbers)}.c"
        path.write_text(text)
        return load([path]).program

    return run


@pytest.fixture
def entry() -> Callable[[Program], MemoryGraph]:
    """The graph at the entry of main: globals are zero, locals hold nothing."""
    return start_graph


@pytest.fixture
def walk() -> Callable[[Program], Iterator[tuple[Stack, MemoryGraph]]]:
    """Every stop of main, before each unit, as (stack, graph), the entry included."""
    return stops_of


def start_graph(program: Program) -> MemoryGraph:
    main = program.functions["main"]
    parameters = {p.name for p in main.parameters}
    local = tuple(
        Variable(VariableId(0, "main", v.name), v.type, v.name in parameters)
        for v in (*main.parameters, *main.locals)
    )
    outside = tuple(Variable(VariableId(-1, g.function, g.name), g.type) for g in program.globals)
    cells: dict[Place, Value] = {}
    types = {}
    for variable in outside:
        for offset, scalar in program.types.scalars(variable.type):
            place = Place(variable.id, offset)
            cells[place] = None if isinstance(scalar, PointerType) else 0
            types[place] = scalar
    return MemoryGraph(program.types, (Frame(0, "main", local),), outside, {}, cells, types)


def stops_of(program: Program, limit: int = 5000) -> Iterator[tuple[Stack, MemoryGraph]]:
    firsts = {name: {u.first for u in f.units if u.first >= 0} for name, f in program.functions.items()}
    machine = Machine(program, stops=firsts)
    graph = start_graph(program)
    seat(machine, graph, (("main", 0),))
    yield machine.stack(), graph_of(machine, graph)
    for _ in range(limit):
        outcome = machine.run(100_000)
        if outcome == "exited":
            return
        if outcome == "stop":
            yield machine.stack(), graph_of(machine, graph)
