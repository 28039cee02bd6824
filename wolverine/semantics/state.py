"""Between memory graphs and machine states, both ways (Wolverine2 section 3, memory graphs)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wolverine.core.graph import (
    UNINITIALISED,
    External,
    Frame,
    MemoryGraph,
    Node,
    NodeId,
    Opaque,
    Place,
    Pointer,
    Uninitialised,
    Value,
    Variable,
    VariableId,
    Wild,
)
from wolverine.core.types import (
    CHAR,
    INT,
    LONG,
    VOID_POINTER,
    ArrayType,
    CType,
    FloatType,
    IntType,
    OpaqueType,
    PointerType,
    VoidType,
)
from wolverine.semantics.address import (
    ADDRESS_MASK,
    CELL_KINDS,
    COUNT_KEY,
    EXTERNAL,
    FLOAT4,
    FLOAT8,
    FLOAT16,
    HIDDEN,
    INT1,
    INT2,
    INT4,
    INT8,
    KIND_SHIFT,
    LITERAL,
    LOCALS,
    OPAQUE,
    POINTER,
    STATE_KEY,
    WILD,
    ZEROED_KEY,
    kind_of,
    node_address,
    number_of,
    offset_of,
    signed_raw,
)
from wolverine.semantics.faults import Unmodelled
from wolverine.semantics.layout import Layout
from wolverine.semantics.machine import Activation, Machine
from wolverine.semantics.memory import Memory
from wolverine.semantics.unknown import Unknown

Stack = Sequence[tuple[str, int]]

_WORD = (1 << 64) - 1
_DEFAULT_TYPES: Mapping[int, CType] = {
    POINTER: VOID_POINTER, INT1: CHAR, INT2: IntType("short", 2), INT4: INT, INT8: LONG,
    FLOAT4: FloatType("float", 4), FLOAT8: FloatType("double", 8), FLOAT16: FloatType("long double", 16),
    OPAQUE: OpaqueType("", 1),
}  # fmt: skip


# -- values ------------------------------------------------------------------------------------------


def encode(layout: Layout, value: Value, ctype: CType | None) -> Any:
    """What a cell of that type holds for a graph's value; None for uninitialised."""
    match value:
        case None:
            return 0
        case Uninitialised():
            return None
        case Pointer(identity, offset):
            base = layout.object_address(identity)
            return WILD + (hash(value) & _WORD) if base is None else base + offset
        case External(address):
            return EXTERNAL + (address & _WORD)
        case Wild(address):
            return WILD + (address & _WORD)
        case Opaque():
            return value
        case float():
            return value
    if isinstance(ctype, PointerType):
        return WILD + (value & _WORD) if value else 0
    if isinstance(ctype, FloatType):
        return float(value)
    return signed_raw(value, ctype.size if isinstance(ctype, IntType) else 8)


def decode(machine: Machine, raw: Any, ctype: CType) -> Value:
    """The graph's value of what a cell of that type holds."""
    if raw is None or isinstance(raw, Unknown):
        return UNINITIALISED
    if isinstance(raw, (float, Opaque)):
        return raw
    if isinstance(ctype, PointerType):
        return decode_pointer(machine, raw)
    if isinstance(ctype, IntType) and not ctype.signed:
        return int(raw) & (1 << 8 * ctype.size) - 1
    return int(raw)


def decode_pointer(machine: Machine, raw: int) -> Value:
    """The graph's value of a pointer."""
    if raw == 0:
        return None
    if raw >= LITERAL:
        return External(0)  # a string literal: its address is the process' business
    if raw >= WILD:
        return Wild(raw - WILD)
    if raw >= EXTERNAL:
        return External(raw - EXTERNAL)
    found = machine.layout.object_at(raw, machine.function_at)
    if found is None or (isinstance(found, NodeId) and machine.memory.node_size(found.number) is None):
        return Wild(raw & _WORD)
    return Pointer(found, offset_of(raw))


def guess_kinds(value: Value) -> tuple[int, ...]:
    """The kinds that a cell with such a value may have, likeliest first."""
    if isinstance(value, float):
        return (FLOAT8, FLOAT4, FLOAT16)
    if isinstance(value, int):
        return (INT4, INT8, INT1, INT2, POINTER)
    if isinstance(value, Opaque):
        return (OPAQUE,)
    return (POINTER,)


# -- from a graph to a machine -----------------------------------------------------------------------


