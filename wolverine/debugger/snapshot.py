"""Memory graphs from a stopped process.

gdb gives the stack (one round trip); everything else is read from the process' memory here: the
variables by their places in the debug information, the blocks by the tracker's table.  What a block
holds is told by the pointers that lead to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wolverine.core.graph import (
    Frame,
    MemoryGraph,
    Node,
    NodeId,
    ObjectId,
    Place,
    Value,
    Variable,
    VariableId,
)
from wolverine.core.process import ProcessFrame, Snapshot
from wolverine.core.types import ArrayType, CType
from wolverine.debugger.code_index import CodeIndex, Module
from wolverine.debugger.debug_info import DebugVariable, Location
from wolverine.debugger.decode import Decoder, Seen
from wolverine.debugger.inference import TypeMemory
from wolverine.debugger.layout import MOST_BYTES, Layout, Layouts
from wolverine.debugger.memory import Memory
from wolverine.debugger.outside import outside
from wolverine.debugger.tracker import Block, Tracker
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
        self._allocates = allocates
        self._tracker = tracker
        self._code = code
        self._duplicates = duplicates
        self._program = code.modules[0]
        self._layouts = Layouts(self._program.info.types)
        self.types = TypeMemory(self._layouts)
        self._decoder = Decoder(memory)
        self._globals = self._global_variables()
        self._places: dict[tuple[ObjectId, Layout], tuple[Place, ...]] = {}
        self._nodes: tuple[object, int, dict[NodeId, Node]] | None = None
        self._cell_types: tuple[list[object], dict[Place, CType]] | None = None

    def read(self, stack: Sequence[ProcessFrame]) -> Snapshot:
        """The state of the stopped process whose stack is given."""
        frames = tuple(self._frame(frame, index == 0) for index, frame in enumerate(stack))
        variables = [*self._globals, *(each for frame in frames for each in frame.variables)]
        held = self._variables(variables)
        blocks = self._tracker.blocks() if self._tracker is not None else []
        contents = self._contents(blocks)
        self._decoder.begin(blocks, variables, self._layouts)
        seen = self._infer(blocks, contents, held)
        cells: dict[Place, Value] = {}
        shapes: list[tuple[ObjectId, Layout]] = []
        for each in held:
            self._put(
                cells, shapes, each.variable.id, each.layout, self._decoder.variable(each.layout, each.data)
            )
        for block in blocks:
            entry = seen.get(block.number)
            if entry is not None:
                self._put(cells, shapes, NodeId(block.number), entry.layout, entry.values)
        graph = MemoryGraph(
            self._layouts.types,
            frames,
            tuple(self._globals),
            self._node_table(blocks),
            cells,
            self._types_of_cells(shapes),
            outside(self._memory, tuple(self._decoder.external), self._decoder.pointer),
        )
        return Snapshot(graph, tuple(stack))

    def forget(self) -> None:
        """The process' memory was replaced."""
        if self._tracker is not None:
            self._tracker.forget()
        self._decoder.forget()

    # -- variables ---------------------------------------------------------------------------------

    def _global_variables(self) -> list[Variable]:
        found: dict[VariableId, Variable] = {}
        info, bias = self._program.info, self._program.bias
        for each in info.globals:
            identity = VariableId(-1, "", each.name)
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
        pc = frame.pc if innermost else frame.pc - 1
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
        """The bytes of all (address, size) pieces; neighbours are read together."""
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
                if len(piece) == size:
                    found[address, size] = piece
            index = stop
        return found

    # -- blocks ------------------------------------------------------------------------------------

    def _contents(self, blocks: Sequence[Block]) -> Mapping[int, bytes]:
        extents = [(block.address, min(block.size, MOST_BYTES)) for block in blocks]
        data = self._read_all(extents)
        return {block.number: data[extent] for block, extent in zip(blocks, extents) if extent in data}

    def _infer(
        self, blocks: Sequence[Block], contents: Mapping[int, bytes], held: Sequence[_Held]
    ) -> Mapping[int, Seen]:
        """Decode every block whose type is known; pointers found on the way tell more types."""
        seen: dict[int, Seen] = {}
        sizes = {block.number: block.size for block in blocks}
        types = self.types
        self._recall_sites(blocks)
        work = [number for number in sizes if types.get(number) is not None]
        for each in held:
            for number, ctype, offset in self._decoder.leads(each.layout, each.data):
                if types.learn(number, sizes[number], ctype, offset):
                    work.append(number)
        while work:
            number = work.pop()
            layout = self._layouts.node(types.get(number), sizes[number])
            entry = seen.get(number)
            if entry is not None and entry.layout is layout:
                continue
            if len(contents.get(number, b"")) < layout.size:
                continue
            entry = self._decoder.node(number, layout, contents[number])
            seen[number] = entry
            for pointed, ctype, offset in entry.leads:
                if types.learn(pointed, sizes[pointed], ctype, offset):
                    work.append(pointed)
        return seen

    def _recall_sites(self, blocks: Sequence[Block]) -> None:
        """A block that no pointer has told holds what the statement that allocated it is for."""
        for block in blocks:
            if self._allocates and self.types.get(block.number) is None:
                site = self._code.site(block.allocated_by)
                ctype = self._allocates.get((site.function, site.line)) if site is not None else None
                if ctype is not None:
                    self.types.learn(block.number, block.size, ctype, 0)

    def _node_table(self, blocks: list[Block]) -> dict[NodeId, Node]:
        if self._nodes is not None and self._nodes[0] is blocks and self._nodes[1] == self.types.version:
            return self._nodes[2]
        nodes: dict[NodeId, Node] = {}
        for block in blocks:
            identity = NodeId(block.number)
            ctype = self.types.get(block.number)
            count = 1
            if ctype is not None and self._layouts.flexible(ctype) is None:
                count = max(1, block.size // self._layouts.element_size(ctype))
            nodes[identity] = Node(
                identity,
                block.size,
                ctype,
                count,
                block.state,
                self._code.site(block.allocated_by),
                self._code.site(block.freed_by) if block.freed_by else None,
                array=count != 1,
                address=block.address,
            )
        self._nodes = (blocks, self.types.version, nodes)
        return nodes

    # -- cells -------------------------------------------------------------------------------------

    def _put(
        self,
        cells: dict[Place, Value],
        shapes: list[tuple[ObjectId, Layout]],
        identity: ObjectId,
        layout: Layout,
        values: Sequence[Value],
    ) -> None:
        cells.update(zip(self._places_of(identity, layout), values))
        shapes.append((identity, layout))

    def _places_of(self, identity: ObjectId, layout: Layout) -> tuple[Place, ...]:
        key = (identity, layout)
        places = self._places.get(key)
        if places is None:
            if len(self._places) > 50_000:
                self._places.clear()
            places = tuple(Place(identity, offset) for offset in layout.offsets)
            self._places[key] = places
        return places

    def _types_of_cells(self, shapes: list[tuple[ObjectId, Layout]]) -> dict[Place, CType]:
        key: list[object] = [(identity, id(layout)) for identity, layout in shapes]
        if self._cell_types is not None and self._cell_types[0] == key:
            return self._cell_types[1]
        found: dict[Place, CType] = {}
        for identity, layout in shapes:
            found.update(zip(self._places_of(identity, layout), layout.types))
        self._cell_types = (key, found)
        return found


def place_address(graph: MemoryGraph, place: Place) -> int:
    """The address of a place.  Raises DebuggerError when its object is not in the picture."""
    if isinstance(place.object, NodeId):
        node = graph.nodes.get(place.object)
        if node is not None:
            return node.address + place.offset
    else:
        for variable in graph.variables():
            if variable.id == place.object:
                return variable.address + place.offset
    raise DebuggerError(f"{place.object} has no address here")
