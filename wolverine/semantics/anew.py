"""Making one fresh heap after a plan; `fresh` makes the plans."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from wolverine.core.graph import (
    UNINITIALISED,
    External,
    MemoryGraph,
    Node,
    NodeId,
    ObjectId,
    Place,
    Pointer,
    Stretch,
    Value,
    VariableId,
)
from wolverine.core.types import (
    CHAR,
    CType,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    StructReference,
    Types,
)
from wolverine.semantics.across import across
from wolverine.semantics.counters import summed
from wolverine.semantics.forms import Links
from wolverine.semantics.leaves import Told, children_in
from wolverine.semantics.linkaddresses import ends_of, entering, leading_back
from wolverine.semantics.sentinels import where_empty
from wolverine.semantics.shape import Shape, self_pointers
from wolverine.semantics.stretches import stretched
from wolverine.semantics.words import Words, address, arrays, is_text, kept_in

Key = int | bytes  # what a table's row is told by

_LAST_CHARACTER = 127
_APART = 100  # numbers of texts from one structure to the next


@dataclass(frozen=True)
class Structure:
    """One structure to be made anew: where its first node hangs and who else points into it.

    `ends` are the sentinel to which links lead instead of to null, by the links' offsets; the root and the
    aliases lead to `home` where there are no nodes.  `keys` are those that belong here, where not all do;
    `told` is what nodes tell of their children; the `least` number of nodes is there from the beginning on
    (`founded`).
    """

    root: Place
    shape: Shape
    aliases: tuple[tuple[Place, int], ...] = ()  # place, index in walk order; -1 is the last
    ends: Mapping[int, Pointer] = field(default_factory=dict)
    keys: tuple[Key, ...] = ()
    told: Told = field(default_factory=dict)
    least: int = 0

    def home(self, place: Place) -> Pointer | None:
        """To what the root or an alias leads where there are no nodes."""
        return where_empty(place, self.shape, self.ends)


@dataclass(frozen=True)
class Plan:
    """What is made anew, what stays, and which variables keep their values."""

    structures: tuple[Structure, ...]
    kept: tuple[NodeId, ...]  # nodes that stay as they are: records, arrays, what nodes carry
    visible: frozenset[ObjectId]  # variables that keep their values
    integers: tuple[Place, ...]  # the integer parameters of the activation
    cells: Mapping[ObjectId, Sequence[Place]]  # of the start
    parameters: frozenset[Place]
    words: Words
    owned: Mapping[str, frozenset[int]]  # see `words.owned`, by struct
    bounds: Mapping[Place, int]  # of integer parameters that index arrays: lengths of these
    indices: Mapping[
        tuple[str, int], int
    ]  # fields that index arrays, by struct and offset: behind the greatest
    carried: tuple[
        tuple[Place, str, int], ...
    ] = ()  # parameters that lead to what nodes carry: struct, offset
    keyed: Mapping[Place, Collection[tuple[str, int]]] = field(default_factory=dict)  # see `keyed`
    joined: Mapping[str, Sequence[tuple[Place, int]]] = field(default_factory=dict)  # see `keyed.joined`
    thresholds: Mapping[tuple[str, int], Sequence[int]] = field(default_factory=dict)  # see `thresholds`
    ordering: Mapping[str, int] = field(default_factory=dict)  # see `ordering`
    own_ends: Mapping[str, Mapping[int, int]] = field(default_factory=dict)  # see `ends_of_own_lists`
    laden: Collection[tuple[str, int]] = ()  # see `laden`


def key_offset(start: MemoryGraph, shape: Shape) -> int | None:
    """The offset of the struct's first number: what lists and trees are ordered by.

    Where it has none of its own it is the first one of a struct inside.
    """
    return _first_number(start.types, shape.tag)


def _first_number(types: Types, tag: str) -> int | None:
    struct = types.structs.get(tag)
    fields = struct.fields if struct is not None else ()
    named = enumerators(types, tag)
    for each in fields:
        if isinstance(each.type, IntType) and not each.type.bits and each.offset not in named:
            return each.offset
    for each in fields:
        if (
            isinstance(each.type, StructReference)
            and (inner := _first_number(types, each.type.tag)) is not None
        ):
            return each.offset + inner
    return None


def ordered_by(start: MemoryGraph, shape: Shape, ordering: Mapping[str, int]) -> int | None:
    """The offset of the number that a list is ordered by, or searched by order."""
    first = key_offset(start, shape)
    return first if shape.form == "tree" else ordering.get(shape.tag, first)


def enumerators(types: Types, tag: str) -> Mapping[int, list[int]]:
    """The values that an enumeration names, by the offset of the struct's field."""
    struct = types.structs.get(tag)
    return {
        field.offset: sorted(named)
        for field in (struct.fields if struct is not None else ())
        if isinstance(field.type, IntType) and (named := types.enumerations.get(field.type.name))
    }


