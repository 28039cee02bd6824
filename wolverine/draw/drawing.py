"""Boxes, labels and arrows on a grid: what stands where in every renderer, and the terminal's rows."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass

from wolverine.draw.canvas import Canvas, Segment
from wolverine.draw.columns import columns, cut
from wolverine.draw.labels import label_words, split
from wolverine.draw.measure import element_width, is_indented, name_width, padded, piece_widths
from wolverine.draw.picture import Arrow, Box, BoxKey, BoxState, Detail, Label, Line, Picture
from wolverine.draw.route import Frame, Point, Router, Wish, way_length

_TOP = 7  # rows above the picture, for labels
_BOTTOM = 5  # rows below it, for arrows
_LEFT = 3
_ROUND_ABOUT = 8  # columns and rows that a way to a child may be longer than it has to be
_OVERHANG = 3  # columns that a name may begin left of its box, where it has no room else
_EMPTY = "no variables, no nodes"
_CORNERS = 4  # columns of a box that its title cannot have
_WORDS = {"new": "new", "freed": "freed", "lost": "lost"}
_SIGNS = {"new": "+", "freed": "x", "lost": "~"}
_PIECES = {
    "plain": "value", "null": "null", "pointer": "value", "uninitialised": "quiet", "dangling": "broken",
    "wild": "broken", "hidden": "quiet",
}  # fmt: skip


def extent(picture: Picture) -> tuple[int, int, int, int]:
    """Left, top, width and height of all boxes."""
    boxes = picture.boxes.values()
    left = min((box.x for box in boxes), default=0)
    top = min((box.y for box in boxes), default=0)
    right = max((box.right for box in boxes), default=left - 1)
    bottom = max((box.bottom for box in boxes), default=top - 1)
    return left, top, right - left + 1, bottom - top + 1


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of a label that begins at column `x` of row `y` of the canvas."""

    x: int
    y: int
    segments: tuple[Segment, ...]

    @property
    def right(self) -> int:
        """The column of its last character."""
        return self.x + sum(columns(segment.text) for segment in self.segments) - 1


@dataclass(frozen=True, slots=True)
class Way:
    """The corners of an arrow's line on the canvas; None when it has no line.

    An implied arrow may have that of the arrow which it undoes, from the end to the beginning.
    """

    arrow: Arrow
    points: tuple[Point, ...] | None


@dataclass(frozen=True, slots=True)
class Plan:
    """Which arrows are drawn `first`, after those that run straight.

    At the boxes `leftwards` names end at their arrow, where they begin at it elsewhere.
    """

    first: tuple[Arrow, ...] = ()
    leftwards: tuple[BoxKey, ...] = ()


