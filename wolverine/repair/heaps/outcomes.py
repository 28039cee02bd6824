"""What one patch does with one heap: the function runs from its entry to its return or to a crash.

Two outcomes are one when nobody outside can tell them apart: globals, variables further out, the result,
the nodes that these lead to, which nodes of the input have been freed, and what was printed.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from wolverine.core.expressions import Load, VariableReference
from wolverine.core.graph import (
    Frame,
    MemoryGraph,
    NodeId,
    NodeState,
    ObjectId,
    Place,
    Pointer,
    Uninitialised,
    Value,
    Variable,
    VariableId,
)
from wolverine.core.patch import Patch
from wolverine.core.program import RESULT_NAME, Concrete, Program, Return
from wolverine.core.trace import Assertion, End, Position, Trace
from wolverine.core.types import PointerType, VoidType, is_scalar
from wolverine.repair.execution.concrete import passed
from wolverine.repair.execution.pool import FAILED, Pool, look
from wolverine.repair.heaps.remains import Rules, dangles, remains
from wolverine.repair.source.unread import unread
from wolverine.semantics.address import cell_key
from wolverine.semantics.encoding import decode
from wolverine.semantics.faults import Fault, Halt
from wolverine.semantics.machine import Machine
from wolverine.semantics.reading import graph_of
from wolverine.semantics.scratch import numbers_set_behind
from wolverine.semantics.state import seat

_STEPS = 5_000  # machine steps for one heap
RESULT = "return"  # a variable's name in the picture of an outcome; no C variable has it
LABEL = "the answer"


@dataclass(frozen=True)
class Outcome:
    """What came out: `key` is equal for equal outcomes; `crash` says why there is none ("": there is).

    `graph` shows what is left (after a crash: what there was), the parameters as they were passed, `output`
    is what was printed.  `cells` and `states` are what holds just before instruction `end`, the function's
    return.
    """

    key: Hashable
    graph: MemoryGraph
    crash: str = ""
    cells: tuple[tuple[Place, Value], ...] = ()
    states: tuple[tuple[NodeId, NodeState], ...] = ()
    end: int = -1
    output: str = ""


class Glance(NamedTuple):
    """An outcome as far as it takes to tell it from others: `key` is equal for equal ones.

    It `fails` by a crash, without an end, or with pointers that lead to freed nodes; else so many nodes are
    `lost` that were not before, of which so many were made in `vain`.  Where nothing has set the result it
    is `unset`.
    """

    key: Hashable
    fails: bool = False
    lost: int = 0
    vain: int = 0
    output: str = ""
    unset: bool = False


class Bench:
    """Runs the patches of one program on heaps at the entry of one function; `steps` have been made."""

    def __init__(self, program: Program, function: str) -> None:
        self._program = program
        self._function = program.functions[function]
        returns = {i for i, step in enumerate(self._function.code) if isinstance(step, Return)}
        self._machine = Machine(program, stops={function: returns}, strict=True)
        self._machine.keep_output()
        self._pool = Pool(self._machine)
        self._unread = unread(program)
        self._anew = numbers_set_behind(program, self._machine.layout, function)
        self._heap: MemoryGraph | None = None
        self.steps = 0

    def outcome(self, heap: MemoryGraph, patch: Patch) -> Outcome | None:
        """What the patched function does with the heap; None where the model does not know."""
        crash = self._execute(heap, patch)
        if crash is None:
            return None
        if crash:  # where and why it crashes makes no difference to a user, nor what it leaves
            return Outcome("crash", shown(heap), crash)
        return self._returned(heap)

    def glance(self, heap: MemoryGraph, patch: Patch) -> Glance | None:
        """The same in short, which is much faster: nothing is read that nobody will see."""
        crash = self._execute(heap, patch)
        if crash is None:
            return None
        if crash:
            return Glance("crash", fails=True)
        value = self._value()
        pointing = isinstance(self._function.result, PointerType)
        roots = [*self._passed, *([value] if pointing and isinstance(value, int) else [])]
        left, lost, _ = remains(self._machine, value, roots, self._count, Rules())
        fails = self._dangles(value if pointing else None)
        output = self._machine.output
        unset = value is None and is_scalar(self._function.result)
        return Glance(
            (left, output), fails, max(0, len(lost) - self._lost), self._vain(left[1]), output, unset
        )

    def left_stranded(self, heap: MemoryGraph, patch: Patch) -> bool | None:
        """Whether pointers to freed nodes are left, and live ones besides; None where it does not return."""
        if self._execute(heap, patch) != "":
            return None
        value = self._value() if isinstance(self._function.result, PointerType) else None
        memory = self._machine.memory
        live = any(memory.node_live(number) for number in range(1, memory.node_count + 1))
        return live and self._dangles(value)

    def _dangles(self, value: Any) -> bool:
        """Whether what is left, with the result, leads to a freed node (see `dangles`)."""
        return dangles(self._machine, value, self._passed, unread=self._unread, anew=self._anew)

    def _vain(self, reached: Collection[tuple[int, bool]]) -> int:
        """How many new nodes are live, but not among those that are reached (by name, new ones below 0)."""
        memory = self._machine.memory
        made = sum(memory.node_live(number) for number in range(self._count + 1, memory.node_count + 1))
        return made - sum(live for name, live in reached if name < 0)

    def crashes_before(self, heap: MemoryGraph, patch: Patch) -> bool:
        """Whether the program crashes on the heap before it comes to where the patch edits something."""
        edited = {edit.location for edit in patch.edits}
        stops = {
            name: {at for at, step in enumerate(function.code) if step.location in edited}
            for name, function in self._program.functions.items()
        }
        machine = Machine(self._program, stops=stops, strict=True)
        seat(machine, heap, ((self._function.name, 0),))
        try:
            while (frame := machine.frame) is not None and machine.steps < _STEPS:
                step = frame.linked.steps[machine.pc]
                if step.location in edited or (isinstance(step, Concrete) and not passed(machine)):
                    return False
                if not isinstance(step, Concrete) and machine.run(_STEPS) != "concrete":
                    return False
        except Fault:
            return True
        except Halt:
            pass
        return False

    def begins_amiss(self, heap: MemoryGraph) -> bool:
        """Whether the heap itself leads to freed nodes."""
        self._begin(heap)
        return dangles(self._machine, None, self._passed, unread=self._unread)

    def _begin(self, heap: MemoryGraph) -> None:
        machine = self._machine
        if self._heap is not heap:
            machine.set_patch(Patch())
            seat(machine, heap, ((self._function.name, 0),))
            self._heap, self._origin = heap, machine.mark()
            self._count = machine.memory.node_count
            self._passed = list(self._pointers())
            self._lost = len(remains(machine, None, self._passed, self._count, Rules())[1])
        machine.undo(self._origin)

    def _pointers(self) -> Iterator[int]:
        """The pointers that are passed, as they lie in memory."""
        machine, frame = self._machine, self._machine.frame
        assert frame is not None
        for parameter in self._function.parameters:
            if isinstance(parameter.type, PointerType):
                _, offset = machine.layout.address(self._function.name, parameter)
                raw = machine.memory.cells.get(cell_key(parameter.type, frame.base + offset))
                if isinstance(raw, int):
                    yield raw

    def _execute(self, heap: MemoryGraph, patch: Patch) -> str | None:
        """Why it crashes ("": it returns), None where the model does not know."""
        machine = self._machine
        self._begin(heap)
        machine.set_patch(patch)
        begun = machine.steps
        try:
            if not self._run():
                return None
        except Fault as fault:
            return fault.message + self._where()
        except Halt:
            return None
        finally:
            self.steps += machine.steps - begun
        return "it does not come to an end" if machine.steps - begun >= _STEPS else ""

    def _run(self) -> bool:
        """Whether the function came to its return, or was cut off there."""
        machine = self._machine
        self._begun = machine.steps
        while machine.steps - self._begun < _STEPS:
            frame = machine.frame
            if frame is None:
                return False
            step = frame.linked.steps[machine.pc]
            if frame.caller is None and isinstance(step, Return):
                return True
            if isinstance(step, Concrete):
                if not passed(machine):
                    return False
                machine.steps += 1
            elif machine.run(_STEPS) == "undetermined":
                return False
        return True

    def _where(self) -> str:
        frame = self._machine.frame
        location = frame.linked.steps[self._machine.pc].location if frame is not None else -1
        return f" at line {self._program.location(location).line}" if location >= 0 else ""

    def _returned(self, heap: MemoryGraph) -> Outcome:
        machine = self._machine
        given = self._result()
        known = given is not None and not isinstance(given[1], Uninitialised)
        graph = graph_of(machine, heap, [(given[0].type, given[1])] if given is not None and known else [])
        depth = heap.frames[0].depth if heap.frames else 0
        objects = _reached(heap, graph, depth, given[1] if given is not None else None)
        names = {n: NodeId(-k) for k, n in enumerate((o for o in objects if _new(o, heap)), 1)}
        cells: list[tuple[Place, Value]] = [
            (place, value)
            for place, value in graph.cells.items()
            if place.object in objects and not isinstance(value, Uninitialised)
        ]
        if given is not None and known:
            place = Place(VariableId(depth, self._function.name, RESULT_NAME), 0)
            cells.append((place, given[1]))
        states = [(n, node.state) for n, node in graph.nodes.items() if n in heap.nodes or n in objects]
        key = (
            frozenset((_renamed(p.object, names), p.offset, _value(v, names)) for p, v in cells),
            frozenset((_renamed(n, names), state) for n, state in states),
            machine.output,
        )
        shown = _shown(heap, graph, given)
        return Outcome(key, shown, "", tuple(cells), tuple(states), machine.pc, machine.output)

    def _value(self) -> int | float | None:
        """The result as it lies in memory."""
        step = self._function.code[self._machine.pc]
        if not isinstance(step, Return) or step.value is None:
            return None
        [closure] = self._pool.values(self._function.name, [step.value])
        value = look(self._machine, closure)
        return value if isinstance(value, int | float) else None

    def _result(self) -> tuple[Variable, Value] | None:
        """The result as a variable of the picture, with its value."""
        step = self._function.code[self._machine.pc]
        kind = self._function.result
        if not isinstance(step, Return) or step.value is None or isinstance(kind, VoidType):
            return None
        if not isinstance(step.value, Load) or not isinstance(step.value.place, VariableReference):
            return None
        [closure] = self._pool.values(self._function.name, [step.value])
        raw = look(self._machine, closure)
        if raw is FAILED:
            return None
        frame = self._machine.frame
        assert frame is not None
        identity = VariableId(frame.depth, self._function.name, RESULT)
        value = decode(self._machine, raw, kind)
        return Variable(identity, kind), value


def answered(function: str, heap: MemoryGraph, outcome: Outcome) -> Trace:
    """The trace that says: from this heap, the function has to come to this outcome."""
    end = Position(0, function, outcome.end, 1)
    assertion = Assertion(end, dict(outcome.cells), dict(outcome.states), frozenset(), LABEL)
    return Trace(heap, ((function, 0),), (assertion, End(end)))


def _reached(heap: MemoryGraph, graph: MemoryGraph, depth: int, result: Value) -> dict[ObjectId, None]:
    """What can be seen from outside, in the order in which it is reached: variables, and live nodes.

    So is what led to the nodes that the function was given, as a parent does: somebody holds that structure.
    """
    outgoing: dict[ObjectId, list[tuple[int, Value]]] = {}
    for place, value in graph.cells.items():
        outgoing.setdefault(place.object, []).append((place.offset, value))
    passed = [v.object for _, v in _parameters(heap) if isinstance(v, Pointer)]
    work: list[ObjectId] = [v.id for v in graph.variables() if v.id.depth < depth]
    work += passed
    work += [result.object] if isinstance(result, Pointer) else []
    work += _leading_to(heap, passed)
    work.reverse()
    found: dict[ObjectId, None] = {}
    while work:
        identity = work.pop()
        if identity in found or (isinstance(identity, VariableId) and identity.depth >= depth):
            continue
        node = graph.nodes.get(identity) if isinstance(identity, NodeId) else None
        if isinstance(identity, NodeId) and (node is None or node.state != "live"):
            continue
        found[identity] = None
        targets = sorted(outgoing.get(identity, ()), key=lambda cell: cell[0])
        work += [v.object for _, v in reversed(targets) if isinstance(v, Pointer)]
    return found


def _leading_to(heap: MemoryGraph, given: Collection[ObjectId]) -> list[NodeId]:
    """The nodes that lead to some of these objects, over any number of others, in order."""
    into: dict[ObjectId, list[NodeId]] = {}
    for place, value in heap.cells.items():
        if isinstance(place.object, NodeId) and isinstance(value, Pointer):
            into.setdefault(value.object, []).append(place.object)
    found: set[NodeId] = set()
    work: list[ObjectId] = [*given]
    while work:
        more = set(into.get(work.pop(), ())) - found
        found |= more
        work += more
    return sorted(found)


def _parameters(heap: MemoryGraph) -> Iterator[tuple[Variable, Value]]:
    for variable in heap.frames[0].variables if heap.frames else ():
        value = heap.cells.get(Place(variable.id, 0), Uninitialised())
        if variable.parameter and not isinstance(value, Uninitialised):
            yield variable, value


def _new(identity: ObjectId, heap: MemoryGraph) -> bool:
    return isinstance(identity, NodeId) and identity not in heap.nodes


def _renamed(identity: ObjectId, names: dict[ObjectId, NodeId]) -> ObjectId:
    return names.get(identity, identity)


def _value(value: Value, names: dict[ObjectId, NodeId]) -> Value:
    return Pointer(_renamed(value.object, names), value.offset) if isinstance(value, Pointer) else value


# -- pictures --------------------------------------------------------------------------------------------


def shown(heap: MemoryGraph) -> MemoryGraph:
    """The picture of an input: parameters, and what else has a value; no locals."""
    return _shown(heap, heap, None)


def _shown(heap: MemoryGraph, graph: MemoryGraph, given: tuple[Variable, Value] | None) -> MemoryGraph:
    """The picture of `graph` that came from `heap`: the parameters as they were passed, no locals.

    Of the activations further out there are the variables to which something leads, and those that lead to
    what nothing else leads to.
    """
    cells, types = dict(graph.cells), dict(graph.cell_types)
    inner: list[Variable] = []
    for variable, value in _parameters(heap):
        if given is None or isinstance(variable.type, PointerType):
            inner.append(variable)
            cells[Place(variable.id, 0)] = value
    if given is not None:
        inner.append(given[0])
        cells[Place(given[0].id, 0)], types[Place(given[0].id, 0)] = given[1], given[0].type
    led = _led(graph, cells, inner)
    outer = {p.object for p, v in cells.items() if isinstance(v, Pointer) and v.object not in led} | led
    frames: list[Frame] = []
    for index, frame in enumerate(graph.frames):
        kept = inner if not index else [v for v in frame.variables if v.id in outer]
        frames.append(replace(frame, variables=tuple(kept)))
    known = {v.id for f in frames for v in f.variables} | {v.id for v in graph.globals}
    cells = {p: v for p, v in cells.items() if isinstance(p.object, NodeId) or p.object in known}
    return replace(graph, frames=tuple(frames), cells=cells, cell_types=types)


def _led(graph: MemoryGraph, cells: dict[Place, Value], inner: list[Variable]) -> set[ObjectId]:
    """What the globals and these variables lead to, themselves included."""
    outgoing: dict[ObjectId, list[ObjectId]] = {}
    for place, value in cells.items():
        if isinstance(value, Pointer):
            outgoing.setdefault(place.object, []).append(value.object)
    found: set[ObjectId] = set()
    pending: list[ObjectId] = [variable.id for variable in (*graph.globals, *inner)]
    while pending:
        held = pending.pop()
        if held not in found:
            found.add(held)
            pending += outgoing.get(held, ())
    return found
