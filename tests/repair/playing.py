"""A session without a process: the machine plays it, and a script corrects it."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

from thorough import MUCH

from wolverine.core.graph import (
    MemoryGraph,
    NodeId,
    Place,
    Pointer,
    Uninitialised,
    Value,
    Variable,
    VariableId,
)
from wolverine.core.patch import Candidate, Repairs
from wolverine.core.program import Branch, Program
from wolverine.core.trace import Assertion, Budget, Decision, End, Event, Position, Problem, Trace
from wolverine.core.types import StructReference
from wolverine.frontend import load
from wolverine.repair import search
from wolverine.repair.menus.wording import describe
from wolverine.semantics.faults import Fault
from wolverine.semantics.generate import spread
from wolverine.semantics.loops import loop_branches
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import encode_graph, graph_of, set_stack

BUDGET = Budget() if MUCH is None else Budget(MUCH)  # most of what there is to find is found early


def program_of(text: str, folder: Path) -> Program:
    """The program of one C file."""
    path = folder / "program.c"
    path.write_text(text)
    loaded = load([path])
    assert not loaded.warnings
    return loaded.program


class Play:
    """Runs main; `at` moves to a line, `start` opens the trace, then changes, specs and forced branches."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.machine = Machine(program)
        known = tuple(Variable(VariableId(-1, g.function, g.name), g.type) for g in program.globals)
        empty = MemoryGraph(program.types, globals=known)
        for variable in program.globals:
            base = self.machine.layout.object_address(VariableId(-1, variable.function, variable.name))
            assert base is not None
            for key in spread(program.types, variable.type):
                self.machine.memory.put(base + key, 0)
        set_stack(self.machine, (("main", 0),), ())
        self._empty = empty
        self.events: list[Event] = []
        self.counts: Counter[tuple[int, int]] = Counter()
        self.begin: MemoryGraph | None = None
        self.loops = loop_branches(program)
        self.touched: set[Place] = set()
        self.specs = 0
        self.crashed = False
        self.first_depth = 0

    # -- where ---------------------------------------------------------------------------------

    @property
    def graph(self) -> MemoryGraph:
        return graph_of(self.machine, self._empty)

    def position(self) -> Position:
        frame = self.machine.frame
        assert frame is not None
        pc = self.machine.pc
        return Position(frame.number, frame.linked.name, pc, self.counts[frame.number, pc] + 1)

    def line(self) -> int:
        frame = self.machine.frame
        assert frame is not None
        function = self.program.functions[frame.linked.name]
        unit = function.unit_of[self.machine.pc]
        return function.units[unit].span.line if unit >= 0 else 0

    def at_unit(self) -> bool:
        frame = self.machine.frame
        assert frame is not None
        function = self.program.functions[frame.linked.name]
        pc = self.machine.pc
        return any(unit.first == pc and not unit.header for unit in function.units)

    # -- moving --------------------------------------------------------------------------------

    def _step(self) -> None:
        machine = self.machine
        frame, pc = machine.frame, machine.pc
        assert frame is not None
        step = frame.linked.steps[pc]
        here = self.position()
        if machine.step() == "exited":
            return
        self.counts[here.activation, pc] += 1
        if isinstance(step, Branch) and self.begin is not None and pc in self.loops[here.function]:
            taken = machine.pc == frame.linked.following[step.if_true]
            self.events.append(Decision(here, taken, False))

    def enter_function(self, name: str) -> None:
        """Run to the first statement of a function and open the trace at its entry."""
        while self.machine.frame is None or self.machine.frame.linked.name != name:
            self._step()
        self.open()

    def open(self) -> None:
        machine = self.machine
        frame = machine.frame
        assert frame is not None
        self.first_depth = frame.depth
        stack = []
        pc, each = machine.pc, frame
        while each is not None:
            stack.append((each.linked.name, pc))
            pc, each = each.back, each.caller  # type: ignore[assignment]
        graph = self.graph
        set_stack(machine, stack, graph.frames)
        if machine.pc == frame.linked.following[0]:
            stack[0] = (frame.linked.name, 0)  # a statement may be inserted before the first one
        self.stack = tuple(stack)
        self.begin = graph
        self.counts.clear()

    def to(self, line: int, function: str | None = None) -> None:
        """Go on to the next arrival at a line (of the trace's function)."""
        name = function if function is not None else self.machine.frame.linked.name  # type: ignore[union-attr]
        for _ in range(100_000):
            self._step()
            frame = self.machine.frame
            if frame is not None and frame.linked.name == name and self.line() == line and self.at_unit():
                return
        raise AssertionError(f"line {line} is not reached")

    def crash(self) -> None:
        """Run until it crashes."""
        try:
            while True:
                self._step()
        except Fault:
            self.crashed = True

    # -- correcting ----------------------------------------------------------------------------

    def force(self, taken: bool) -> None:
        frame = self.machine.frame
        assert frame is not None
        step = frame.linked.steps[self.machine.pc]
        assert isinstance(step, Branch)
        here = self.position()
        self.counts[here.activation, here.instruction] += 1
        self.events.append(Decision(here, taken, True))
        self.machine.pc = frame.linked.following[step.if_true if taken else step.if_false]

    def change(self, where: str, value: str) -> None:
        place = self.place(where)
        self.touched.add(place)
        graph = self.graph
        cells = dict(graph.cells)
        cells[place] = self.value(value)
        changed = MemoryGraph(graph.types, graph.frames, graph.globals, graph.nodes, cells, graph.cell_types)
        for key, raw in encode_graph(self.machine.layout, changed).cells.items():
            if raw != self.machine.memory.cells.get(key):
                self.machine.memory.put(key, raw)

    def value(self, text: str) -> Value:
        if text == "null":
            return None
        if led := re.fullmatch(r"n(\d+)(?:\+(\d+))?", text):  # `n1+8`: so many bytes inside
            return Pointer(NodeId(int(led[1])), int(led[2] or 0))
        return int(text)

    def place(self, text: str) -> Place:
        if inside := re.fullmatch(r"n(\d+)\+(\d+)", text):
            return Place(NodeId(int(inside[1])), int(inside[2]))
        found = re.fullmatch(r"(n\d+)->(\w+)", text)
        frame = self.machine.frame
        assert frame is not None
        if found is None:
            name = frame.linked.name
            if self.machine.layout.index(name, text) is not None:
                return Place(VariableId(frame.depth, name, text), 0)
            return Place(VariableId(-1, "", text), 0)
        node = NodeId(int(found[1][1:]))
        ctype = self.graph.nodes[node].type
        structs = self.program.types.structs
        tags = [ctype.tag] if isinstance(ctype, StructReference) else list(structs)  # lost nodes have none
        field = next(f for tag in tags if (f := structs[tag].field(found[2])) is not None)
        return Place(node, field.offset)

    def spec(self, *places: str) -> None:
        graph = self.graph
        cells: dict[Place, Value] = {}
        for place, value in graph.cells.items():
            if isinstance(value, Uninitialised):
                continue
            if isinstance(place.object, VariableId) and -1 != place.object.depth < self.first_depth:
                continue
            cells[place] = value
        weak = frozenset(cells)
        if places:
            cells = {self.place(p): cells[self.place(p)] for p in places}
            weak = frozenset()
        label = f"checkpoint {self.specs}"
        self.specs += 1
        states = {n: node.state for n, node in graph.nodes.items()} if not places else {}
        self.events.append(Assertion(self.position(), cells, states, weak, label))

    def trace(self) -> Trace:
        assert self.begin is not None
        events = []
        for event in self.events:
            if isinstance(event, Assertion):
                event = Assertion(
                    event.position, event.cells, event.states, event.weak - self.touched, event.label
                )
            events.append(event)
        return Trace(self.begin, self.stack, (*events, End(self.position(), self.crashed)))

    def problem(self, budget: Budget | None = None) -> Problem:
        return Problem(self.program, (self.trace(),), budget or BUDGET)


def crash(text: str, function: str, folder: Path, *, strict: bool = False) -> Problem:
    """The program's crash, of which nothing else is known; with `strict` by the use of a freed node, too."""
    play = Play(program_of(text, folder))
    play.machine.memory.strict = strict
    play.enter_function(function)
    play.crash()
    problem = unseen(play.problem())
    return replace(problem, traces=(replace(problem.traces[0], strict=strict),))


def unseen(problem: Problem) -> Problem:
    """The problem without decisions: nobody has seen its loops going round."""
    [trace] = problem.traces
    events = tuple(event for event in trace.events if not isinstance(event, Decision))
    return replace(problem, traces=(replace(trace, events=events),))


def best(problem: Problem) -> Candidate:
    """What is found first."""
    found = search(problem)
    assert isinstance(found, Repairs)
    return found.candidates[0]


def words(program: Program, candidate: Candidate) -> str:
    """What it puts there."""
    return describe(program, candidate.patch)[7:]


def only(problem: Problem, *functions: str) -> Problem:
    """The problem, of which nothing but these functions may change."""
    known = problem.program.locations
    return replace(problem, editable=frozenset(each.id for each in known if each.function in functions))