@dataclass(frozen=True)
class Encoded:
    """A graph in the model's terms: raw value by cell key (None: uninitialised), and the cells' places.

    `nodes` has each node's bookkeeping cell; `count` is the highest node number.
    """

    cells: dict[int, Any]
    places: dict[int, Place]
    nodes: dict[int, int]
    count: int


def encode_graph(layout: Layout, graph: MemoryGraph) -> Encoded:
    """All cells of a graph that belong to nodes and to variables of the program."""
    bases: dict[Any, int | None] = {}
    cells: dict[int, Any] = {}
    places: dict[int, Place] = {}
    types = graph.cell_types
    scalars: dict[VariableId, dict[int, CType]] = {}
    for place, value in graph.cells.items():
        identity, offset = place
        base = bases.get(identity, -1)
        if base == -1:
            base = bases[identity] = layout.object_address(identity)
        if base is None:
            continue
        ctype = types.get(place)
        if isinstance(identity, VariableId):
            if identity not in scalars:
                scalars[identity] = dict(layout.types.scalars(layout.variable_type(identity) or VoidType()))
            ctype = scalars[identity].get(offset, ctype)
        kind = guess_kinds(value)[0] if ctype is None else kind_of(ctype)
        key = base + offset + (kind << KIND_SHIFT)
        cells[key] = value if type(value) is int and ctype == INT else encode(layout, value, ctype)
        places[key] = place
    nodes = {}
    for identity, node in graph.nodes.items():
        nodes[node_address(identity.number) + STATE_KEY] = (
            node.size if node.state == "live" else -1 - node.size
        )
    return Encoded(cells, places, nodes, max((n.number for n in graph.nodes), default=0))


def seat(
    machine: Machine,
    graph: MemoryGraph,
    stack: Stack,
    *,
    numbers: Sequence[int] | None = None,
) -> None:
    """Put the machine into the state of `graph`, at the position `stack` (innermost first).

    The stack's frames are the innermost of the graph's; further frames of the graph keep their
    variables.  Activations are numbered 0, -1, -2 ... from the innermost out unless `numbers` says
    otherwise.  What is uninitialised in the graph and every temporary is uninitialised.
    """
    memory = machine.memory
    memory.cells.clear()
    memory.forget()
    encoded = encode_graph(machine.layout, graph)
    memory.cells.update((k, v) for k, v in encoded.cells.items() if v is not None)
    memory.cells.update(encoded.nodes)
    memory.cells[COUNT_KEY] = encoded.count
    memory.admit(encoded.cells)
    if memory.strict:
        for key, state in encoded.nodes.items():
            if state < 0:
                for held, value in list(memory.node_cells(number_of(key & ADDRESS_MASK))):
                    memory.put(held, None)
                    memory.put(held + HIDDEN, value)
        memory.forget()
    machine.outer = {frame.depth: frame.function for frame in graph.frames}
    set_stack(machine, stack, graph.frames, numbers)


def set_stack(
    machine: Machine, stack: Stack, frames: Sequence[Frame], numbers: Sequence[int] | None = None
) -> None:
    """Let the machine stand at that position; see `seat`.

    The stack is cut at the first caller that is not modelled.
    """
    known: list[tuple[int, int, str, int]] = []
    for index, (function, instruction) in enumerate(stack):
        depth = frames[index].depth if index < len(frames) else len(stack) - 1 - index
        try:
            machine.linked(function)
        except Unmodelled:
            if not known:
                raise
            break
        known.append((depth, -index if numbers is None else numbers[index], function, instruction))
    frame: Activation | None = None
    back = 0
    for depth, number, function, instruction in reversed(known):
        frame = Activation(machine.linked(function), depth, number, back, frame)
        back = instruction
    machine.frame = frame
    machine.pc = back
    if numbers is None:
        machine.activations = 1


def surviving_numbers(machine: Machine, stack: Stack, frames: Sequence[Frame]) -> tuple[list[int], int]:
    """Activation numbers for a new stack, innermost first, and the next free number.

    An activation goes on if all further out do, and if it is still inside the same call; others are new.
    """
    old: dict[int, tuple[str, int, int]] = {}
    frame, pc = machine.frame, machine.pc
    while frame is not None:
        old[frame.depth] = (frame.linked.name, pc, frame.number)
        pc, frame = frame.back, frame.caller
    numbers: list[int] = []
    following, surviving = machine.activations, True
    for index in range(len(stack) - 1, -1, -1):
        function, instruction = stack[index]
        depth = frames[index].depth if index < len(frames) else len(stack) - 1 - index
        known = old.get(depth)
        if surviving and known is not None and known[0] == function:
            numbers.append(known[2])
            surviving = known[1] == instruction
        else:
            numbers.append(following)
            following += 1
            surviving = False
    return numbers[::-1], following


