"""Memory graphs (Zimmermann and Zeller, as in Wolverine2 section 3): frozen pictures of a process' state.

A place is an object and a byte offset in it; an object is a heap node (an allocation) or a variable.
Values are symbolic: pointers name objects, never addresses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Literal, NamedTuple
from weakref import ref

from wolverine.core.types import ArrayType, CType, OpaqueType, Types, byte_of


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

    `array` is true when the node is shown as a list although `count` may be 1.  `callers` are the calls that
    led to the one at `allocated`, innermost first, as far as they are known.
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
    callers: tuple[Site, ...] = ()


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
class Part:
    """A scalar or an array in a union: its path there (`pair.a`), where it begins, what it is."""

    path: str
    offset: int
    type: CType

    @property
    def first(self) -> str:
        """The member of the union itself that it belongs to."""
        return self.path.partition(".")[0].partition("[")[0]


@dataclass(frozen=True, slots=True)
class Union:
    """A union: its bytes, and what the member is made of that is in use; nothing where that is not known."""

    type: OpaqueType
    data: bytes
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Outside:
    """What is known of memory outside the picture (arguments, string literals), by address.

    `strings` are characters with the final zero if it was found, `pointers` single cells.
    `functions` has where each function of the program begins; a pointer to it leads to a global of its name.
    `symbols` names the functions of libraries that something points to.
    """

    strings: Mapping[int, bytes] = field(default_factory=dict)
    pointers: Mapping[int, Value] = field(default_factory=dict)
    functions: Mapping[str, int] = field(default_factory=dict)
    symbols: Mapping[int, str] = field(default_factory=dict)

    def text(self, address: int) -> bytes | None:
        """The characters from an address on, which may lie inside of what is known."""
        if address in self.strings:
            return self.strings[address]
        inside = (
            data[address - begin :]
            for begin, data in self.strings.items()
            if begin < address < begin + len(data)
        )
        return next(inside, None)


@dataclass(frozen=True, slots=True)
class Stretch:
    """`count` cells of an array that all hold one value: from `offset` on, one every `step` bytes.

    They lie in a row, or are one field of an array of structs.
    """

    offset: int
    count: int
    step: int
    type: CType
    value: int | None

    @property
    def offsets(self) -> range:
        """Where the cells stand in their object."""
        return range(self.offset, self.offset + self.count * self.step, self.step)


@dataclass(frozen=True)
class MemoryGraph:
    """All that is known of the state at one stop.

    `frames` stand innermost first; `cells` holds every scalar of every variable and node (also of freed
    nodes). Of a union, which `unions` has by its place, these are the scalars of the member that is in use;
    where that is not known, all of its bytes are one cell. `leaked` are the live nodes that no variable
    reaches. `outside` is what external pointers to characters lead to; it is read, not drawn and not
    compared. `unread` nodes of a huge heap were not looked at. `returned` is a node that a call has
    returned and no variable may hold yet; `pending` is what the statements under way have evaluated and
    still need, in temporaries that the process does not show: of `join(build(1), build(2))` the first
    result while the second is built. Of fresh heaps the `stretches` of objects are no cells by themselves.
    """

    types: Types
    frames: tuple[Frame, ...] = ()
    globals: tuple[Variable, ...] = ()
    nodes: Mapping[NodeId, Node] = field(default_factory=dict)
    cells: Mapping[Place, Value] = field(default_factory=dict)
    cell_types: Mapping[Place, CType] = field(default_factory=dict)
    outside: Outside = Outside()
    unread: int = 0
    returned: NodeId | None = field(default=None, compare=False)
    pending: Mapping[Place, Value] = field(default_factory=dict, compare=False)
    unions: Mapping[Place, Union] = field(default_factory=dict, compare=False)
    stretches: Mapping[ObjectId, tuple[Stretch, ...]] = field(default_factory=dict, compare=False)

    def variables(self) -> Iterator[Variable]:
        """Globals, then the variables of the frames, innermost first."""
        yield from self.globals
        for frame in self.frames:
            yield from frame.variables

    def type_of(self, held: ObjectId) -> CType | None:
        """The type of a variable, or of a node as far as one is known; None for anything else."""
        if isinstance(held, NodeId):
            node = self.nodes.get(held)
            return node.type if node is not None else None
        return self._held.get(held)

    @cached_property
    def _held(self) -> Mapping[ObjectId, CType]:
        return {variable.id: variable.type for variable in self.variables()}

    def led_to(self, depth: int) -> Set[ObjectId]:
        """What the globals and the variables of the activation at `depth` lead to, themselves included."""
        outgoing: dict[ObjectId, list[ObjectId]] = {}
        for place, value in self.cells.items():
            if isinstance(value, Pointer):
                outgoing.setdefault(place.object, []).append(value.object)
        seen: set[ObjectId] = {
            held for held in self._held if isinstance(held, VariableId) and held.depth in (-1, depth)
        }
        pending = list(seen)
        while pending:
            for found in outgoing.get(pending.pop(), ()):
                if found not in seen:
                    seen.add(found)
                    pending.append(found)
        return seen

    def filled(self, place: Place, ctype: CType) -> CType:
        """The type of what stands at a place: an array that ends a struct may fill the rest of its node."""
        node = self.nodes.get(place.object) if isinstance(place.object, NodeId) else None
        if node is None or not isinstance(ctype, ArrayType) or not self._goes_on(node, place, ctype):
            return ctype
        size = self.types.size(ctype.element)
        return ArrayType(ctype.element, max(0, node.size - place.offset) // size) if size else ctype

    def _goes_on(self, node: Node, place: Place, ctype: ArrayType) -> bool:
        if ctype.length == 0:
            return True
        last = self.types.open_end(node.type) if node.type is not None and node.count == 1 else None
        return (
            last is not None
            and node.type is not None
            and (last.offset, last.type) == (place.offset, ctype)
            and self.types.size(node.type) < node.size
        )

    @cached_property
    def in_unions(self) -> frozenset[Place]:
        """The cells that belong to unions: the next state may have other ones there."""
        return frozenset(
            place for at, union in self.unions.items() for place in (at, *places_in(self.types, at, union))
        )

    def union_at(self, place: Place) -> Place | None:
        """The union in which a place lies."""
        byte = byte_of(place.offset)
        for at in self._unions_of.get(place.object, ()):
            if at.offset <= byte < at.offset + len(self.unions[at].data):
                return at
        return None

    @cached_property
    def _unions_of(self) -> Mapping[ObjectId, list[Place]]:
        found: dict[ObjectId, list[Place]] = {}
        for at in self.unions:
            found.setdefault(at.object, []).append(at)
        return found

    def on_the_way(self) -> Set[NodeId]:
        """The nodes that no variable need hold yet: what a call has returned, what statements still need."""
        found = {value.object for value in self.pending.values() if isinstance(value, Pointer)}
        found.update(() if self.returned is None else (self.returned,))
        return {held for held in found if isinstance(held, NodeId) and held in self.nodes}

    def reachable(self) -> Set[NodeId]:
        """The nodes that some variable leads to, over live and freed nodes."""
        return links(self).reached

    def leaked(self) -> frozenset[NodeId]:
        """The live nodes that no variable reaches over live ones; none where activations were left out.

        What a freed node holds may not be read any more (C11 6.2.4p2).
        """
        return self._leaked

    @cached_property
    def _leaked(self) -> frozenset[NodeId]:
        if any(inner.depth - outer.depth > 1 for inner, outer in pairwise(self.frames)):
            # Of a very deep stack the middle was not read: what hangs there is not lost.
            return frozenset()
        found = links(self)
        beyond = self.nodes.keys() - found.reached
        gone = [node for node in found.reached if self.nodes[node].state == "freed"]
        if any(
            self.nodes[target].state == "live" for node in gone for _, target in found.edges.get(node, ())
        ):
            beyond = self.nodes.keys() - _reached(self, found.edges, frozenset(gone))
        return frozenset(node for node in beyond if self.nodes[node].state == "live")

    @cached_property
    def descent(self) -> Descent:
        """Which graphs this one was made from; `dataclasses.replace` begins anew."""
        return Descent()


def places_in(types: Types, at: Place, union: Union) -> Iterator[Place]:
    """The cells of the member that is in use."""
    for part in union.parts:
        for offset, _ in types.scalars(part.type, at.offset + part.offset):
            yield Place(at.object, offset)


class Descent:
    """The graphs that a graph was made from by changing a few places.

    Each (token, places) in `ancestors` says that a graph and that ancestor have the same cells of the same
    types outside `places`; nodes and frames may differ.  An ancestor is named by a token, so that no graph
    is kept alive.
    """

    def __init__(self, ancestors: tuple[tuple[object, frozenset[Place]], ...] = ()) -> None:
        self.token = object()
        self.ancestors = ancestors

    def apart(self, other: Descent) -> frozenset[Place] | None:
        """Places outside which two graphs hold the same; None where nothing is known of that."""
        mine: list[tuple[object, frozenset[Place]]] = [(self.token, frozenset()), *self.ancestors]
        theirs = dict([(other.token, frozenset[Place]()), *other.ancestors])
        for token, places in mine:
            if token in theirs:
                return places | theirs[token]
        return None


_MOST_ANCESTORS = 6
_MOST_PLACES = 4096


def descend(graph: MemoryGraph, ancestor: MemoryGraph, places: frozenset[Place]) -> None:
    """Note that `graph` has the cells of `ancestor` except at `places` (changed, added, removed)."""
    known = [(ancestor.descent.token, places)]
    for token, more in ancestor.descent.ancestors[: _MOST_ANCESTORS - 1]:
        known.append((token, places | more))
    found = tuple((token, apart) for token, apart in known if len(apart) <= _MOST_PLACES)
    graph.__dict__["descent"] = Descent(found)


def forgetting(graph: MemoryGraph, gone: Set[VariableId]) -> MemoryGraph:
    """The graph without what some variables hold; what was lost in it stays so."""
    places = {
        Place(variable.id, offset)
        for variable in graph.variables()
        if variable.id in gone
        for offset, _ in graph.types.scalars(variable.type)
    }
    for at, union in graph.unions.items():
        if at.object in gone:
            places.update((at, *places_in(graph.types, at, union)))
    cells = dict(graph.cells)
    for place in places:
        cells.pop(place, None)
    found = replace(graph, cells=cells)
    descend(found, graph, frozenset(places))
    found.__dict__["_leaked"] = graph.leaked()
    return found


@dataclass(frozen=True, slots=True)
class Links:
    """The pointers to nodes of each object, as (offset, node) in address order, and what is reached.

    What stands in a union has the union's offset.
    """

    edges: Mapping[ObjectId, tuple[tuple[int, NodeId], ...]]
    reached: Set[NodeId]


_recent: list[tuple[ref[MemoryGraph], Links]] = []


def links(graph: MemoryGraph) -> Links:
    """The pointers of a graph; those of the last two graphs are remembered."""
    for known, found in _recent:
        if known() is graph:
            return found
    found = _links(graph)
    _recent.insert(0, (ref(graph), found))
    del _recent[2:]
    return found


def _links(graph: MemoryGraph) -> Links:
    nodes = graph.nodes
    for known, earlier in list(_recent):
        old = known()
        apart = graph.descent.apart(old.descent) if old is not None else None
        if old is None or apart is None or not (old.nodes is nodes or old.nodes.keys() <= nodes.keys()):
            continue
        edges, same = dict(earlier.edges), old.on_the_way() == graph.on_the_way()
        starts = _starts(graph)
        touched: dict[ObjectId, set[int]] = {}
        for source, offset in apart:
            touched.setdefault(source, set()).add(offset)
        for source, offsets in touched.items():
            before = edges.pop(source, ())
            told = tuple(sorted(_edges(graph, source, offsets | {offset for offset, _ in before}, starts)))
            same = same and told == before
            if told:
                edges[source] = told
        return Links(edges, earlier.reached if same else _reached(graph, edges))
    starts = _starts(graph)
    found: dict[ObjectId, list[tuple[int, NodeId]]] = {}
    for (source, offset), value in graph.cells.items():
        if type(value) is Pointer:
            target = value[0]
            if target in nodes:
                assert isinstance(target, NodeId)
                found.setdefault(source, []).append((offset, target))
        elif type(value) is Opaque and starts:
            found.setdefault(source, []).extend((offset, node) for node in _inside(value, starts))
    whole = {source: tuple(sorted(told)) for source, told in found.items() if told}
    return Links(whole, _reached(graph, whole))


def _edges(
    graph: MemoryGraph, source: ObjectId, offsets: Set[int], starts: Mapping[int, NodeId]
) -> Iterator[tuple[int, NodeId]]:
    for offset in offsets:
        value = graph.cells.get(Place(source, offset))
        if isinstance(value, Pointer) and isinstance(value.object, NodeId) and value.object in graph.nodes:
            yield offset, value.object
        elif isinstance(value, Opaque):
            for node in _inside(value, starts):
                yield offset, node


def _reached(
    graph: MemoryGraph,
    edges: Mapping[ObjectId, tuple[tuple[int, NodeId], ...]],
    aside: Set[NodeId] = frozenset(),
) -> frozenset[NodeId]:
    """What variables lead to, but for the nodes left `aside` and what only these lead to."""
    seen: set[NodeId] = set(graph.on_the_way() - aside)
    work: list[ObjectId] = [*seen, *(variable.id for variable in graph.variables())]
    get = edges.get
    while work:
        source = work.pop()
        for _, target in get(source, ()):
            if target not in seen and target not in aside:
                seen.add(target)
                work.append(target)
    return frozenset(seen)


def _starts(graph: MemoryGraph) -> Mapping[int, NodeId]:
    """The nodes by their addresses, where there are unions: what stands in these may be pointers."""
    if not graph.types.unions:
        return {}
    return {node.address: node.id for node in graph.nodes.values() if node.address}


def _inside(value: Opaque, starts: Mapping[int, NodeId]) -> Iterator[NodeId]:
    """The nodes whose addresses stand in a union."""
    for at in range(0, len(value.data) - 7, 8):
        target = starts.get(int.from_bytes(value.data[at : at + 8], "little"))
        if target is not None:
            yield target


def differ(one: object, other: object) -> bool:
    """Whether two values are not the same; a number that is none (NaN) is the same as another such."""
    return one != other and (one == one or other == other)


def same_text(before: MemoryGraph, one: object, after: MemoryGraph, other: object) -> bool:
    """Whether two pointers lead to literals that say the same: patched code has its own ones."""
    if not isinstance(one, External) or not isinstance(other, External):
        return False
    text = before.outside.text(one.address)
    return text is not None and text == after.outside.text(other.address)


def changed_places(before: MemoryGraph, after: MemoryGraph) -> frozenset[Place]:
    """The places of `after` that are new or hold another value (or another text) than in `before`."""
    missing = object()
    apart = after.descent.apart(before.descent)
    there = after.cells
    looked_at = there if apart is None else (place for place in apart if place in there)
    return frozenset(
        place
        for place in looked_at
        if differ(old := before.cells.get(place, missing), there[place])
        and not same_text(before, old, after, there[place])
    )
