"""What stands inside a box: the cells of a node or a variable as named lines.

Pointers and scalars get a line each; an array of characters is one string, arrays of numbers stand in
lines of ten, elements that hold the same are drawn together (`repeats`).  Long contents are cut in the
middle; what is left out is counted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, groupby, islice
from typing import Any

from wolverine.core.graph import (
    UNINITIALISED,
    External,
    MemoryGraph,
    NodeId,
    ObjectId,
    Opaque,
    Place,
    Pointer,
    Uninitialised,
    Value,
    VariableId,
    Wild,
    changed_places,
    differ,
    same_text,
)
from wolverine.core.types import (
    ArrayType,
    CType,
    IntType,
    OpaqueType,
    PointerType,
    StructReference,
    byte_of,
)
from wolverine.core.unions import is_union, members, read
from wolverine.draw.columns import columns, cut
from wolverine.draw.names import Names, is_character, quoted, safe
from wolverine.draw.picture import Line, Piece, PieceKind
from wolverine.draw.private import private
from wolverine.draw.repeats import joined
from wolverine.draw.shortened import more, shortened
from wolverine.draw.tables import tabulated

MAX_LINES = 22
NULL = "╱"
_CHUNK = 10
_FEWEST = 3  # full lines of equal numbers that become one
_MIXED = object()
_MAX_CHUNKS = 6
_MAX_TEXT = 28
_WALK = 512  # lines of one object that are made before most of them are cut out again
_MOST_POINTERS = 128 * _WALK
_MOST_BEHIND = 6
_MOST_LEADING = 14
_MOST_MEMBERS = 8
_MAX_WIDE = 60
_MOST_NAMES = 20  # columns of the members of a union without a name


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where a line's text comes from: `count` cells of one type from `offset` on, `step` bytes apart.

    `first` is the index of the first of them in their array.  Of a `private` type the line stands for all.
    """

    name: str
    offset: int
    ctype: CType
    count: int = 1
    step: int = 0
    first: int = 0
    private: str = ""