class Drawing:
    """Boxes first, then labels, then arrows.

    Box corner (x, y) of the picture is cell (x + dx, y + dy) of the canvas.  `loose` are the labels that
    found no room at their box, `texts` those that did, `ways` the lines of the arrows, which the `router`
    draws.
    """

    def __init__(self, picture: Picture, width: int, plan: Plan = Plan()) -> None:
        self.picture = picture
        self.plan = plan
        left, top, across, down = extent(picture)
        margin = max(0, min(_LEFT, (width - across) // 2))
        self.dx, self.dy = margin - left, _TOP - top
        self.canvas = Canvas(width, down + _TOP + _BOTTOM)
        self.frames: dict[BoxKey, Frame] = {}
        self.loose: list[Label] = []
        self.texts: list[Text] = []
        self.ways: list[Way] = []
        self._bent: dict[BoxKey, list[int]] = {}
        self._leaving: dict[BoxKey, list[Arrow]] = {}
        for box in self.picture.boxes.values():
            self._box(box)
        self._labels()
        self.router = self._routed()
        self._arrows()

    def rows(self) -> list[list[Segment]]:
        """All of it, as lines of text."""
        if self.picture.boxes:
            return self.canvas.rows()
        hidden = self.picture.hidden
        empty = "nothing is allocated" if self.loose or self.picture.scalars else _EMPTY
        if hidden.nodes and hidden.nodes == len(hidden.freed):
            empty = "everything is freed"
        return [] if hidden.nodes > len(hidden.freed) else [[Segment(empty, "quiet")]]

    def missing(self) -> list[Arrow]:
        """The arrows that found no way, without those that other arrows tell."""
        return [way.arrow for way in self.ways if way.points is None and not way.arrow.implied]

    def untold(self) -> list[Arrow]:
        """The arrows without a line that no other arrow tells: such as undo others are told by these.

        In boxes that show only values they are not: there a line says what leads back.
        """
        told = {(way.arrow.target, way.arrow.source) for way in self.ways if not way.arrow.implied}
        found = []
        for arrow in (way.arrow for way in self.ways if way.points is None):
            bare = self.picture.boxes[arrow.source].detail is Detail.BARE
            undoing = arrow.source != arrow.target and (arrow.source, arrow.target) in told
            if not arrow.implied or (undoing and not bare):
                found.append(arrow)
        return found

    def astray(self) -> list[Arrow]:
        """The arrows to children of trees that come from the side, or go a long way round."""
        found = []
        for arrow, points in ((way.arrow, way.points) for way in self.ways):
            wish = self.wish(arrow)
            if points is not None and wish.above and not wish.implied:
                middle = wish.target.centre
                across = max(wish.source.x - 1 - middle, middle - wish.source.right - 1, 0)
                least = across + wish.target.y - wish.row
                if points[-1][1] >= wish.target.y or way_length(points) > least + _ROUND_ABOUT:
                    found.append(arrow)
        return found

    def _box(self, box: Box) -> None:
        x, y = box.x + self.dx, box.y + self.dy
        canvas = self.canvas
        if box.state == "run":
            lines = (arrow.line for arrow in self.picture.arrows if arrow.target == box.key)
            row = y + 1 + next(lines, 0)
            canvas.write(x, row, box.title, "quiet")
            self.frames[box.key] = Frame(x, row - 1, x + box.width - 1, row + 1, boxed=False)
            canvas.box_row(row)
            return
        self.frames[box.key] = Frame(x, y, x + box.width - 1, y + box.height - 1)
        style = {"new": "new", "freed": "freed", "lost": "lost"}.get(box.state, "")
        dashed = box.state in ("freed", "lost")
        across, upright = ("╌", "╎") if dashed else ("─", "│")
        inner = box.width - 2
        canvas.write(x, y, "┌" + across * inner + "┐", style)
        title = title_words(box)
        title = f" {title} " if box.detail is Detail.FULL else title
        start = x + 2 if box.detail is Detail.FULL and columns(title) < inner else x + 1
        canvas.write(start, y, title, style or "label")
        element = element_width(box.lines)
        names = name_width(box.lines, box.detail)
        for index, line in enumerate(box.lines):
            row = y + 1 + index
            canvas.write(x, row, upright + " " * inner + upright, style)
            self._line(box, line, x + 1, row, names, element)
        canvas.write(x, y + box.height - 1, "└" + across * inner + "┘", style)
        for row in range(y, y + box.height):
            canvas.box_row(row)

    def _line(self, box: Box, line: Line, x: int, y: int, names: int, element: int) -> None:
        faded = {"freed": "freed", "lost": "lost"}.get(box.state, "")
        pad = 1 if box.detail is Detail.FULL and names else 0
        if names and line.name:
            self.canvas.write(x + pad, y, line.name, faded or "quiet")
        if names and not is_indented(line):
            column = x + pad
        else:
            column = x + pad + names + 1
        limit = x + box.width - 2
        for piece, width in zip(line.pieces, piece_widths(line, element)):
            text = cut(piece.text, limit - column)
            style = faded or ("changed" if piece.was is not None else _PIECES[piece.kind])
            if piece.kind in ("dangling", "wild") and piece.was is None:
                style = "broken"
            if piece.was is not None:
                self.canvas.write(column - 1, y, "*", "changed")
            text = padded(text, min(width, max(0, limit - column)), line)
            self.canvas.write(column, y, text, style)
            column += width + 1

    def _labels(self) -> None:
        if not self.picture.boxes:
            self.loose = list(self.picture.labels)
            return
        named = self.picture.named()
        topped = {key for key, line in named if line is None}
        later: list[tuple[BoxKey, list[Label]]] = []
        for (key, line), labels in named.items():
            frame = self.frames[key]
            if line is not None and self._aside(labels, frame, [frame.y + 1 + line]):
                continue
            if line is not None and any(label.path.startswith("[") for label in labels):
                self.loose += labels  # above the box it would seem to lead to the first element
                continue
            if not self._at_box(key, labels, topped):
                later.append((key, labels))
        for key, labels in later:
            self._squeezed(key, labels, topped)

    def _at_box(self, key: BoxKey, labels: list[Label], topped: Iterable[BoxKey], left: int = 0) -> bool:
        """Names above the box, up to `left` columns left of it, or beside it."""
        frame = self.frames[key]
        room = self._room(frame, topped)
        return self._above(key, labels, room, left) or self._aside(labels, frame, [frame.y, frame.bottom])

    def _squeezed(self, key: BoxKey, labels: list[Label], topped: Iterable[BoxKey]) -> None:
        """Names between those of other boxes; the longest ones are `loose` where not all have room."""
        standing, dropped = list(labels), list[Label]()
        while standing and not self._at_box(key, standing, topped, _OVERHANG):
            longest = max(standing, key=lambda label: columns(label_words(label).text))
            standing.remove(longest)
            dropped.append(longest)
        self.loose += [label for label in labels if label in dropped]

    def _room(self, frame: Frame, grouped: Iterable[BoxKey]) -> int:
        """Columns up to the labels of the next box at the same height."""
        others = (self.frames[key] for key in grouped)
        ends = [other.x for other in others if other.y == frame.y and other.x > frame.x]
        return min(ends, default=self.canvas.width) - frame.x - 1

    def _above(self, key: BoxKey, labels: list[Label], room: int, left: int) -> bool:
        """Names in one or more lines above the box, with an arrow down to it."""
        frame = self.frames[key]
        column = frame.x + 2
        if not self.canvas.is_free(column, frame.y - 1, 1):
            return False
        words = [label_words(label) for label in labels]
        for count in range(1, min(len(words), 5) + 1):
            lines = split(words, count)
            spots = []
            for index, line in enumerate(lines):
                length = sum(columns(segment.text) for segment in line)
                y = frame.y - 1 - len(lines) + index
                x = frame.x + 1 if length > 1 else frame.x + 2
                x = x if key not in self.plan.leftwards else column + 1 - length
                over = min(max(length - room, 0), left)
                x = min(x - over, self.canvas.width - length)
                if length - over > room:
                    break
                if self._has_room(x, y, length):
                    spots.append((x, y, line))
            if len(spots) == len(lines):
                for x, y, line in spots:
                    self._segments(x, y, line)
                self._head(column, frame.y - 1, "▼")
                return True
        return False

    def _has_room(self, x: int, y: int, length: int) -> bool:
        """Whether a name may stand there, with air around it."""
        if self.canvas.is_free(x - 1 if x else 0, y, length + 2 if x else length + 1):
            return True
        return x + length == self.canvas.width and self.canvas.is_free(x - 1, y, length + 1)

    def _aside(self, labels: list[Label], frame: Frame, rows: Iterable[int]) -> bool:
        """Names at the right side of the box, in the first of the rows that has room."""
        words = [label_words(label) for label in labels]
        line = split(words, 1)[0]
        length = sum(columns(segment.text) for segment in line)
        for y in rows:
            if self.canvas.is_free(frame.right + 1, y, length + 3):
                self._head(frame.right + 1, y, "◀")
                self._segments(frame.right + 3, y, line)
                return True
        return False

    def _head(self, x: int, y: int, glyph: str) -> None:
        self.canvas.head(x, y, glyph, "label")
        self.texts.append(Text(x, y, (Segment(glyph, "label"),)))

    def _segments(self, x: int, y: int, line: list[Segment]) -> None:
        self.texts.append(Text(x, y, tuple(line)))
        for segment in line:
            self.canvas.write(x, y, segment.text, segment.style)
            x += columns(segment.text)
        if x < self.canvas.width:
            self.canvas.solid[y][x] = 1  # or a line would touch the name

    def _routed(self) -> Router:
        parts = {(arrow.target, arrow.into[1]) for arrow in self.picture.arrows if arrow.into is not None}
        wishes = [self.wish(arrow) for arrow in self.picture.arrows]
        return Router(
            self.canvas,
            {(self.frames[key], self.frames[key].y + 1 + line) for key, line in parts},
            {(wish.source, wish.row) for wish in wishes if not (wish.level or wish.implied)},
            {(x, text.y) for text in self.texts for x in (text.x - 1, text.right + 1)},
        )

    def _arrows(self) -> None:
        for arrow in self.picture.arrows:
            if not self.wish(arrow).level and not arrow.implied:
                self._bent.setdefault(arrow.source, []).append(arrow.line)
        back = {
            (arrow.target, arrow.source)
            for arrow in self.picture.arrows
            if arrow.implied and arrow.source != arrow.target and not self.wish(arrow).level
        }
        wishes = [(self.wish(arrow, back), arrow) for arrow in self.picture.arrows]
        first = set(self.plan.first)

        def order(pair: tuple[Wish, Arrow]) -> tuple[int, int]:
            wish, arrow = pair
            return (0 if not first or wish.level else 1 if arrow in first else 2), wish.distance

        for wish, arrow in sorted(wishes, key=order):
            points = self.router.draw(wish)
            self.ways.append(Way(arrow, None if points is None else tuple(points)))
        self.ways = [self._shared(way) for way in self.ways]

    def _shared(self, way: Way) -> Way:
        """An implied arrow without a line of its own shares that of the arrow which it undoes."""
        arrow = way.arrow
        if way.points is not None or not arrow.implied:
            return way
        if self.picture.boxes[arrow.source].detail is Detail.BARE:
            return way
        style = self.wish(arrow).style
        for other in self.ways:
            there = other.arrow
            if (there.source, there.target) != (arrow.target, arrow.source) or there.implied:
                continue
            if other.points is not None and self.router.undone(other.points, style):
                return Way(arrow, other.points[::-1])
        return way

    def wish(self, arrow: Arrow, back: Container[tuple[BoxKey, BoxKey]] = ()) -> Wish:
        """Where an arrow leads from and to; those `back` are the boxes of arrows that others undo."""
        source = self.frames[arrow.source]
        row = source.y + 1 + max(arrow.line, 0)
        state = self.picture.boxes[arrow.source].state
        style = "broken" if arrow.dangling else "changed" if arrow.changed else "arrow"
        if state in ("freed", "lost") and style == "arrow":
            style = state
        target = self.frames[arrow.target]
        tree = self.picture.boxes[arrow.source].kind in self.picture.trees
        above = tree and target.y > source.bottom
        side = self._side(arrow) if above else 0
        into = None if arrow.into is None else (target.y + 1 + arrow.into[0], target.y + 1 + arrow.into[1])
        mutual = not arrow.implied and (arrow.source, arrow.target) in back
        return Wish(source, row, target, style, arrow.implied, self._lane(arrow), above, side, into, mutual)

    def _side(self, arrow: Arrow) -> int:
        """The side on which an arrow to a child just below is not in the way of later rows."""
        source, target = self.frames[arrow.source], self.frames[arrow.target]
        if abs(target.centre - source.centre) > source.right - source.x:
            return 0
        later = [
            self.frames[other.target].centre - source.centre
            for other in self._from(arrow.source)
            if other.line > arrow.line and not other.implied
        ]
        leftwards = sum(1 for way in later if way < 0)
        rightwards = sum(1 for way in later if way > 0)
        return (leftwards > rightwards) - (leftwards < rightwards)

    def _from(self, key: BoxKey) -> list[Arrow]:
        if not self._leaving:
            for arrow in self.picture.arrows:
                self._leaving.setdefault(arrow.source, []).append(arrow)
        return self._leaving.get(key, [])

    def _lane(self, arrow: Arrow) -> int:
        """How many bent arrows leave the same box from rows that this one passes on its way."""
        row = self.frames[arrow.source].y + 1 + arrow.line
        target = self.frames[arrow.target]
        lines = self._bent.get(arrow.source, ())
        if target.y >= row:
            return sum(1 for line in lines if line > arrow.line)
        return sum(1 for line in lines if line < arrow.line) if target.bottom <= row else 0


def title_words(box: Box) -> str:
    """The name and, where there is room, the state in words, else its sign."""
    if box.state not in _SIGNS:
        return box.title
    title = f"{box.title} {_WORDS[box.state]}"
    if columns(title) > box.width - (_CORNERS if box.detail is Detail.FULL else 2):
        title = f"{box.title} {_SIGNS[box.state]}"
    return title


def title_width(title: str, state: BoxState) -> int:
    """Columns of a box whose title says its state in words."""
    return columns(f"{title} {_WORDS[state]}") + _CORNERS
