"""Memory graphs from a stopped process.

gdb gives the stack (one round trip); everything else is read from the process' memory here: the
variables by their places in the debug information, the blocks by the tracker's table.  What a block
holds is told by the pointers that lead to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from wolverine.core.graph import (
    Frame,
    MemoryGraph,
    NodeId,
    Place,
    Value,
    Variable,
    VariableId,
    descend,
    places_in,
)
from wolverine.core.process import ProcessFrame, Snapshot
from wolverine.core.types import ArrayType, CType, byte_of
from wolverine.core.unions import opened
from wolverine.debugger.code_index import CodeIndex, Module
from wolverine.debugger.debug_entries import DebugVariable, Location
from wolverine.debugger.heap import Heap
from wolverine.debugger.inference import TypeMemory
from wolverine.debugger.layout import Layout, Layouts
from wolverine.debugger.library_symbols import LibrarySymbols
from wolverine.debugger.memory import Memory
from wolverine.debugger.outside import outside
from wolverine.debugger.tracker import Tracker
from wolverine.errors import DebuggerError

_ONE_READ = 4 << 20  # bytes: up to this much is read at once rather than piece by piece


@dataclass(frozen=True, slots=True)
class _Held:
    """A variable with its layout and its bytes."""

    variable: Variable
    layout: Layout
    data: bytes


class SnapshotReader:
    """Takes snapshots of one process; remembers what blocks hold from one to the next."""

    def __init__(
        self,
        memory: Memory,
        tracker: Tracker | None,
        code: CodeIndex,
        duplicates: frozenset[tuple[str, str]],
        allocates: Mapping[tuple[str, int], CType],
    ) -> None:
        self._memory = memory
        self._tracker = tracker
        self._code = code
        self._duplicates = duplicates
        self._program = code.modules[0]
        self._layouts = Layouts(self._program.info.types)
        self._symbols = LibrarySymbols(memory, self._program.info.path, self._program.bias)
        self._own: Mapping[Place, Value] = {}
        self._retyped: list[Place] = []
        self._heap = Heap(memory, code, self._layouts, allocates)
        self._globals = self._global_variables()
        info, bias = self._program.info, self._program.bias
        self._functions = {each.name: each.low + bias for each in reversed(info.functions)}
        self._last: MemoryGraph | None = None
        self._shapes: list[tuple[VariableId, Layout]] = []
        self._heap_types: object = None
        self._cell_types: dict[Place, CType] = {}

    def entries(self, names: Iterable[str]) -> frozenset[int]:
        """Where the program's own calls of these library functions lead."""
        return self._symbols.entries(names)

    @property
    def types(self) -> TypeMemory:
        """What blocks hold."""
        return self._heap.types

    def read(
        self, stack: Sequence[ProcessFrame], stack_pointer: int = 0, *, calling: bool = False
    ) -> Snapshot:
        """The state of the stopped process with that stack; `calling` if a library stands on top of it."""
        frames = tuple(self._frame(frame, index == 0 and not calling) for index, frame in enumerate(stack))
        variables = [*self._globals, *(each for frame in frames for each in frame.variables)]
        held = self._variables(variables)
        blocks = self._tracker.blocks() if self._tracker is not None else []
        heap, decoder = self._heap, self._heap.decoder
        decoder.begin(variables, self._layouts, stack_pointer)
        heap.update(blocks, lambda: [lead for each in held for lead in decoder.leads(each.layout, each.data)])
        cells: dict[Place, Value] = {}
        for each in held:
            identity = each.variable.id
            values = decoder.variable(each.layout, each.data)
            cells.update((Place(identity, at), value) for at, value in zip(each.layout.offsets, values))
        own = dict(cells)
        cells.update(heap.cells)
        graph = MemoryGraph(
            self._layouts.types,
            frames,
            tuple(self._globals),
            heap.nodes,
            cells,
            self._types_of_cells(held),
            outside(self._memory, heap.external, decoder.pointer, self._functions, self._symbols.name),
            unread=heap.unread,
        )
        before = self._last.unions if self._last is not None else {}
        graph = opened(graph, decoder.pointer, before)
        self._note_descent(graph, own)
        return Snapshot(graph, tuple(stack))

    def _note_descent(self, graph: MemoryGraph, own: Mapping[Place, Value]) -> None:
        """Say what is as in the graph before, which is nearly everything."""
        last, before = self._last, self._own
        self._last, self._own = graph, own
        if last is None or self._heap.changed is None:
            return
        apart = set(self._heap.changed)
        apart.update(p for p, value in own.items() if p not in before or not _same(before[p], value))
        apart.update(place for place in before if place not in own)
        apart.update(self._retyped)
        for at, union in (*graph.unions.items(), *last.unions.items()):
            if graph.unions.get(at) != last.unions.get(at):
                apart.update((at, *places_in(graph.types, at, union)))
        descend(graph, last, frozenset(apart))

    def forget(self) -> None:
        """The process' memory was replaced."""
        if self._tracker is not None:
            self._tracker.forget()
        self._heap.forget()

    # -- variables ---------------------------------------------------------------------------------

    def _global_variables(self) -> list[Variable]:
        found: dict[VariableId, Variable] = {}
        info, bias = self._program.info, self._program.bias
        for each in info.globals:
            identity = VariableId(-1, each.owner, each.name)
            found.setdefault(identity, Variable(identity, each.type, False, each.location.value + bias))
        for function in info.functions:
            for each in function.statics:
                identity = VariableId(-1, function.name, self._name(function.name, each))
                found.setdefault(identity, Variable(identity, each.type, False, each.location.value + bias))
        return list(found.values())

    def _name(self, function: str, variable: DebugVariable) -> str:
        if (function, variable.name) in self._duplicates:
            return f"{variable.name}@{variable.line}"
        return variable.name

    def _frame(self, frame: ProcessFrame, innermost: bool) -> Frame:
        pc = frame.pc if innermost else frame.pc - 1  # a call may be the last of its block
        found = self._code.function_at(pc)
        variables: dict[str, Variable] = {}
        if found is not None:
            at = pc - found.module.bias
            for each in found.function.variables:
                if not each.low <= at < each.high:
                    continue
                placed = self._placed(each, found.module, frame)
                if placed is not None:
                    name = self._name(frame.function, each)
                    # An inner variable of the same name hides the outer one.
                    variables.pop(name, None)
                    identity = VariableId(frame.depth, frame.function, name)
                    variables[name] = Variable(identity, placed[1], each.parameter, placed[0])
        return Frame(frame.depth, frame.function, tuple(variables.values()), frame.line)

    def _placed(self, each: DebugVariable, module: Module, frame: ProcessFrame) -> tuple[int, CType] | None:
        address = self._address(each.location, module, frame)
        if address is None:
            return None
        ctype = each.type
        if each.bound is not None and isinstance(ctype, ArrayType):
            where = self._address(each.bound, module, frame)
            last = int.from_bytes(self._memory.read(where, 8), "little", signed=True) if where else -1
            if not 0 <= last < 1 << 24:
                last = -1
            ctype = ArrayType(ctype.element, last + 1)
        return address, ctype

    def _address(self, location: Location, module: Module, frame: ProcessFrame) -> int | None:
        match location.kind:
            case "frame":
                return frame.cfa + location.value
            case "static":
                return module.bias + location.value
            case "indirect":
                return int.from_bytes(self._memory.read(frame.cfa + location.value, 8), "little")
        return None

    def _variables(self, variables: Sequence[Variable]) -> list[_Held]:
        layouts = [self._layouts.variable(each.type) for each in variables]
        extents = [(each.address, layout.size) for each, layout in zip(variables, layouts)]
        data = self._read_all(extents)
        return [
            _Held(variable, layout, data[address, size])
            for variable, layout, (address, size) in zip(variables, layouts, extents)
            if (address, size) in data
        ]

    def _read_all(self, extents: Sequence[tuple[int, int]]) -> dict[tuple[int, int], bytes]:
        """The bytes of all (address, size) pieces; neighbours are read together, if all can be read.

        Where the stack is full, those of its innermost frame have no memory.
        """
        found: dict[tuple[int, int], bytes] = {}
        ordered = sorted(set(extents))
        index = 0
        while index < len(ordered):
            start = ordered[index][0]
            end = start + ordered[index][1]
            stop = index + 1
            while stop < len(ordered) and ordered[stop][0] <= end + 4096 and end - start < _ONE_READ:
                end = max(end, ordered[stop][0] + ordered[stop][1])
                stop += 1
            chunk = self._memory.read_some(start, end - start)
            for address, size in ordered[index:stop]:
                piece = chunk[address - start : address - start + size]
                if len(piece) < size:
                    piece = self._memory.read_some(address, size)
                if len(piece) == size:
                    found[address, size] = piece
            index = stop
        return found

    def _types_of_cells(self, held: Sequence[_Held]) -> dict[Place, CType]:
        """By cell; the same object while nothing changed."""
        shapes = [(each.variable.id, each.layout) for each in held]
        self._retyped = [
            Place(i, at) for i, layout in set(shapes) - set(self._shapes) for at in layout.offsets
        ]
        if shapes != self._shapes or self._heap_types is not self._heap.cell_types:
            found: dict[Place, CType] = {}
            for identity, layout in shapes:
                found.update((Place(identity, at), t) for at, t in zip(layout.offsets, layout.types))
            found.update(self._heap.cell_types)
            self._shapes, self._heap_types, self._cell_types = shapes, self._heap.cell_types, found
        return self._cell_types


def _same(one: Value, two: Value) -> bool:
    return one is two or (one == two and type(one) is type(two))


def place_address(graph: MemoryGraph, place: Place) -> int:
    """The address of a place.  Raises DebuggerError when its object is not in the picture."""
    if isinstance(place.object, NodeId):
        node = graph.nodes.get(place.object)
        if node is not None:
            return node.address + byte_of(place.offset)
    else:
        for variable in graph.variables():
            if variable.id == place.object:
                return variable.address + byte_of(place.offset)
        if place.object.name in graph.outside.functions and not place.object.function:
            return graph.outside.functions[place.object.name] + byte_of(place.offset)
    raise DebuggerError(f"{place.object} has no address here")