class Reader:
    """Makes the lines of objects of `graph`; cells that differ from `before` remember their old text.

    Of long ones the elements at the `roots` are kept.
    """

    def __init__(
        self,
        graph: MemoryGraph,
        before: MemoryGraph | None,
        names: Names,
        roots: Collection[Place] = (),
    ) -> None:
        self.graph = graph
        self._roots = frozenset(roots)
        self._linked: set[str] = set()  # the arrays, of the object being read, whose elements are referred to
        self.names = names
        self._cells = graph.cells
        self._before = before
        self._old_names = Names(before) if before is not None else None
        self._types = graph.types

    def lines(self, target: ObjectId, offsets: set[int]) -> tuple[Line, ...]:
        """All lines of an object whose cells stand at `offsets`, every cell once or counted."""
        ctype = self.names.type_of(target)
        self._linked.clear()
        found: list[Line] = []
        covered: set[int] = set()
        if ctype is not None:
            for spot in self._spots(Place(target, 0), ctype, ""):
                if len(covered) >= len(offsets) or len(found) > _WALK:
                    break
                present = (
                    [offset for offset in sorted(offsets) if self._is_in(spot, offset)]
                    if spot.private
                    else [spot.offset + i * spot.step for i in range(spot.count)]
                )
                present = [offset for offset in present if offset in offsets and offset not in covered]
                if present:
                    covered.update(present)
                    found.extend(self._read(target, spot, present))
        rest = sorted(offsets - covered)
        left, behind = 0, rest
        if ctype is not None and len(found) > _WALK:
            # Of what lies behind the walk's end only changes and pointers are worth a line.
            changed = (offset for offset in rest if Place(target, offset) in self._changed)
            leading = (offset for offset in rest if isinstance(self._cells[Place(target, offset)], Pointer))
            some = sorted({*islice(changed, _MOST_BEHIND), *islice(leading, _MOST_LEADING)})
            left, rest, behind = len(rest) - len(some), some, rest
        for offset in rest:
            kind = self.graph.cell_types.get(Place(target, offset))
            piece = self.piece(Place(target, offset), kind)
            name = f"+{offset}" if offset or ctype is not None else ""
            found.append(Line(self.names.inside(target, offset) if left else name, (piece,)))
        if left:
            found.append(more(left, [Place(target, behind[0]), Place(target, behind[-1])]))
        found.extend(self._not_shown(target, ctype))
        return self._cut(found)

    def _is_in(self, spot: _Spot, offset: int) -> bool:
        return spot.offset <= byte_of(offset) < spot.offset + self._types.size(spot.ctype)

    def _not_shown(self, target: ObjectId, ctype: CType | None) -> Iterator[Line]:
        """The fields of a struct for which the block has no room; of a block of no known type its size."""
        node = self.graph.nodes.get(target) if isinstance(target, NodeId) else None
        if node is not None and ctype is None and Place(target, 0) not in self._cells:
            yield Line("", (Piece(f"{node.size} byte{'s' * (node.size != 1)}", "hidden"),))
        if node is None or not isinstance(ctype, StructReference) or self._types.size(ctype) <= node.size:
            return
        for field in self._types.structs[ctype.tag].fields:
            if byte_of(field.offset) >= node.size and self._types.size(field.type):
                yield Line(safe(field.name), (Piece(f"outside its {node.size} bytes", "hidden"),))

    @cached_property
    def _changed(self) -> frozenset[Place]:
        return changed_places(self._before, self.graph) if self._before is not None else frozenset()

    @cached_property
    def _entered(self) -> frozenset[ObjectId]:
        """The variables of blocks that calls under way have entered since: they have their first values."""
        if self._before is None:
            return frozenset()
        held = {place.object for place in self._before.cells if isinstance(place.object, VariableId)}
        known = {
            (frame.depth, frame.function): {variable.id for variable in frame.variables}
            for frame in self._before.frames
        }
        found = set[ObjectId]()
        for frame in self.graph.frames:
            before = known.get((frame.depth, frame.function))
            if before is not None and (not before or before & held):  # else that was another call
                found.update(each.id for each in frame.variables if each.id not in before)
        return frozenset(found)

    def _cut(self, lines: list[Line]) -> tuple[Line, ...]:
        """Join elements that hold the same, and make tables; then keep what tells most."""
        lines = tabulated(joined(lines, len(lines)), self._leads, self._linked)
        return shortened(joined(lines, MAX_LINES), MAX_LINES, self._roots, self._led)

    def _leads(self, piece: Piece) -> bool:
        """Whether a cell has an arrow, or may have one later: texts are mostly what the source wrote."""
        ctype = self.graph.cell_types.get(piece.places[0]) if piece.places else None
        text = isinstance(ctype, PointerType) and is_character(ctype.target)
        return piece.target is not None or (isinstance(ctype, PointerType) and not text)

    @cached_property
    def _referred(self) -> frozenset[CType]:
        """The types to which fields of structs are pointers."""
        structs = self._types.structs.values()
        kinds = (field.type for struct in structs for field in struct.fields)
        return frozenset(kind.target for kind in kinds if isinstance(kind, PointerType))

    @cached_property
    def _led(self) -> frozenset[Place]:
        """The places within objects to which pointers lead."""
        values = (value for value in self._cells.values() if isinstance(value, Pointer))
        return frozenset(Place(*value) for value in values if value.offset)

    def piece(self, place: Place, ctype: CType | None) -> Piece:
        """One cell."""
        if own := private(self._types, ctype):
            return Piece(f"{own} {{…}}", "plain", (place,))
        value = self._cells.get(place)
        ctype = self.graph.cell_types.get(place, ctype)
        return Piece(
            self._text(self.names, value, ctype),
            self._kind(value),
            (place,),
            self._was(place, value, ctype),
            value if isinstance(value, Pointer) else None,
        )

    def _spots(self, place: Place, ctype: CType, name: str) -> Iterator[_Spot]:
        target, offset = place
        if own := private(self._types, ctype):
            yield _Spot(name, offset, ctype, private=own)
            return
        match self.graph.filled(place, ctype):
            case StructReference(tag):
                if tag in self._types.structs:
                    for field in self._types.structs[tag].fields:
                        path = f"{name}.{field.name}" if name else field.name
                        yield from self._spots(Place(target, offset + field.offset), field.type, path)
            case ArrayType(element, length):
                step = self._types.size(element)
                if isinstance(element, PointerType):
                    yield from self._pointers(place, element, min(length, _MOST_POINTERS), name)
                elif isinstance(element, StructReference | ArrayType | OpaqueType):
                    if isinstance(element, StructReference) and element in self._referred:
                        self._linked.add(name)
                    for index in range(min(length, 8 * _WALK)):
                        inner = Place(target, offset + index * step)
                        yield from self._spots(inner, element, f"{name}[{index}]")
                else:
                    yield _Spot(name, offset, element, length, step)
            case OpaqueType() if place in self.graph.unions and self.graph.unions[place].parts:
                for part in self.graph.unions[place].parts:
                    path = f"{name}.{part.path}" if name else part.path
                    yield from self._spots(Place(target, offset + part.offset), part.type, path)
            case _:
                yield _Spot(name, offset, ctype)

    def _pointers(self, place: Place, element: CType, length: int, name: str) -> Iterator[_Spot]:
        """The pointers of an array: runs that lead nowhere together, others one by one."""
        step = self._types.size(element)
        offsets = [place.offset + index * step for index in range(length)]
        for empty, group in groupby(enumerate(offsets), lambda each: self._empty(place.object, each[1])):
            found = list(group)
            if empty and len(found) >= _FEWEST:
                yield _Spot(name, found[0][1], element, len(found), step, found[0][0])
            else:
                yield from (_Spot(f"{name}[{index}]", offset, element) for index, offset in found)

    def _empty(self, target: ObjectId, offset: int) -> object:
        place = Place(target, offset)
        value = self._cells.get(place, _MIXED)
        if value is not None and not isinstance(value, Uninitialised):
            return False
        old = self._before.cells if self._before is not None else {}
        unchanged = place not in old or not differ(old[place], value)
        return type(value).__name__ if unchanged else False

    def _read(self, target: ObjectId, spot: _Spot, present: list[int]) -> Iterator[Line]:
        if spot.private:
            places = tuple(Place(target, offset) for offset in present)
            yield Line(safe(spot.name), (Piece(f"{spot.private} {{…}}", "plain", places, whole=True),))
        elif not spot.step and isinstance(spot.ctype, OpaqueType):
            yield from self._union(Place(target, spot.offset), spot.ctype, spot.name)
        elif not spot.step:
            yield Line(safe(spot.name), (self.piece(Place(target, spot.offset), spot.ctype),))
        elif isinstance(spot.ctype, PointerType):
            yield self._run(target, spot, present)
        elif is_character(spot.ctype) and self._is_string(target, present, spot.ctype):
            yield Line(safe(spot.name), (self._string(target, present),))
        else:
            chunks = self._chunks(target, present)
            kept = self._kept(target, chunks)
            missing: list[Place] = []
            for index, chunk in enumerate(chunks):
                if index not in kept:
                    missing += [Place(target, offset) for offset in chunk]
                    continue
                if missing:
                    yield more(len(missing), missing)
                    missing = []
                first = (chunk[0] - spot.offset) // spot.step
                name = spot.name if spot.name and first == 0 else f"{spot.name}[{first}]"
                if len(chunk) > _CHUNK:
                    yield self._run(target, spot, chunk)
                    continue
                pieces = tuple(self.piece(Place(target, o), spot.ctype) for o in chunk)
                yield Line(safe(name), pieces, safe(spot.name), first)

    def _union(self, place: Place, ctype: OpaqueType, name: str) -> Iterator[Line]:
        """A line for each member that the bytes may mean."""
        value = self._cells[place]
        told = list(self.names.members(value.data, ctype)) if isinstance(value, Opaque) else []
        if not told or not is_union(self._types, ctype):
            kinds = dict.fromkeys(member.first for member in members(self._types, ctype)) if not name else ()
            yield Line(safe(name) or cut("/".join(kinds), _MOST_NAMES), (self.piece(place, ctype),))
            return
        old = self._before.cells.get(place) if self._before is not None else None
        earlier: dict[str, str] = {}
        blank = "?" if isinstance(old, Uninitialised) else None
        if isinstance(old, Opaque) and self._old_names is not None:
            earlier = {path: text for path, text, _ in self._old_names.members(old.data, ctype)}
        for path, text, each in told[:_MOST_MEMBERS]:
            target = each if isinstance(each, Pointer) else None
            kind = self._kind(each)
            was = earlier.get(path, blank) if old != value else None
            shown = NULL if each is None else text + "!" if kind == "dangling" else text
            piece = Piece(shown, kind, (place,), was if was != text else None, target)
            yield Line(f"{safe(name)}.{path}" if name else path, (piece,))
        if len(told) > _MOST_MEMBERS:
            yield more(len(told) - _MOST_MEMBERS)

    def _run(self, target: ObjectId, spot: _Spot, offsets: list[int]) -> Line:
        """One line for cells that all hold the same."""
        first, last = (spot.first + (at - spot.offset) // spot.step for at in (offsets[0], offsets[-1]))
        one = self.piece(Place(target, offsets[0]), spot.ctype)
        places = tuple(Place(target, offset) for offset in offsets)
        return Line(safe(f"{spot.name}[{first}..{last}]"), (replace(one, places=places),))

    def _chunks(self, target: ObjectId, present: list[int]) -> list[list[int]]:
        """Cells for a line each: at most ten, or all of a longer stretch of them that hold the same."""
        chunks = [present[i : i + _CHUNK] for i in range(0, len(present), _CHUNK)]
        result: list[list[int]] = []
        for same, group in groupby(chunks, lambda chunk: self._same(target, chunk)):
            found = list(group)
            long = len(found) >= _FEWEST or isinstance(same, Uninitialised)
            result += [list(chain(*found))] if same is not _MIXED and long else found
        return result

    def _same(self, target: ObjectId, chunk: list[int]) -> Value | object:
        """What all of the cells have held since the stop before."""
        places = [Place(target, offset) for offset in chunk]
        value = self._cells[places[0]]
        old = self._before.cells if self._before is not None else {}
        for place in places:
            if differ(self._cells[place], value) or (place in old and differ(old[place], value)):
                return _MIXED
        return value

    def _kept(self, target: ObjectId, chunks: list[list[int]]) -> set[int]:
        if len(chunks) <= _MAX_CHUNKS:
            return set(range(len(chunks)))
        kept = {0, 1, len(chunks) - 1}
        if self._before is not None:
            old = self._before.cells
            for index, chunk in enumerate(chunks):
                places = [Place(target, offset) for offset in chunk]
                if any(p in old and differ(old[p], self._cells[p]) for p in places):
                    kept.add(index)
                if len(kept) >= _MAX_CHUNKS:
                    break
        return kept

    def _is_string(self, target: ObjectId, offsets: list[int], ctype: CType) -> bool:
        """Whether the characters before the first zero are all there and readable.

        What is `unsigned char` holds bytes where it does not begin with such.
        """
        plain = isinstance(ctype, IntType) and ctype.name == "char"
        if not plain and self._cells[Place(target, offsets[0])] == 0:
            return False
        for offset in offsets:
            code = self._cells[Place(target, offset)]
            if code == 0:
                return True
            if not isinstance(code, int) or not (32 <= code & 255 != 127 or code in (9, 10)):
                return False
        return True

    def _string(self, target: ObjectId, offsets: list[int]) -> Piece:
        places = tuple(Place(target, offset) for offset in offsets)
        was = None
        old = self._before.cells if self._before is not None else {}
        if any(place in old and differ(old[place], self._cells[place]) for place in places):
            unset = isinstance(old.get(places[0]), Uninitialised)
            was = "?" if unset else _quoted([old.get(place) for place in places])
        text = _quoted([self._cells[place] for place in places])
        return Piece(text, "plain", places, was, whole=True)

    def _text(self, names: Names, value: Value, ctype: CType | None) -> str:
        text = names.value(value, ctype, NULL)
        if self._kind(value) in ("dangling", "wild"):
            text += "!"
        listed = isinstance(value, External) and names.texts(value.address, ctype)
        wide = listed or (isinstance(value, Opaque) and is_union(self._types, ctype))
        most = _MAX_WIDE if wide else _MAX_TEXT
        return text if columns(text) <= most else cut(text, most - 1) + "…"

    def _kind(self, value: Value) -> PieceKind:
        match value:
            case None:
                return "null"
            case Pointer(target):
                node = self.graph.nodes.get(target) if isinstance(target, NodeId) else None
                return "dangling" if node is not None and node.state == "freed" else "pointer"
            case Uninitialised():
                return "uninitialised"
            case Wild():
                return "wild"
            case _:
                return "plain"

    def _was(self, place: Place, value: Value, ctype: CType | None) -> str | None:
        if self._before is None or self._old_names is None:
            return None
        old = self._earlier(self._before, place, ctype)
        if old is _MIXED and place.object in self._entered:
            old = UNINITIALISED
        if old is _MIXED:
            return None
        if not differ(old, value) and type(old) is type(value):
            return None
        if same_text(self._before, old, self.graph, value):
            return None
        return self._old_names.value(old, ctype)

    def _earlier(self, before: MemoryGraph, place: Place, ctype: CType | None) -> Any:
        """What a cell held before; as the bytes tell it where another member of its union was in use."""
        same = place not in self.graph.in_unions or before.cell_types.get(place) == ctype
        at = None if same or isinstance(ctype, OpaqueType) else before.union_at(place)
        if at is None or ctype is None or isinstance(before.cells.get(at), Uninitialised):
            return before.cells.get(place, _MIXED)
        return read(before, before.unions[at].data, place.offset - at.offset, ctype)


def _quoted(codes: list[Value]) -> str:
    data = bytearray()
    for code in codes:
        if not isinstance(code, int):
            break
        data.append(code & 255)
    return quoted(bytes(data))
