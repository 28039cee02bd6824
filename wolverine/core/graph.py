"""Memory graphs (Zimmermann and Zeller, as in Wolverine2 section 3): frozen pictures of a process' state.

A place is an object and a byte offset in it; an object is a heap node (an allocation) or a variable.
Values are symbolic: pointers name objects, never addresses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from wolverine.core.types import CType, Types


class NodeId(NamedTuple):
    """The `number`-th allocation of the program's own code, from 1; printed as `n4`."""

    number: int


class VariableId(NamedTuple):
    """A variable.

    `depth` counts activations from the outermost (main is 0) and is -1 for a global or a static;
    `name` is the source name, with `@LINE` of its declaration behind it where a function declares the
    name more than once.  `function` is "" for a file-scope variable.
    """

    depth: int
    function: str
    name: str


ObjectId = NodeId | VariableId


class Place(NamedTuple):
    """A cell: byte `offset` into `object`."""

    object: ObjectId
    offset: int


class Pointer(NamedTuple):
    """The address of byte `offset` of `object`, which may be a freed node (then it dangles)."""

    object: ObjectId
    offset: int = 0


class Uninitialised(NamedTuple):
    """Never written."""


class Wild(NamedTuple):
    """A pointer that leads into no known object."""

    address: int


class External(NamedTuple):
    """A pointer to memory outside the picture: a string literal, a library's object, code."""

    address: int


class Opaque(NamedTuple):
    """Bytes that are carried and compared, not understood."""

    data: bytes


UNINITIALISED = Uninitialised()

# None is the null pointer.
Value = int | float | None | Pointer | Uninitialised | Wild | External | Opaque

NodeState = Literal["live", "freed"]


@dataclass(frozen=True, slots=True)
class Site:
    """A place in the source: file as given, line from 1, function."""

    file: str
    line: int
    function: str = ""


@dataclass(frozen=True, slots=True)
class Node:
    """An allocation: `size` bytes, seen as `count` elements of `type` (None: no pointer told its type).

    `array` is true when the node is shown as a list although `count` may be 1.
    """

    id: NodeId
    size: int
    type: CType | None = None
    count: int = 1
    state: NodeState = "live"
    allocated: Site | None = None
    freed: Site | None = None
    array: bool = False
    address: int = 0


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable in view; `parameter` for those of a function's head."""

    id: VariableId
    type: CType
    parameter: bool = False
    address: int = 0


@dataclass(frozen=True, slots=True)
class Frame:
    """An activation of a function of the program, `depth` 0 being main."""

    depth: int
    function: str
    variables: tuple[Variable, ...]
    line: int = 0


@dataclass(frozen=True, slots=True)
class Outside:
    """What is known of memory outside the picture (arguments, string literals), by address.

    `strings` are characters with the final zero if it was found, `pointers` single cells.
    """

    strings: Mapping[int, bytes] = field(default_factory=dict)
    pointers: Mapping[int, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class MemoryGraph:
    """All that is known of the state at one stop.

    `frames` stand innermost first; `cells` holds every scalar of every variable and node (also of
    freed nodes).  `leaked` are the live nodes that no variable reaches.  `outside` is what external
    pointers to characters lead to; it is read, not drawn and not compared.
    """

    types: Types
    frames: tuple[Frame, ...] = ()
    globals: tuple[Variable, ...] = ()
    nodes: Mapping[NodeId, Node] = field(default_factory=dict)
    cells: Mapping[Place, Value] = field(default_factory=dict)
    cell_types: Mapping[Place, CType] = field(default_factory=dict)
    outside: Outside = Outside()

    def variables(self) -> Iterator[Variable]:
        """Globals, then the variables of the frames, innermost first."""
        yield from self.globals
        for frame in self.frames:
            yield from frame.variables

    def reachable(self) -> frozenset[NodeId]:
        """The nodes that some variable leads to, over live and freed nodes."""
        outgoing: dict[ObjectId, list[NodeId]] = {}
        for place, value in self.cells.items():
            if isinstance(value, Pointer) and isinstance(value.object, NodeId):
                outgoing.setdefault(place.object, []).append(value.object)
        seen: set[NodeId] = set()
        work: list[ObjectId] = [variable.id for variable in self.variables()]
        while work:
            for target in outgoing.get(work.pop(), ()):
                if target not in seen:
                    seen.add(target)
                    work.append(target)
        return frozenset(seen)

    def leaked(self) -> frozenset[NodeId]:
        """The live nodes that no variable reaches."""
        seen = self.reachable()
        return frozenset(n for n, node in self.nodes.items() if node.state == "live" and n not in seen)


def changed_places(before: MemoryGraph, after: MemoryGraph) -> frozenset[Place]:
    """The places of `after` that are new or hold another value than in `before`."""
    missing = object()
    return frozenset(
        place for place, value in after.cells.items() if before.cells.get(place, missing) != value
    )
