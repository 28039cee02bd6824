"""From a machine's state to a memory graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from wolverine.core.graph import (
    UNINITIALISED,
    External,
    Frame,
    MemoryGraph,
    Node,
    NodeId,
    Place,
    Pointer,
    Union,
    Value,
    Variable,
    VariableId,
)
from wolverine.core.types import (
    ArrayType,
    CType,
    IntType,
    OpaqueType,
    PointerType,
    StructReference,
    VoidType,
)
from wolverine.semantics.address import (
    KIND_SHIFT,
    LITERALS,
    OBJECT_BITS,
    OPAQUE,
    SPOILT,
    cell_key,
    cell_place,
    kind_of,
    node_address,
    number_of,
)
from wolverine.semantics.encoding import BIT_FIELD, DEFAULT_TYPES, decode, held
from wolverine.semantics.machine import Machine
from wolverine.semantics.members import Members

_WORD = (1 << 64) - 1


def graph_of(machine: Machine, start: MemoryGraph, also: Iterable[tuple[CType, Value]] = ()) -> MemoryGraph:
    """The machine's state as a graph; `start` tells types, sites and the frames that are not modelled.

    Nodes that `start` does not know get their type from the pointers that lead to them, in cells or `also`,
    or from their size.
    """
    reader = _Reader(machine, start)
    for kind, value in also:
        reader.led(kind, value)
    return reader.graph()


class _Reader:
    def __init__(self, machine: Machine, start: MemoryGraph) -> None:
        self._machine = machine
        self._start = start
        self._types = start.types
        self._code = machine.code
        self._cells: dict[Place, Value] = {}
        self._cell_types: dict[Place, CType] = {}
        self._unions: dict[Place, Union] = {}
        self._members = Members(start.types)
        self._found: dict[int, CType] = {}
        self._read_as: dict[int, CType] = {}
        self._work: list[int] = []
        self._scalars: dict[CType, tuple[tuple[int, CType], ...]] = {}
        self._literals: dict[int, bytes] = {}
        self._names: dict[int, str] = {}

    def graph(self) -> MemoryGraph:
        frames = tuple(self._frames())
        for variable in (*self._globals(), *(v for f in frames for v in f.variables)):
            base = self._machine.layout.object_address(variable.id)
            if base is not None:
                self._read(variable.id, base, variable.type)
        nodes = dict(self._nodes())
        outside = self._start.outside
        if self._literals:
            outside = replace(outside, strings={**outside.strings, **self._literals})
        if self._names:
            outside = replace(outside, symbols={**outside.symbols, **self._names})
        return MemoryGraph(
            self._types,
            frames,
            self._globals(),
            nodes,
            self._cells,
            self._cell_types,
            outside,
            unions=self._unions,
            stretches=self._start.stretches if self._machine.memory.stretches else {},
        )

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
        for number in range(1, memory.node_count + 1):
            known = start.get(NodeId(number))
            if known is not None and known.type is not None and memory.node_size(number) == known.size:
                self._visit(number, known.type)
        nodes: dict[int, tuple[CType | None, int]] = dict(self._typed())
        made = self._code.sizes_made
        for number in range(1, memory.node_count + 1):
            size = memory.node_size(number)
            if number in self._found or size is None or size not in made:
                continue
            if self._may_be(number, made[size]):  # only void * leads there
                self._visit(number, made[size])
        nodes |= self._typed()
        for number in range(1, memory.node_count + 1):
            node_size = memory.node_size(number)
            if node_size is None:
                continue
            node_type, count = nodes.get(number, (None, 1))
            if node_type is None:
                for key, raw in memory.node_cells(number):
                    default = DEFAULT_TYPES.get(key >> KIND_SHIFT, BIT_FIELD)
                    place = Place(NodeId(number), cell_place(key))
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
                    known.callers if known is not None else (),
                ),
            )

    def _typed(self) -> Iterator[tuple[int, tuple[CType, int]]]:
        """The nodes whose type has been told, with it and how many such they hold."""
        while self._work:
            number = self._work.pop()
            ctype, size = self._found[number], self._machine.memory.node_size(number) or 0
            if self._read_as.get(number, ctype) != ctype:
                for at in range(size):
                    self._cells.pop(Place(NodeId(number), at), None)
                    self._cell_types.pop(Place(NodeId(number), at), None)
            self._read_as[number] = ctype
            yield number, (ctype, self._types.count(ctype, size))
            self._read_cells(NodeId(number), node_address(number), tuple(self._types.filling(ctype, size)))

    def _may_be(self, number: int, ctype: CType) -> bool:
        """Whether a value of that type has all cells that the node holds."""
        size, address = self._machine.memory.node_size(number) or 0, node_address(number)
        scalars = [*self._types.filling(ctype, size)]
        if any(kind_of(scalar) in (SPOILT, OPAQUE) for _, scalar in scalars):
            return True  # what these hold has cells of other kinds
        keys = {cell_key(scalar, address + at) for at, scalar in scalars}
        return all(key in keys for key, _ in self._machine.memory.node_cells(number))

    def _visit(self, number: int, ctype: CType) -> None:
        """Take the type for that of a node, if none is known or nothing but that it has characters."""
        known = self._found.get(number)
        if known is None or (_is_character(known) and not _is_character(ctype)):
            self._found[number] = ctype
            self._work.append(number)

    def _read(self, identity: NodeId | VariableId, base: int, ctype: CType, offset: int = 0) -> None:
        if ctype not in self._scalars:
            self._scalars[ctype] = tuple(self._types.scalars(ctype))
        self._read_cells(identity, base, self._scalars[ctype], offset)

    def _read_cells(
        self,
        identity: NodeId | VariableId,
        base: int,
        scalars: Iterable[tuple[int, CType]],
        offset: int = 0,
    ) -> None:
        machine, cells = self._machine, self._cells
        stretches = machine.memory.stretches.get(number_of(base)) if machine.memory.stretches else None
        for at, scalar in scalars:
            if stretches and self._is_repeated(base + offset + at, scalar):
                continue
            if isinstance(scalar, OpaqueType) and scalar.union:
                self._read_union(Place(identity, offset + at), base + offset + at, scalar)
                continue
            raw = held(machine.memory, base + offset + at, kind_of(scalar))
            place = Place(identity, offset + at)
            value = cells[place] = decode(machine, raw, scalar)
            self._cell_types[place] = scalar
            if isinstance(value, External) and value.address >= LITERALS:
                self._literal(value.address - LITERALS)
            self.led(scalar, value)

    def _is_repeated(self, address: int, scalar: CType) -> bool:
        """Whether a cell holds what its stretch says."""
        memory, key = self._machine.memory, cell_key(scalar, address)
        known = memory.repeated(key)
        return known is not None and memory.cells.get(key, known) == known

    def _read_union(self, place: Place, address: int, ctype: OpaqueType) -> None:
        parts = self._members.of(self._machine.memory, address, ctype)
        self._unions[place] = Union(ctype, b"\xcd" * self._types.size(ctype), parts or ())
        if not parts:
            self._cells[place], self._cell_types[place] = UNINITIALISED, ctype
        for part in parts or ():
            self._read(place.object, address - place.offset, part.type, place.offset + part.offset)

    def led(self, kind: CType, value: Value) -> None:
        """Take the type of a node from that of a pointer to it."""
        if not isinstance(value, Pointer) or not isinstance(value.object, NodeId):
            return
        target = kind.target if isinstance(kind, PointerType) else VoidType()
        size = self._machine.memory.node_size(value.object.number)
        for carrier in self._code.carriers:
            whole = StructReference(carrier.tag)
            if (target, value.offset, size) == (
                StructReference(carrier.link),
                carrier.offset,
                self._types.size(whole),
            ):
                self._visit(value.object.number, whole)
        plain = not isinstance(target, (VoidType, ArrayType))
        piece = self._types.size(target) if plain else 0
        if piece and (value.offset == 0 or self._divided(value.object, value.offset, piece)):
            self._visit(value.object.number, target)

    def _divided(self, node: NodeId, offset: int, piece: int) -> bool:
        """Whether nothing is known but that the node has characters, and one of its pieces begins there."""
        size = self._machine.memory.node_size(node.number) or 0
        known = self._found.get(node.number)
        return known is not None and _is_character(known) and piece <= size and offset % piece == 0

    def _literal(self, address: int) -> None:
        """Note the text of a literal of the model, or the name of a library's function."""
        number = address >> OBJECT_BITS
        data = self._machine.layout.literal_data(number)
        if data is not None:
            self._literals[LITERALS + (number << OBJECT_BITS)] = data
        elif (name := self._machine.layout.literal_name(number)) is not None:
            self._names[LITERALS + (number << OBJECT_BITS)] = name


def _is_character(ctype: CType) -> bool:
    return isinstance(ctype, IntType) and ctype.size == 1
