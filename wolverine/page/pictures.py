"""From a memory graph to the page's picture: the one layout of `wolverine.draw`, in CSS pixels."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from wolverine import draw
from wolverine.core.graph import MemoryGraph, NodeId, Place, Pointer, Site, VariableId
from wolverine.core.types import spell
from wolverine.draw.attempts import drawn
from wolverine.draw.detours import detoured
from wolverine.draw.drawing import Way
from wolverine.draw.events import type_text
from wolverine.draw.lines import Scale, corners, curve
from wolverine.draw.measure import element_width, is_indented, name_width, piece_widths
from wolverine.draw.picture import Box, BoxKey, Detail, Label, Line, Piece, Run
from wolverine.page import protocol
from wolverine.page.naming import NULL, Places

SCALE = Scale(8, 20)  # CSS pixels a column and a row: a monospace font of 13 px
COLUMNS = 110
NARROW = 84
_PAD = 5  # pixels that a chip is wider than its text, on either side
_MARGIN = 12
_GLYPHS = (", ", "▼", "◀")


class Pictured:
    """A graph laid out for the page; `layout` is what the next stop's picture keeps its places from.

    What differs from `before` is marked.  Nothing can be edited unless it is of a process that is `alive`.
    Pictures that stand side by side are `narrow`.  For `elsewhere` and what follows see `draw.layout`.
    """

    def __init__(
        self,
        graph: MemoryGraph,
        previous: draw.Picture | None = None,
        before: MemoryGraph | None = None,
        *,
        alive: bool = True,
        narrow: bool = False,
        elsewhere: bool | None = None,
        corrected: bool = False,
        marking: bool = False,
        roots: Sequence[Place] = (),
        asked: Sequence[tuple[str, Pointer]] = (),
    ) -> None:
        width = NARROW if narrow else COLUMNS
        self.layout = draw.layout(
            graph,
            previous,
            before=before,
            limit=draw.ON_A_SHEET,
            width=width,
            sheet=not narrow,
            elsewhere=elsewhere,
            corrected=corrected,
            marking=marking,
            roots=roots,
            asked=asked,
        )
        self.picture = _Writer(Places(graph, alive=alive), before, self.layout, width).picture()


class _Writer:
    def __init__(
        self, places: Places, before: MemoryGraph | None, layout: draw.Picture, columns: int
    ) -> None:
        self.columns = columns
        self.graph = places.graph
        self.places = places
        self.layout = layout
        self.drawing = drawn(layout, layout.width + 8)
        self.lost_before = before.leaked() if before is not None else frozenset()

    def picture(self) -> protocol.Picture:
        nodes = tuple(self._node(box) for box in self.layout.boxes.values())
        chips, lines = [], []
        for label, x, y, columns in self._placed():
            chip = self._beside(label, x, y, columns)
            chips.append(chip)
            lines.append(self._line_of(chip, label))
        ways = [*detoured(self.drawing)]
        there = {way.points for way in ways if not way.arrow.implied}
        lines += [self._arrow(way, _goes_back(way, there)) for way in ways]
        top = min([node.y for node in nodes] + [chip.y for chip in chips], default=0.0)
        chips += self._written(top)
        hidden = self.layout.hidden
        buried = tuple(f"n{node.number}" for node in hidden.freed)
        found = _bounded(nodes, tuple(chips), tuple(lines), hidden.nodes - len(buried))
        return replace(found, buried=buried)

    # -- boxes -------------------------------------------------------------------------------------

    def _node(self, box: Box) -> protocol.Node:
        key = box.key
        x, y = box.x * SCALE.x, box.y * SCALE.y
        width, height = box.width * SCALE.x, (box.height - 1) * SCALE.y
        made = protocol.Node(
            name=self._name(key), title=box.title, value="", type="", state="run", marks=(),
            x=x, y=y, width=width, height=height, address="", size=0, allocated="", freed="",
            cells=tuple(self._cells(box)),
        )  # fmt: skip
        if isinstance(key, Run):
            return made
        address = self.places.address(Place(key, 0))
        if isinstance(key, VariableId):
            ctype = self.places.names.type_of(key)
            return replace(
                made, value=f"&{made.name}", type=spell(ctype) if ctype else "", state="variable",
                address=address, size=self.places.size(ctype),
            )  # fmt: skip
        node = self.graph.nodes[key]
        state = box.state if box.state in ("freed", "lost") else "live"
        return replace(
            made, value=made.name, type=type_text(node), state=state, marks=tuple(self._news(box, key)),
            address=address, size=node.size, allocated=_site(node.allocated), freed=_site(node.freed),
        )  # fmt: skip

    def _name(self, key: BoxKey) -> str:
        return f"behind n{key.after.number}" if isinstance(key, Run) else self.places.names.object(key, True)

    def _news(self, box: Box, key: NodeId) -> Iterator[str]:
        before = self.layout.request.before
        if before is not None and key not in before.nodes:
            yield "added"
        elif box.fresh or (before is not None and box.state == "lost" and key not in self.lost_before):
            yield "changed"

    def _cells(self, box: Box) -> Iterator[protocol.Cell]:
        names = name_width(box.lines, box.detail)
        element = element_width(box.lines)
        pad = 1 if box.detail is Detail.FULL and names else 0
        for index, line in enumerate(box.lines):
            first = box.x + 1 + pad + (names + 1 if is_indented(line) or not names else 0)
            widths = piece_widths(line, element)[:-1]
            starts = list(accumulate((width + 1 for width in widths), initial=first))
            # The mark of a change stands at the left edge of its cell: in the middle between two values.
            edges = [box.x, *(start - 0.5 for start in starts[1:]), box.x + box.width]
            for number, (piece, start) in enumerate(zip(line.pieces, starts)):
                left, end = edges[number], edges[number + 1]
                named = number == 0 and box.detail is not Detail.BARE
                yield self._cell(line, piece, named, left, end - left, box.y + 1 + index, start)

    def _cell(
        self, line: Line, piece: Piece, named: bool, x: float, columns: float, row: int, start: int
    ) -> protocol.Cell:
        places = self.places
        place = piece.places[0] if piece.places and piece.kind != "hidden" else None
        text = places.text(place) if place is not None else ""
        one = place is not None and len(piece.places) == 1
        return protocol.Cell(
            place=text,
            label=line.name if named else "",
            type=places.type_text(place) if place is not None else "",
            text=NULL if piece.kind == "null" else piece.text,
            pointer=place is not None and places.points(place),
            marks=_marks(piece),
            editable=one and place is not None and places.editable(place, text),
            x=x * SCALE.x,
            y=row * SCALE.y,
            width=columns * SCALE.x,
            height=SCALE.y,
            at=start * SCALE.x,
            address=places.address(place) if place is not None else "",
            size=sum(places.size(places.type(each)) for each in piece.places),
            was=_null(piece.was),
        )

    # -- variables ---------------------------------------------------------------------------------

    def _placed(self) -> Iterator[tuple[Label, float, float, int]]:
        """The labels that found room: column, row and columns of their text."""
        loose = self.drawing.loose
        labels = [label for group in self.layout.named().values() for label in group if label not in loose]
        spots = []
        for text in self.drawing.texts:
            x = text.x - self.drawing.dx
            for segment in text.segments:
                if segment.text not in _GLYPHS:
                    spots.append((x, text.y - self.drawing.dy, len(segment.text)))
                x += len(segment.text)
        for label, (x, y, columns) in zip(labels, spots, strict=True):
            yield label, x, y, columns

    def _chip(self, place: Place | None, label: str, x: float, y: float, columns: int) -> protocol.Chip:
        places = self.places
        if place is None:
            return protocol.Chip(
                place="", label=label, type="", text="", pointer=True, marks=(), editable=False,
                x=x * SCALE.x - _PAD, y=y * SCALE.y + 1, width=columns * SCALE.x + 2 * _PAD,
                height=SCALE.y - 2, written=False, address="", size=0,
            )  # fmt: skip
        text = places.text(place)
        return protocol.Chip(
            place=text, label=label, type=places.type_text(place), text=places.value(place),
            pointer=places.points(place), marks=(), editable=places.editable(place, text),
            x=x * SCALE.x - _PAD, y=y * SCALE.y + 1, width=columns * SCALE.x + 2 * _PAD,
            height=SCALE.y - 2, written=False, address=places.address(place),
            size=places.size(places.type(place)),
        )  # fmt: skip

    def _beside(self, label: Label, x: float, y: float, columns: int) -> protocol.Chip:
        name = f"{label.name}({label.path})" if label.path else label.name
        chip = self._chip(label.place, name, x, y, columns)
        marks = ("changed",) * (label.was is not None) + ("dangling",) * label.dangling
        return replace(chip, marks=marks, was=_null(label.was))

    def _line_of(self, chip: protocol.Chip, label: Label) -> protocol.Arrow:
        """From a chip straight to the box beside which it stands."""
        box = self.layout.boxes[label.target]
        left, right, top = box.x * SCALE.x, (box.right + 1) * SCALE.x, box.y * SCALE.y
        points: tuple[tuple[float, float], ...]
        if chip.y + chip.height <= top:
            middle = min(max(chip.x + chip.width / 2, left + _PAD), right - _PAD)
            points = ((chip.x + chip.width / 2, chip.y + chip.height), (middle, top))
        else:
            middle = chip.y + chip.height / 2
            points = ((chip.x, middle), (right, middle))
        return protocol.Arrow(chip.place, self._name(label.target), chip.marks, chip.editable, points)

    def _written(self, top: float) -> Iterator[protocol.Chip]:
        """Chips that read `label = text`, in rows above the picture."""
        entries: list[tuple[Place | None, str, Piece | Label]] = [
            *((s.piece.places[0], s.name, s.piece) for s in self.layout.scalars if s.piece.places),
            *((label.place, label.name, label) for label in self.drawing.loose),
        ]
        rows: list[list[protocol.Chip]] = []
        x = self.columns + 1.0
        for place, name, shown in entries:
            chip = self._entry(place, name, shown)
            columns = chip.width / SCALE.x
            if x + columns > self.columns:
                rows.append([])
                x = min((box.x for box in self.layout.boxes.values()), default=0) + 1
            rows[-1].append(replace(chip, x=x * SCALE.x))
            x += columns + 1
        for index, row in enumerate(rows):
            y = top - (len(rows) - index) * (SCALE.y + 6) - 8
            for chip in row:
                yield replace(chip, y=y, height=SCALE.y)

    def _entry(self, place: Place | None, name: str, shown: Piece | Label) -> protocol.Chip:
        chip = self._chip(place, name, 0, 0, 0)
        text = chip.text
        if isinstance(shown, Piece):
            marks, one = _marks(shown), len(shown.places) == 1
            text = NULL if shown.kind == "null" else shown.text
        else:
            marks = ("changed",) * (shown.was is not None) + ("dangling",) * shown.dangling
            one = True
            text = text or self._name(shown.target)
        width = (len(name) + 3 + len(text)) * SCALE.x + 2 * _PAD
        return replace(
            chip, text=text, marks=marks, was=_null(shown.was), width=width, written=True,
            editable=one and chip.editable,
        )  # fmt: skip

    # -- arrows ------------------------------------------------------------------------------------

    def _arrow(self, way: Way, back: bool) -> protocol.Arrow:
        arrow = way.arrow
        source, target = self.layout.boxes[arrow.source], self.layout.boxes[arrow.target]
        place = self._source_place(source, arrow.line)
        text = self.places.text(place) if place is not None else ""
        marks = [
            name
            for name, holds in (
                ("changed", arrow.changed),
                ("dangling", arrow.dangling),
                ("faded", source.state in ("freed", "lost")),
                ("implied", arrow.implied),
                ("back", back),
                ("run", isinstance(arrow.source, Run) or isinstance(arrow.target, Run)),
            )
            if holds
        ]
        if way.points is None:
            points, bent = curve(source, target, arrow, SCALE), True
        else:
            points, bent = corners(way, source, target, self.drawing, SCALE), False
        return protocol.Arrow(
            text,
            self._name(arrow.target),
            tuple(marks),
            place is not None and self.places.editable(place, text),
            tuple(points),
            bent,
        )

    def _source_place(self, box: Box, line: int) -> Place | None:
        if line < 0:
            return None
        return next(piece.places[0] for piece in box.lines[line].pieces if piece.target is not None)


def _goes_back(way: Way, there: Collection[object]) -> bool:
    """Whether an arrow takes the way of another one back, so that one line has a head at each end."""
    if way.points is None or not way.arrow.implied or way.arrow.changed:
        return False
    return way.points[::-1] in there


def _marks(piece: Piece) -> tuple[str, ...]:
    kind = () if piece.kind in ("plain", "pointer") else (piece.kind,)
    return ("changed", *kind) if piece.was is not None else kind


def _null(text: str | None) -> str | None:
    return NULL if text == "NULL" else text


def _site(site: Site | None) -> str:
    return f"{site.file}:{site.line}" if site is not None else ""


def _bounded(
    nodes: tuple[protocol.Node, ...],
    chips: tuple[protocol.Chip, ...],
    arrows: tuple[protocol.Arrow, ...],
    hidden: int,
) -> protocol.Picture:
    """The picture with room for all that is in it."""
    boxes: list[protocol.Node | protocol.Chip] = [*nodes, *chips]
    points = [point for arrow in arrows for point in arrow.points]
    xs = [edge for box in boxes for edge in (box.x, box.x + box.width)] + [x for x, _ in points]
    ys = [edge for box in boxes for edge in (box.y, box.y + box.height)] + [y for _, y in points]
    left, right = min(xs, default=0.0) - _MARGIN, max(xs, default=0.0) + _MARGIN
    top, bottom = min(ys, default=0.0) - _MARGIN, max(ys, default=0.0) + _MARGIN
    return protocol.Picture(left, top, right - left, bottom - top, hidden, nodes, chips, arrows)
