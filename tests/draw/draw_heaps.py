"""Small heaps to draw, built by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from wolverine.core.graph import (
    UNINITIALISED,
    Frame,
    MemoryGraph,
    Node,
    NodeId,
    ObjectId,
    Place,
    Pointer,
    Value,
    Variable,
    VariableId,
)
from wolverine.core.types import INT, ArrayType, CType, Field, PointerType, StructReference, StructType, Types


def struct(tag: str, *fields: tuple[str, CType]) -> StructType:
    """A struct whose fields stand every eight bytes (arrays and structs: as large as they are)."""
    offset, found = 0, []
    types = Types(_KNOWN)
    for name, ctype in fields:
        found.append(Field(name, offset, ctype))
        offset += max(8, -(-types.size(ctype) // 8) * 8)
    made = StructType(tag, offset, tuple(found))
    _KNOWN[tag] = made
    return made


_KNOWN: dict[str, StructType] = {}


def to(tag: str) -> PointerType:
    return PointerType(StructReference(tag))


SINGLE = struct("cell", ("data", INT), ("next", to("cell")))
DOUBLE = struct("node", ("data", INT), ("next", to("node")), ("prev", to("node")))
TREE = struct("tree", ("key", INT), ("left", to("tree")), ("right", to("tree")))
PARENT = struct("ptree", ("key", INT), ("left", to("ptree")), ("right", to("ptree")), ("parent", to("ptree")))


def n(number: int) -> Pointer:
    return Pointer(NodeId(number))


class Heap:
    """Collects nodes and variables; `graph()` freezes them."""

    def __init__(self, function: str = "main") -> None:
        self.types = Types(_KNOWN)
        self.function = function
        self.nodes: dict[NodeId, Node] = {}
        self.cells: dict[Place, Value] = {}
        self.cell_types: dict[Place, CType] = {}
        self.frames: dict[int, tuple[str, list[Variable]]] = {0: (function, [])}
        self.globals: list[Variable] = []

    def fill(self, target: ObjectId, ctype: CType, values: Sequence[Value]) -> None:
        scalars = list(self.types.scalars(ctype))
        for index, (offset, kind) in enumerate(scalars):
            value = values[index] if index < len(values) else UNINITIALISED
            self.cells[Place(target, offset)] = value
            self.cell_types[Place(target, offset)] = kind

    def node(
        self, number: int, tag: str, *values: Value, count: int = 1, ctype: CType | None = None
    ) -> NodeId:
        identifier = NodeId(number)
        kind = ctype or StructReference(tag)
        size = self.types.size(kind) * count
        self.nodes[identifier] = Node(identifier, size, kind, count, array=count > 1)
        self.fill(identifier, ArrayType(kind, count) if count > 1 else kind, values)
        return identifier

    def variable(
        self, name: str, ctype: CType, *values: Value, depth: int = 0, function: str = "", static: str = ""
    ) -> VariableId:
        """A local, with depth -1 a global, or a static of the function of that name."""
        depth = -1 if static else depth
        function = function or self.function
        identifier = VariableId(depth, static if depth < 0 else function, name)
        made = Variable(identifier, ctype)
        if depth < 0:
            self.globals.append(made)
        else:
            self.frames.setdefault(depth, (function, []))[1].append(made)
        self.fill(identifier, ctype, values)
        return identifier

    def set(self, number: int, field: str, value: Value) -> None:
        node = self.nodes[NodeId(number)]
        assert isinstance(node.type, StructReference)
        found = self.types.structs[node.type.tag].field(field)
        assert found is not None
        self.cells[Place(NodeId(number), found.offset)] = value

    def assign(self, name: str, value: Value) -> None:
        place = next(p for p in self.cells if isinstance(p.object, VariableId) and p.object.name == name)
        self.cells[place] = value

    def free(self, number: int) -> None:
        self.nodes[NodeId(number)] = replace(self.nodes[NodeId(number)], state="freed")

    def graph(self) -> MemoryGraph:
        frames = tuple(
            Frame(depth, function, tuple(variables))
            for depth, (function, variables) in sorted(self.frames.items(), reverse=True)
        )
        types = Types(dict(_KNOWN))
        nodes, cells, kinds = dict(self.nodes), dict(self.cells), dict(self.cell_types)
        return MemoryGraph(types, frames, tuple(self.globals), nodes, cells, kinds)


def double_list(count: int, names: Mapping[str, int] | None = None) -> Heap:
    heap = Heap()
    for k in range(1, count + 1):
        heap.node(k, "node", k * 10, n(k + 1) if k < count else None, n(k - 1) if k > 1 else None)
    for name, target in (names or {"head": 1}).items():
        heap.variable(name, to("node"), n(target) if target else None)
    return heap


def single_list(count: int, ring: bool = False) -> Heap:
    heap = Heap()
    for k in range(1, count + 1):
        heap.node(k, "cell", k, n(k + 1) if k < count else n(1) if ring else None)
    heap.variable("head", to("cell"), n(1))
    return heap


def tree(count: int) -> Heap:
    """A complete binary tree in heap order."""
    heap = Heap()
    for k in range(1, count + 1):
        left, right = (n(2 * k) if 2 * k <= count else None), (n(2 * k + 1) if 2 * k < count else None)
        heap.node(k, "tree", k, left, right)
    heap.variable("root", to("tree"), n(1))
    return heap