class Maker:
    """Makes one graph: `forms` and `values` (by node) belong to the structures of the plan."""

    def __init__(
        self, start: MemoryGraph, plan: Plan, forms: Sequence[Links], values: Sequence[Sequence[int]]
    ) -> None:
        self._start = start
        self._plan = plan
        self._forms = forms
        self._values = values
        self._nodes: dict[NodeId, Node] = {}
        self._cells: dict[Place, Value] = {}
        self._types = {p: t for p, t in start.cell_types.items() if not isinstance(p.object, NodeId)}
        self._stretches: dict[ObjectId, tuple[Stretch, ...]] = {
            each: found
            for each, found in start.stretches.items()
            if not isinstance(each, NodeId) and each in plan.visible
        }
        self._made: list[list[NodeId]] = []
        self._names: dict[NodeId, NodeId | None] = {}  # nodes of the start to nodes here
        self._texts: dict[int, bytes] = {}  # outside of the heap, by address
        self._last = 0  # the number of the last node
        self._across = across(start, [each.shape for each in plan.structures], plan.kept)

    def graph(self) -> MemoryGraph:
        """The start with the structures made anew."""
        for structure, form in zip(self._plan.structures, self._forms, strict=True):
            first = len(self._nodes) + sum(len(m) for m in self._made) + 1
            made = [NodeId(first + i) for i in range(form.size)]
            self._made.append(made)
            for index, old in enumerate(structure.shape.nodes):
                self._names[old] = made[index] if index < len(made) else None
        following = sum(len(m) for m in self._made) + 1
        for offset, old in enumerate(self._plan.kept):
            self._names[old] = NodeId(following + offset)
        self._last = following + len(self._plan.kept) - 1
        for index, structure in enumerate(self._plan.structures):
            self._structure(index, structure)
        for old in self._plan.kept:
            self._keep(old)
        self._variables()
        self._hang()
        nodes = dict(sorted(self._nodes.items()))
        outside = self._start.outside
        if self._texts:
            outside = replace(outside, strings={**outside.strings, **self._texts})
        return replace(
            self._start,
            nodes=nodes,
            cells=self._cells,
            cell_types=self._types,
            outside=outside,
            stretches=self._stretches,
        )

    def _structure(self, index: int, structure: Structure) -> None:
        shape, form, made = structure.shape, self._forms[index], self._made[index]
        types = self._start.types
        reference = StructReference(shape.tag)
        pointers = {f.offset for f in (*shape.forward, *shape.back)}
        key = key_offset(self._start, shape)
        compared = ordered_by(self._start, shape, self._plan.ordering)
        texts = self._texts_of(shape)
        named = enumerators(types, shape.tag) if self._stand_alone(shape) else {}
        own = self._own(shape)
        told = structure.told
        for at, node in enumerate(made):
            more = at >= len(shape.nodes)
            old = shape.nodes[at % len(shape.nodes)] if shape.nodes else None
            size = types.size(reference)
            if old is not None and types.flexible(reference) is not None:
                size = self._start.nodes[old].size
            characters = arrays(types, shape.tag, size)
            rest = stretched(self._start, old) if old is not None else {}
            self._nodes[node] = Node(node, size, reference)
            number = self._values[index][at]
            chosen = self._key(structure, index, number)
            word = chosen if isinstance(chosen, bytes) else self._plan.words.word(number)
            for offset, scalar in types.filling(reference, size):
                place = Place(node, offset)
                self._types[place] = scalar
                if offset in pointers:
                    target = form.pointers[at].get(offset)
                    end = self._value(structure.ends.get(offset))
                    self._cells[place] = Pointer(made[target]) if target is not None else end
                elif (goes := told.get(offset, {}).get(children_in(shape, form, at))) is not None:
                    self._cells[place] = goes
                elif offset == key and isinstance(chosen, int):
                    self._cells[place] = chosen
                elif offset == key and scalar == CHAR:
                    self._cells[place] = self._character(shape, offset, number)
                elif offset in (key, compared):
                    self._cells[place] = self._within((shape.tag, offset), number)
                elif offset in named:
                    self._cells[place] = named[offset][number % len(named[offset])]
                elif kept := texts.get(offset):
                    self._cells[place] = self._text(
                        word, number if chosen is None else _APART * index + at, kept
                    )
                elif offset in characters and (old is None or self._says(old, characters[offset][0])):
                    first, length = characters[offset]
                    self._cells[place] = (word[: length - 1] + bytes(length))[offset - first]
                elif old is not None and (other := self._led_across(shape.tag, old, offset, at, anew=more)):
                    self._cells[place] = other
                elif old is not None and more and offset in own:
                    self._cells[place] = self._copied(self._start.cells[Place(old, offset)])
                elif old is not None and (not more or not self._hangs(scalar)):
                    missing = rest.get(offset, UNINITIALISED)
                    self._cells[place] = self._value(self._start.cells.get(Place(old, offset), missing))
                elif isinstance(scalar, PointerType):
                    across = self._laden(shape.tag, offset, scalar, at) if old is None else None
                    self._cells[place] = across or self._called(shape.tag, offset, scalar)
                else:
                    self._cells[place] = 0

    def _laden(self, tag: str, offset: int, scalar: PointerType, at: int) -> Pointer | None:
        """A node of another structure, where nodes of that struct always lead to one (`laden`)."""
        if (tag, offset) not in self._plan.laden:
            return None
        for structure, made in zip(self._plan.structures, self._made, strict=True):
            if made and scalar.target == StructReference(structure.shape.tag):
                return Pointer(made[at % len(made)])
        return None

    def _called(self, tag: str, offset: int, scalar: PointerType) -> Value:
        """A function that some node of the start has there; else null."""
        nodes = self._start.nodes.values() if isinstance(scalar.target, FunctionType) else ()
        alike = (each.id for each in nodes if each.type == StructReference(tag) and each.state == "live")
        held = (self._start.cells.get(Place(node, offset)) for node in alike)
        return next((each for each in held if isinstance(each, Pointer | External)), None)

    def _stand_alone(self, shape: Shape) -> bool:
        """Whether what an enumeration names says nothing of the node's other fields, or of its links."""
        struct = self._start.types.structs[shape.tag]
        links = {field.offset for field in (*shape.forward, *shape.back)}
        plain = (IntType, FloatType)
        return (
            len(shape.forward) == 1
            and shape.form in ("empty", "list", "ring")
            and all(f.offset in links or isinstance(f.type, plain) for f in struct.fields)
        )

    def _own(self, shape: Shape) -> frozenset[int]:
        """Where each node of the start leads to something of its own, by offset: an array, say, a record.

        What a single node leads to is taken for its own where it is no struct.
        """
        inside = {node for each in self._plan.structures for node in each.shape.nodes}
        found = []
        for offset, scalar in self._start.types.scalars(StructReference(shape.tag)):
            if not isinstance(scalar, PointerType) or self._hangs(scalar):
                continue
            values = [self._start.cells.get(Place(node, offset)) for node in shape.nodes]
            led = [v.object for v in values if isinstance(v, Pointer) and isinstance(v.object, NodeId)]
            alone = len(led) > 1 or not isinstance(scalar.target, StructReference)
            if led and alone and len(led) == len(set(led)) == len(values) and inside.isdisjoint(led):
                found.append(offset)
        return frozenset(found)

    def _led_across(self, tag: str, old: NodeId, offset: int, at: int, *, anew: bool) -> Pointer | None:
        """To which node such a field leads (`across`) where the old one is not there, or `anew`."""
        led = self._across.get((tag, offset))
        if led is None or (not anew and self._names.get(led[old][0]) is not None):
            return None
        _, number, inner = led[old]
        made = self._made[number]
        return Pointer(made[at % len(made)], inner) if made else None

    def _copied(self, value: Value | None) -> Value:
        """A pointer to a copy of the node to which this one leads."""
        assert isinstance(value, Pointer) and isinstance(value.object, NodeId)
        self._last += 1
        node, old = NodeId(self._last), value.object
        self._nodes[node] = replace(self._start.nodes[old], id=node)
        self._stretch(node, old)
        for place in self._plan.cells.get(old, ()):
            self._cells[Place(node, place.offset)] = self._value(self._start.cells[place])
            if place in self._start.cell_types:
                self._types[Place(node, place.offset)] = self._start.cell_types[place]
        return Pointer(node, value.offset)

    def _hangs(self, scalar: CType) -> bool:
        """Whether such a pointer leads to another structure: a second node does not share it."""
        match scalar:
            case PointerType(StructReference(tag)):
                return bool(self_pointers(self._start.types, tag))
        return False

    def _within(self, field: tuple[str, int], number: int) -> int:
        """The number as such a field has it: in an array that it indexes, around what it is compared with."""
        if field in self._plan.indices:
            return number % self._plan.indices[field]
        limits = self._plan.thresholds.get(field)
        if not limits:
            return number
        greatest = max(max(held, default=0) for held in self._values)
        return number + limits[greatest % len(limits)] - (greatest + 1) // 2

    def _character(self, shape: Shape, offset: int, number: int) -> int:
        """The character that stands for a number: from the least on that nodes of the start have there."""
        values = (self._start.cells.get(Place(node, offset)) for node in shape.nodes)
        least = min((value for value in values if isinstance(value, int)), default=0)
        return least + number - 1 if least > 0 and least + number <= _LAST_CHARACTER else number

    def _texts_of(self, shape: Shape) -> dict[int, str]:
        """Where the texts of the fields are that have some, by offset."""
        owned = self._plan.owned.get(shape.tag, frozenset[int]())
        scalars = self._start.types.scalars(StructReference(shape.tag))
        found = (offset for offset, scalar in scalars if is_text(scalar))
        return {offset: kept_in(self._start, shape, offset, owned) for offset in found}

    def _says(self, node: NodeId, offset: int) -> bool:
        """Whether a node of the start has a text in an array."""
        return isinstance(self._start.cells.get(Place(node, offset)), int)

    def _key(self, structure: Structure, index: int, number: int) -> Key | None:
        """The key that belongs there in the place of a number; the text that is given in its turn."""
        keys, words = structure.keys, self._plan.words
        if words.given in keys:
            others = [key for key in keys if key != words.given]
            keys = (*others[: words.at - 1], words.given, *others[words.at - 1 :])
        turn = sorted(set(self._values[index])).index(number)
        return keys[turn % len(keys)] if keys else None

    def _text(self, word: bytes, number: int, kept: str) -> Value:
        """A pointer to a new text, the one of that number."""
        if kept == "outside":
            at = address(self._start, number)
            self._texts[at] = word + b"\0"
            return External(at)
        self._last += 1
        node = NodeId(self._last)
        self._nodes[node] = Node(node, len(word) + 1, CHAR, len(word) + 1)
        for offset, code in enumerate(word + b"\0"):
            self._cells[Place(node, offset)] = code
            self._types[Place(node, offset)] = CHAR
        return Pointer(node)

    def _keep(self, old: NodeId) -> None:
        new = self._names[old]
        assert new is not None
        self._nodes[new] = replace(self._start.nodes[old], id=new)
        self._stretch(new, old)
        ctype = self._start.nodes[old].type
        tag = ctype.tag if isinstance(ctype, StructReference) else ""
        for place in self._plan.cells.get(old, ()):
            other = self._led_across(tag, old, place.offset, new.number, anew=False)
            self._cells[Place(new, place.offset)] = other or self._value(self._start.cells[place])
            if place in self._start.cell_types:
                self._types[Place(new, place.offset)] = self._start.cell_types[place]

    def _stretch(self, node: NodeId, old: NodeId) -> None:
        if old in self._start.stretches:
            self._stretches[node] = self._start.stretches[old]

    def _variables(self) -> None:
        for place, value in self._start.cells.items():
            if isinstance(place.object, VariableId):
                seen = place.object in self._plan.visible
                self._cells[place] = self._value(value) if seen else UNINITIALISED

    def _hang(self) -> None:
        """Let the roots and their aliases lead to the new nodes."""
        for structure, made in zip(self._plan.structures, self._made, strict=True):
            home = self._value(structure.home(structure.root))
            self._put(structure.root, Pointer(made[0]) if made else home)
            for place, index in structure.aliases:
                at = len(made) - 1 if index < 0 else min(index, len(made) - 1)
                nowhere = None if place in self._plan.parameters else self._value(structure.home(place))
                self._put(place, Pointer(made[at]) if made else nowhere)
            self._lengths(structure)
        for index, structure in enumerate(self._plan.structures):
            self._addresses(index, structure)
            self._own_ends(structure, self._made[index])

    def _addresses(self, index: int, structure: Structure) -> None:
        """Addresses of links, in nodes and beside the root, are those of the new ones."""
        shape, made = structure.shape, self._made[index]
        root = self._renamed(structure.root)
        led = dict(entering(shape, self._forms[index], made))
        if made and root is not None and structure.root not in self._plan.parameters:
            led[made[0]] = root
        for offset in leading_back(self._start, shape.tag):
            for node in made:
                link = led.get(node)
                self._cells[Place(node, offset)] = None if link is None else Pointer(link.object, link.offset)
        last = Place(made[-1], shape.forward[0].offset) if made and shape.forward else root
        if last is not None:
            for place in ends_of(self._start, structure.root, shape):
                self._put(place, Pointer(last.object, last.offset))

    def _own_ends(self, structure: Structure, made: Sequence[NodeId]) -> None:
        """Of nodes that are none of the start: where their own lists are empty, these end at their roots."""
        ends = self._plan.own_ends.get(structure.shape.tag, {})
        for node in made[len(structure.shape.nodes) :]:
            for end, link in ends.items():
                if self._cells.get(Place(node, link), UNINITIALISED) is None:
                    self._cells[Place(node, end)] = Pointer(node, link)

    def _renamed(self, place: Place) -> Place | None:
        """Where a place of the start is here."""
        if not isinstance(place.object, NodeId):
            return place
        node = self._names.get(place.object)
        return None if node is None else Place(node, place.offset)

    def _put(self, place: Place, value: Value) -> None:
        here = self._renamed(place)
        if here is not None:
            self._cells[here] = value

    def _lengths(self, structure: Structure) -> None:
        """A record's integer that told the structure's length goes on telling it, or a sum of its numbers.

        Where several structures hang on one record it is the longest.
        """
        holder = structure.root.object
        if isinstance(holder, VariableId) and holder.depth >= 0 and not self._is_record(holder):
            return
        beside = (s.root.object == holder for s in self._plan.structures)
        length = max(len(made) for made, there in zip(self._made, beside, strict=True) if there)
        for place in self._plan.cells.get(holder, ()):
            if self._start.cells[place] == len(structure.shape.nodes) and isinstance(
                self._start.cell_types.get(place), IntType
            ):
                self._put(place, length)
            elif (offset := summed(self._start, structure.shape, place)) is not None:
                numbers = (self._cells.get(Place(n, offset)) for n in self._made[self._number(structure)])
                self._put(place, sum(each for each in numbers if isinstance(each, int)))

    def _number(self, structure: Structure) -> int:
        return next(at for at, each in enumerate(self._plan.structures) if each is structure)

    def _is_record(self, identity: VariableId) -> bool:
        variables = self._start.variables()
        return any(v.id == identity and isinstance(v.type, StructReference) for v in variables)

    def _value(self, value: Value) -> Value:
        if not isinstance(value, Pointer) or not isinstance(value.object, NodeId):
            return value
        renamed = self._names.get(value.object)
        return None if renamed is None else Pointer(renamed, value.offset)
