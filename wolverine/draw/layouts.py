"""From a memory graph to a picture: what is drawn, where it stands, what points where."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from wolverine.core.graph import MemoryGraph, NodeId, ObjectId, Place, Pointer, VariableId, changed_places
from wolverine.core.types import BIT, CHAR, ArrayType, CType, PointerType
from wolverine.draw.arrange import BAND, GAP, Arranger
from wolverine.draw.arrows import Arrows
from wolverine.draw.blocks import Block, Size, wrapped
from wolverine.draw.contents import Reader
from wolverine.draw.cut import Selection, select
from wolverine.draw.disorder import disorder, roles_of, whole
from wolverine.draw.drawing import extent, title_width
from wolverine.draw.evened import evened
from wolverine.draw.labels import width_aside
from wolverine.draw.measure import inner_width
from wolverine.draw.names import Names
from wolverine.draw.parts import part
from wolverine.draw.picture import (
    Box,
    BoxKey,
    BoxState,
    Detail,
    Hidden,
    Label,
    Line,
    Picture,
    Request,
    Run,
    Scalar,
)
from wolverine.draw.scope import buried, is_fresh, within
from wolverine.draw.settle import Positions, Settler
from wolverine.draw.shape import Role, Survey, roles
from wolverine.draw.shortened import more
from wolverine.draw.tables import is_heading
from wolverine.draw.tangle import tangle
from wolverine.draw.variables import is_boxed, labelled, shown_variables

LIMIT = 24
ON_A_SHEET = 60  # nodes at most where nothing has to fit onto a screen
WIDTH = 100
_BOXED = 12
_NARROWEST = 30
_SMALL = 256  # bytes: an object in which cells are looked for rather than all cells gone through
_FEW_CELLS = 2000
_OF_A_TABLE = 2  # lines of a folded one


def layout(
    graph: MemoryGraph,
    previous: Picture | None = None,
    *,
    before: MemoryGraph | None = None,
    roots: Sequence[Place] = (),
    limit: int = LIMIT,
    width: int = WIDTH,
    elsewhere: bool | None = None,
    folded: bool = False,
    asked: Sequence[tuple[str, Pointer]] = (),
    settled: frozenset[VariableId] = frozenset(),
    sheet: bool = False,
    corrected: bool = False,
    marking: bool = False,
) -> Picture:
    """Lay out `graph` within `width` columns; at most `limit` nodes are drawn, the rest is counted.

    Boxes that `previous` holds stay where they stand there, unless too much is new, they would overlap, or
    they are a tangle and the process stands `elsewhere` (None: in another function) or freed nodes have gone
    out of the picture, or what differs from `before` was `corrected` and is whole now; `Picture.tidy` tells
    which.  Cells that differ from `before`
    are marked.  With `roots` only what these places lead to is drawn.
    On a `sheet`, which can be moved or made smaller, trees are as wide as they have to be: boxes keep the
    names of their fields; and trees are laid out anew as soon as they are whole, corrected or not.  Who is
    `marking` one node after the other as freed sees all of them.  For `folded`, `asked` and `settled` see
    `Request`.
    """
    request = Request(graph, before, tuple(roots), limit, folded, tuple(asked), settled)
    seen = frozenset(previous.boxes) if marking and previous is not None else frozenset[BoxKey]()
    composer = _Composer(request, max(width, _NARROWEST), sheet=sheet, seen=seen)
    return composer.compose(previous, elsewhere=elsewhere, corrected=corrected)


@dataclass(frozen=True)
class _Draft:
    """What a picture shows, before it has coordinates.

    The `sizes` are with the columns `aside`, right of boxes, for the names of variables that lead into them.
    """

    selection: Selection
    lines: Mapping[ObjectId, tuple[Line, ...]]
    sizes: Mapping[BoxKey, Size]
    aside: Mapping[BoxKey, int]
    hidden_cells: int


class _Composer:
    def __init__(
        self,
        request: Request,
        width: int,
        *,
        sheet: bool = False,
        seen: Collection[BoxKey] = frozenset(),
    ) -> None:
        """Freed nodes that were `seen` at this stop stay in the picture."""
        self.request = request
        self.graph = request.graph
        self.width = self.given = width
        self.sheet = sheet
        self.names = Names(self.graph)
        self.reader = Reader(self.graph, request.before, self.names, request.roots)
        self.survey = Survey(self.graph)
        there: frozenset[VariableId] = frozenset()
        gone_before = () if request.roots else buried(self.survey, request.before)
        self.buried = tuple(node for node in gone_before if node not in seen)
        if request.roots:
            self.allowed, self.starts, there = within(self.survey, request.roots)
        else:
            gone = frozenset(self.buried)
            self.allowed = [node for node in self.graph.nodes if node not in gone]
            self.starts = list(self.survey.pointed)
        self.roles: dict[str, Role] = roles(self.survey, self.allowed)
        self.variables, self.hidden_variables = shown_variables(request, self.survey, there)
        boxed = [v for v in self.variables if is_boxed(v, self.graph.types)]
        self.hidden_variables += len(boxed[_BOXED:])
        self.boxed = boxed[:_BOXED]
        self._selections: dict[int, Selection] = {}
        self._known_lines: dict[ObjectId, tuple[Line, ...]] = {}
        self._by_object: dict[ObjectId, set[int]] | None = None

    def compose(self, previous: Picture | None, *, elsewhere: bool | None, corrected: bool) -> Picture:
        if previous is not None:
            picture = self._settled(previous)
            if picture is not None:
                moved = self._in_another_function(previous) if elsewhere is None else elsewhere
                room = self._has_room_again(previous)
                mended = self._mended() if (corrected or self.sheet) and not moved else frozenset()
                if not corrected and not all(self._in_a_tree(node) for node in mended):
                    mended = frozenset()  # a list is watched while it is led another way
                if corrected and mended and not disorder(picture, roles_of(previous), mended):
                    mended = frozenset()  # the links that are left are read another way: that moves nothing
                if moved or mended or room:
                    return self._tidied(picture, mended or None, room, self._is_still(previous.request.graph))
                return picture
        return self._tidy()

    def _tidied(self, settled: Picture, within: frozenset[NodeId] | None, room: bool, still: bool) -> Picture:
        """The picture laid out anew where that is less of a tangle, of all nodes or of those `within`.

        Where there is `room` again it may also be as good and less high.  Where all arrows stand `still`,
        the boxes do as well, unless the lines are much easier to follow then, or no harder and a list or tree
        has its order again.
        """
        tangled = disorder(settled, self.roles, within)
        tidy = self._tidy() if tangled or room else settled
        left = disorder(tidy, self.roles, within)
        lower = room and left == tangled and extent(tidy)[3] < extent(settled)[3]
        if not (left < tangled or lower):
            return settled
        if room or not still:
            return tidy
        (missing, crossings), (without, crossing) = tangle(settled), tangle(tidy)
        alike = frozenset(self.allowed)
        ordered = disorder(tidy, self.roles, alike) < disorder(settled, self.roles, alike)
        easier = crossing <= crossings if ordered else 2 * crossing < crossings
        return tidy if without < missing or (without == missing and easier) else settled

    def _is_still(self, before: MemoryGraph) -> bool:
        """Whether the nodes and their pointers are as before."""
        states, old = (
            [(each.id, each.state) for each in graph.nodes.values()] for graph in (self.graph, before)
        )
        return states == old and not self._relinked(before)

    def _relinked(self, before: MemoryGraph) -> set[ObjectId]:
        """The nodes and variables that are drawn as boxes and of which a pointer is not as before."""
        boxed = {variable.id for variable in self.boxed}
        ends = (before.cells, self.graph.cells)
        places = changed_places(before, self.graph)
        return {
            place.object
            for place in places
            if (isinstance(place.object, NodeId) or place.object in boxed)
            and any(isinstance(each.get(place), Pointer) for each in ends)
        }

    def _mended(self) -> frozenset[NodeId]:
        """The whole lists and trees to which all nodes belong whose pointers are not as before."""
        before = self.request.before
        relinked = self._relinked(before) if before is not None else ()
        nodes = {each for each in relinked if isinstance(each, NodeId)}
        shown = frozenset(self.allowed)
        found = [whole(self.survey, self.roles, shown, node) for node in nodes]
        return frozenset[NodeId]().union(*found) if all(found) else frozenset()

    def _in_a_tree(self, node: NodeId) -> bool:
        role = self.roles.get(self.survey.tag(node))
        return role is not None and role.kind == "tree"

    def _in_another_function(self, previous: Picture) -> bool:
        """Whether the process stands in another function than in the picture before.

        Whoever steps through a function sees its boxes stay where they are.
        """
        before, here = (each.frames[:1] for each in (previous.request.graph, self.graph))
        return [each.function for each in before] != [each.function for each in here]

    def _has_room_again(self, previous: Picture) -> bool:
        """Whether freed nodes are no longer drawn, in whose way others had to stand elsewhere."""
        return any(node in previous.boxes for node in self.buried)

    def _tidy(self) -> Picture:
        self.width = self.given
        limit = self.request.limit
        details: dict[str, Detail] = {}
        gap, stacked = 3, False
        while True:
            draft = self._draft(limit, details, {})
            arranger = self._arranger(draft, gap, stacked)
            block = arranger.arrange(draft.lines)
            if not arranger.wide_trees or limit <= 3:
                break
            if gap == 3:
                gap = 1
            elif arranger.has_chains and not stacked:
                gap, stacked = 3, True
            elif self.sheet:
                break
            elif not _reduce(details, arranger.wide_trees):
                details, gap = {}, 3
                limit = min(limit, len(draft.selection.nodes)) * 3 // 4
        if self.sheet:
            self.width = max(self.width, block.width)
        elif block.width > self.width:
            block = wrapped(list(block.at), draft.sizes, self.width, GAP, BAND)
        return self._picture(draft, block.at, details, tidy=True)

    def _settled(self, previous: Picture) -> Picture | None:
        """The picture with every surviving box in its place, None if it has to be laid out anew."""
        if self.sheet:
            if previous.details:
                return None
            self.width = max(self.width, previous.width)
        limit = self.request.limit
        if len(self.allowed) <= limit * 3 // 2 and not previous.hidden.nodes:
            limit = len(self.allowed)
        details = dict(previous.details)
        selection = self._select(limit)
        shown = set(selection.nodes)
        known = previous.request.graph.nodes
        kept = [node for node in shown if node in previous.boxes]
        surfaced = [node for node in shown if node in known and node not in previous.boxes]
        runs = any(run not in previous.boxes for run in selection.runs)
        if surfaced or runs or (shown and not kept) or len(shown) > 3 * len(kept) + 1:
            return None
        if previous.request.roots != self.request.roots or previous.width > self.width:
            return None
        draft = self._draft(limit, details, previous.boxes)
        settler = Settler(previous, self.survey, self.roles, draft.sizes, self.width)
        positions = settler.settle(lambda keys: self._group(draft, keys))
        return None if positions is None else self._picture(draft, positions, details, tidy=False)

    def _group(self, draft: _Draft, keys: Iterable[ObjectId]) -> Block:
        return self._arranger(draft, 1).arrange(keys)

    def _arranger(self, draft: _Draft, gap: int, stacked: bool = False) -> Arranger:
        return Arranger(self.survey, draft.selection, self.roles, draft.sizes, self.width, gap, stacked)

    def _select(self, limit: int) -> Selection:
        if limit not in self._selections:
            self._selections[limit] = select(self.survey, self.allowed, self.starts, self.roles, limit)
        return self._selections[limit]

    def _draft(self, limit: int, details: Mapping[str, Detail], old: Mapping[BoxKey, Box]) -> _Draft:
        selection = self._select(limit)
        keys: list[ObjectId] = [*(v.id for v in self.boxed), *selection.nodes]
        lines = self._evened({key: self._lines(key) for key in keys}, details)
        hidden = sum(p.hidden for found in lines.values() for line in found for p in line.pieces)
        aside: dict[BoxKey, int] = {}
        for label in self._labelled(lines)[0]:
            if label.line is not None and label.target not in old:
                aside[label.target] = max(aside.get(label.target, 0), width_aside([label]))
        return _Draft(selection, lines, self._sizes(lines, selection, details, old, aside), aside, hidden)

    def _evened(
        self, lines: dict[ObjectId, tuple[Line, ...]], details: Mapping[str, Detail]
    ) -> dict[ObjectId, tuple[Line, ...]]:
        for kind in (each for each, detail in details.items() if detail is Detail.BARE):
            lines |= evened({key: found for key, found in lines.items() if self.survey.kind(key) == kind})
        return lines

    def _lines(self, key: ObjectId) -> tuple[Line, ...]:
        if key not in self._known_lines:
            lines = self.reader.lines(key, self._offsets(key))
            folded = self.request.folded or key in self.request.settled
            self._known_lines[key] = self._folded(lines) if folded and isinstance(key, VariableId) else lines
        return self._known_lines[key]

    def _folded(self, lines: tuple[Line, ...]) -> tuple[Line, ...]:
        """The first lines of a table that nobody has to look at: pointers to functions are no arrows."""
        pieces = [piece for line in lines for piece in line.pieces]
        led = (piece.target.object for piece in pieces if piece.target is not None)
        drawn = any(isinstance(each, NodeId) or self.names.type_of(each) is not None for each in led)
        telling = drawn or any(piece.was is not None for piece in pieces)
        if telling or len(lines) <= 2 * _OF_A_TABLE:
            return lines
        first = _OF_A_TABLE + is_heading(lines[0])
        rest = [piece for line in lines[first:] for piece in line.pieces]
        places = [place for piece in rest for place in piece.ends or piece.places]
        return (*lines[:first], more(sum(piece.counted for piece in rest), places))

    def _offsets(self, key: ObjectId) -> set[int]:
        """Where the cells of an object stand."""
        node = self.graph.nodes.get(key) if isinstance(key, NodeId) else None
        declared = self.names.type_of(key)
        if node is not None and 0 < node.size <= _SMALL and len(self.graph.cells) > _FEW_CELLS:
            found = {offset for offset in range(node.size) if Place(key, offset) in self.graph.cells}
            if declared is not None:
                further = (o for o in _scalar_offsets(self.graph, declared) if o >= BIT)
                found.update(offset for offset in further if Place(key, offset) in self.graph.cells)
            return found
        whole = node is None or (declared is not None and self.graph.types.size(declared) == node.size)
        if declared is not None and whole and len(self.graph.cells) > _FEW_CELLS:
            return {o for o in _scalar_offsets(self.graph, declared) if Place(key, o) in self.graph.cells}
        if self._by_object is None:
            self._by_object = {}
            for target, offset in self.graph.cells:
                self._by_object.setdefault(target, set()).add(offset)
        return self._by_object.get(key, set())

    def _sizes(
        self,
        lines: Mapping[ObjectId, tuple[Line, ...]],
        selection: Selection,
        details: Mapping[str, Detail],
        old: Mapping[BoxKey, Box],
        aside: Mapping[BoxKey, int],
    ) -> dict[BoxKey, Size]:
        """Width and height of every box; nodes of one struct type are equally wide."""
        kinds = {key: self.survey.kind(key) for key in lines}
        widths: dict[str, int] = {}
        for key, found in lines.items():
            detail = details.get(kinds[key], Detail.FULL)
            width = min(inner_width(found, self._title(key), detail) + 2, self.width)
            if key not in old and detail is Detail.FULL and (state := self._state(key)) in ("freed", "lost"):
                width = max(width, title_width(self._title(key), state))
            tree = kinds[key] in self.roles and self.roles[kinds[key]].kind == "tree"
            width += tree and width % 2 == 0
            if key in old and old[key].detail is detail:
                width = max(width, old[key].width)
            widths[kinds[key]] = max(widths.get(kinds[key], 0), width)
        sizes: dict[BoxKey, Size] = {}
        for key in lines:
            sizes[key] = (widths[kinds[key]] + aside.get(key, 0), len(lines[key]) + 2)
            run = Run(key) if isinstance(key, NodeId) else None
            if run is not None and run in selection.runs:
                sizes[run] = (len(_run_text(selection.runs[run][0])), sizes[key][1])
        return sizes

    def _title(self, key: ObjectId) -> str:
        return self.names.object(key, short=True)

    def _state(self, key: ObjectId) -> BoxState:
        if not isinstance(key, NodeId):
            return "variable"
        if self.graph.nodes[key].state == "freed":
            return "freed"
        if key not in self.survey.reached:
            return "lost"
        before = self.request.before
        return "new" if before is not None and key not in before.nodes else "live"

    def _picture(self, draft: _Draft, at: Positions, details: dict[str, Detail], tidy: bool) -> Picture:
        boxes: dict[BoxKey, Box] = {}
        for key, lines in draft.lines.items():
            kind = self.survey.kind(key)
            fresh = isinstance(key, NodeId) and is_fresh(self.graph, self.request.before, key)
            box = Box(key, self._title(key), self._state(key), lines, kind, fresh=fresh)
            placed = _placed(box, at, draft.sizes, details.get(kind, Detail.FULL))
            boxes[key] = replace(placed, width=placed.width - draft.aside.get(key, 0))
        for run, (count, _) in draft.selection.runs.items():
            boxes[run] = _placed(Box(run, _run_text(count), "run", ()), at, draft.sizes, Detail.FULL)
        labels, scalars, unseen = self._labelled(draft.lines)
        hidden = Hidden(
            len(self.graph.nodes) - len(draft.selection.nodes) + self.graph.unread,
            draft.hidden_cells,
            self.hidden_variables + unseen,
            self.buried,
        )
        trees = frozenset(tag for tag, role in self.roles.items() if role.kind == "tree")
        arrows = Arrows(self.survey, self.roles, self.names).between(boxes, draft.selection)
        return Picture(boxes, arrows, labels, scalars, hidden, self.width, self.request, trees, details, tidy)

    def _labelled(
        self, lines: Mapping[ObjectId, tuple[Line, ...]]
    ) -> tuple[tuple[Label, ...], tuple[Scalar, ...], int]:
        """What variables lead to and what is asked for, each at its line; see `labelled`."""
        labels, scalars, unseen = labelled(self.variables, lines, self.graph, self.names, self.reader)
        found = [self._at_line(label, lines) for label in labels]
        for text, value in self.request.asked:
            if value.object not in lines:
                continue
            path = self.names.inside(*value) if value.offset else ""
            into = part(lines[value.object], value, CHAR, self.names) if value.offset else None
            line = into[0] if into is not None else None
            if line is not None and lines[value.object][line].fields:
                path = lines[value.object][line].name
            name = self.names.pointer(value)
            found.append(Label(text, None, value.object, path, text=name, line=line))
        return tuple(found), scalars, unseen

    def _at_line(self, label: Label, lines: Mapping[ObjectId, tuple[Line, ...]]) -> Label:
        value = self.graph.cells.get(label.place) if label.place is not None else None
        ctype = self.graph.cell_types.get(label.place) if label.place is not None else None
        if not label.path or not isinstance(value, Pointer) or not isinstance(ctype, PointerType):
            return label
        into = part(lines[value.object], value, ctype.target, self.names)
        return label if into is None else replace(label, line=into[0])


def _scalar_offsets(graph: MemoryGraph, ctype: CType) -> Iterable[int]:
    if isinstance(ctype, ArrayType) and isinstance(ctype.element, PointerType):
        step = graph.types.size(ctype.element)
        return range(0, ctype.length * step, step)
    return (offset for offset, _ in graph.types.scalars(ctype))


def _reduce(details: dict[str, Detail], tags: set[str]) -> bool:
    """Give the boxes of the types less room; False when there is no less."""
    changed = False
    for tag in tags:
        match details.get(tag, Detail.FULL):
            case Detail.FULL:
                details[tag] = Detail.TIGHT
                changed = True
            case Detail.TIGHT:
                details[tag] = Detail.BARE
                changed = True
            case Detail.BARE:
                pass
    return changed


def _placed(box: Box, at: Positions, sizes: Mapping[BoxKey, Size], detail: Detail) -> Box:
    x, y = at[box.key]
    width, height = sizes[box.key]
    return replace(box, x=x, y=y, width=width, height=height, detail=detail)


def _run_text(count: int) -> str:
    return f"… {count} more …"