# -- from a machine to a graph -----------------------------------------------------------------------


def graph_of(machine: Machine, start: MemoryGraph) -> MemoryGraph:
    """The machine's state as a graph; `start` tells types, sites and the frames that are not modelled.

    Nodes that `start` does not know get their type from the pointers that lead to them.
    """
    return _Reader(machine, start).graph()


class _Reader:
    def __init__(self, machine: Machine, start: MemoryGraph) -> None:
        self._machine = machine
        self._start = start
        self._types = start.types
        self._cells: dict[Place, Value] = {}
        self._cell_types: dict[Place, CType] = {}
        self._found: dict[int, CType] = {}
        self._work: list[int] = []
        self._scalars: dict[CType, tuple[tuple[int, CType], ...]] = {}

    def graph(self) -> MemoryGraph:
        frames = tuple(self._frames())
        for variable in (*self._globals(), *(v for f in frames for v in f.variables)):
            base = self._machine.layout.object_address(variable.id)
            if base is not None:
                self._read(variable.id, base, variable.type)
        nodes = dict(self._nodes())
        return MemoryGraph(self._types, frames, self._globals(), nodes, self._cells, self._cell_types)

    def _globals(self) -> tuple[Variable, ...]:
        if self._start.globals:
            return self._start.globals
        references = self._machine.layout.globals
        return tuple(Variable(VariableId(-1, g.function, g.name), g.type) for g in references)

    def _frames(self) -> Iterator[Frame]:
        machine = self._machine
        lines = {frame.depth: frame for frame in self._start.frames}
        frame = machine.frame
        depth = frame.depth + 1 if frame is not None else 0
        while frame is not None:
            depth, name = frame.depth, frame.linked.name
            function = machine.program.functions[name]
            parameters = {p.name for p in function.parameters}
            yield Frame(
                depth,
                name,
                tuple(
                    Variable(VariableId(depth, name, v.name), v.type, v.name in parameters)
                    for v in machine.layout.variables(name)
                    if not v.name.startswith("$")
                ),
            )
            frame = frame.caller
        yield from (lines[d] for d in sorted(lines, reverse=True) if d < depth)

    def _nodes(self) -> Iterator[tuple[NodeId, Node]]:
        memory, start = self._machine.memory, self._start.nodes
        nodes: dict[int, tuple[CType | None, int]] = {}
        for number in range(1, memory.node_count + 1):
            known = start.get(NodeId(number))
            if known is not None and known.type is not None and memory.node_size(number) == known.size:
                self._visit(number, known.type)
        while self._work:
            number = self._work.pop()
            ctype, size = self._found[number], memory.node_size(number) or 0
            element = self._types.size(ctype)
            count = size // element if element else 0
            nodes[number] = (ctype, count)
            for index in range(count):
                base = node_address(number)
                self._read(NodeId(number), base, ctype, index * element)
        for number in range(1, memory.node_count + 1):
            node_size = memory.node_size(number)
            if node_size is None:
                continue
            node_type, count = nodes.get(number, (None, 1))
            if node_type is None:
                for key, raw in memory.node_cells(number):
                    default = _DEFAULT_TYPES[key >> KIND_SHIFT]
                    place = Place(NodeId(number), offset_of(key & ADDRESS_MASK))
                    self._cells[place] = decode(self._machine, raw, default)
                    self._cell_types[place] = default
            known = start.get(NodeId(number))
            yield (
                NodeId(number),
                Node(
                    NodeId(number),
                    node_size,
                    node_type,
                    count,
                    "live" if memory.node_live(number) else "freed",
                    known.allocated if known is not None else None,
                    known.freed if known is not None else None,
                    known.array if known is not None else count > 1,
                    known.address if known is not None else 0,
                ),
            )

    def _visit(self, number: int, ctype: CType) -> None:
        if number not in self._found:
            self._found[number] = ctype
            self._work.append(number)

    def _read(self, identity: NodeId | VariableId, base: int, ctype: CType, offset: int = 0) -> None:
        if ctype not in self._scalars:
            self._scalars[ctype] = tuple(self._types.scalars(ctype))
        machine, cells = self._machine, self._cells
        for at, scalar in self._scalars[ctype]:
            raw = held(machine.memory, base + offset + at, kind_of(scalar))
            place = Place(identity, offset + at)
            value = cells[place] = decode(machine, raw, scalar)
            self._cell_types[place] = scalar
            if isinstance(value, Pointer) and isinstance(value.object, NodeId) and value.offset == 0:
                target = scalar.target if isinstance(scalar, PointerType) else VoidType()
                if self._types.size(target) and not isinstance(target, (VoidType, ArrayType)):
                    self._visit(value.object.number, target)


def held(memory: Memory, address: int, kind: int) -> Any:
    """What the cell of that kind at an address holds, zero where calloc cleared it, None if nothing."""
    key = address + (kind << KIND_SHIFT)
    raw = memory.cells.get(key)
    if raw is None and memory.strict:
        raw = memory.cells.get(key + HIDDEN)
    if raw is None:
        zeroed = memory.cells.get(address - offset_of(address) + ZEROED_KEY)
        if zeroed is not None and 0 <= offset_of(address) < zeroed:
            return 0.0 if FLOAT4 <= kind <= FLOAT16 else 0
    return raw


# -- comparing a machine with a graph ----------------------------------------------------------------


class Comparison:
    """Whether a machine is in the state of a graph: cells that the machine never wrote do not count."""

    def __init__(self, layout: Layout, graph: MemoryGraph) -> None:
        self.encoded = encode_graph(layout, graph)
        self._depths = {frame.depth: frame.function for frame in graph.frames}
        self._order = list(self.encoded.cells)

    def differs(self, machine: Machine) -> bool:
        """Whether any cell or node differs; remembers where, so that the next call is quick."""
        if any(self._nodes(machine)):
            return True
        cells, wanted, get = self._order, self.encoded.cells, machine.memory.cells.get
        for index, key in enumerate(cells):
            have = get(key)
            if have is not wanted[key] and self._cell(machine, key, have):
                cells.insert(0, cells.pop(index))
                return True
        return False

    def differences(self, machine: Machine) -> tuple[Place, ...]:
        """The places that differ, and byte 0 of each node that is there, live or freed on one side only."""
        get = machine.memory.cells.get
        found = [Place(NodeId(number), 0) for number in self._nodes(machine)]
        wanted, places = self.encoded.cells, self.encoded.places
        return (*found, *(places[k] for k in wanted if self._cell(machine, k, get(k))))

    def unknowns(self, machine: Machine) -> Iterator[tuple[Unknown, Any]]:
        """The unknown values of the machine's cells with the process' values."""
        get = machine.memory.cells.get
        for key, wanted in self.encoded.cells.items():
            have = get(key)
            if isinstance(have, Unknown) and wanted is not None:
                yield have, wanted

    def _nodes(self, machine: Machine) -> Iterator[int]:
        get = machine.memory.cells.get
        for key, wanted in self.encoded.nodes.items():
            if get(key) != wanted:
                number = number_of(key & ADDRESS_MASK)
                size = machine.memory.node_size(number)
                if size is None or (get(key, 0) < 0) != (wanted < 0):
                    yield number
        for number in range(self.encoded.count + 1, machine.memory.node_count + 1):
            yield number

    def _cell(self, machine: Machine, key: int, have: Any) -> bool:
        """Whether a cell that holds `have` in the model differs from the graph's."""
        wanted = self.encoded.cells[key]
        if isinstance(have, Unknown):
            return False
        if have is None:
            if wanted is None or not self._zeroed(machine, key):
                return False
            have = 0
        if wanted is None:
            return True
        if type(have) is int and type(wanted) is int and key >> KIND_SHIFT == POINTER:
            if have >= LITERAL:
                return not EXTERNAL <= wanted < WILD
            if wanted >= EXTERNAL and number_of(have) >= LOCALS and have < EXTERNAL:
                return machine.layout.object_at(have, machine.function_at) is not None
        return bool(have != wanted)

    def _zeroed(self, machine: Machine, key: int) -> bool:
        address = key & ADDRESS_MASK
        if machine.memory.cells.get(address - offset_of(address) + ZEROED_KEY) is None:
            return False
        return not any(address + (kind << KIND_SHIFT) in machine.memory.cells for kind in CELL_KINDS)


def scalar_type(layout: Layout, graph: MemoryGraph, place: Place) -> CType | None:
    """The type of a cell: declared for a variable's, seen in the graph for a node's."""
    if isinstance(place.object, VariableId):
        declared = layout.variable_type(place.object)
        if declared is not None:
            return next((t for offset, t in layout.types.scalars(declared) if offset == place.offset), None)
    return graph.cell_types.get(place)
