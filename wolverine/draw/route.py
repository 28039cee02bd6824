"""Lines of arrows on the canvas: straight ones first, then with one, two, three bends.

A line never runs along another and never touches a box that is not its own; crossings are taken only
where nothing else is possible.  An arrow without a clean way stays without a line: the cell names its target.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from wolverine.draw.canvas import EAST, NORTH, SOUTH, WEST, Canvas

Point = tuple[int, int]
_MOST_CROSSINGS = 2
_MOST_AT_ALL = 5  # where there is no way with fewer
_TANGLED = 1000
_JOINED = 12  # and to share the last stretch with an arrow to the same part
_DOOR = 15  # and to run past the cell in which an arrow to a part of a box may have to end
_GATE = 15  # and to run through the last cell in which an arrow that is still to come may begin
_TOUCHING = 6  # and to run right beside a name or its head
_HEAD_ROOM = 12  # what a way may cost more that leaves room for a head at its beginning
_VERTICAL, _HORIZONTAL = NORTH | SOUTH, EAST | WEST
_HEADS = {EAST: "▶", WEST: "◀", SOUTH: "▼", NORTH: "▲"}
_OWN_SIDES = 10  # how much farther an arrow within a box is, for the order: it has two sides to choose from
_SIDE_LANES = 7
_ROW_LANES = 5


@dataclass(frozen=True, slots=True)
class Frame:
    """A box on the canvas, borders included; `boxed` is false for the bare text of a run."""

    x: int
    y: int
    right: int
    bottom: int
    boxed: bool = True

    @property
    def centre(self) -> int:
        """The middle column."""
        return (self.x + self.right) // 2


@dataclass(frozen=True, slots=True)
class Wish:
    """An arrow to draw from row `row` of `source`; an `implied` one only if straight.

    `lane` is the column beside the source to prefer for the way down or up: it leaves the nearer ones to
    the arrows of rows that are passed.  With `above` it enters the target from above where it can, as the
    child of a tree.  `side` is where to leave first: 1 to the right, -1 to the left, 0 by the target.
    Where it leads to a part of the target it ends in one of the rows `into`, from the first to the last: in
    any other it would seem to lead to another part.  Where the title is one of them it may come from above.
    A `mutual` one leaves room where it begins for the head of the arrow that undoes it.
    """

    source: Frame
    row: int
    target: Frame
    style: str
    implied: bool = False
    lane: int = 0
    above: bool = False
    side: int = 0
    into: tuple[int, int] | None = None
    mutual: bool = False

    def meets(self, points: Sequence[Point]) -> bool:
        """Whether a way ends at the part of the target to which it leads."""
        if self.into is None or self.into[0] <= points[-1][1] <= self.into[1]:
            return True
        return self.into[0] == self.target.y == points[-1][1] + 1

    @property
    def landings(self) -> list[int]:
        """The rows in which it may end, if it leads to a part: a title comes last."""
        if self.into is None:
            return []
        rows = sorted(range(self.into[0], self.into[1] + 1), key=lambda row: abs(row - self.row))
        return sorted(rows[:4], key=lambda row: row == self.target.y)

    @property
    def level(self) -> bool:
        """Whether the target stands beside the row, so that the line may run straight."""
        first, last = self.into or (self.target.y + 1, self.target.bottom - 1)
        return first <= self.row <= last and self.target != self.source

    @property
    def distance(self) -> int:
        """Rough length, for the order in which arrows are drawn."""
        top, bottom = self.into or (self.target.y, self.target.bottom)
        across = max(self.target.x - self.source.right, self.source.x - self.target.right, 0)
        down = max(top - self.row, self.row - bottom, 0)
        return across + 3 * down + (_OWN_SIDES if self.into and self.source == self.target else 0)


class Router:
    """Draws arrows; `work` bounds the candidates that are looked at, over all arrows together.

    The `parts` are the targets of all arrows to parts of boxes, with the rows in which these begin; the
    `sources` those of arrows that will have to bend, with their rows.  Beside the cells `names` stand names.
    """

    def __init__(
        self,
        canvas: Canvas,
        parts: Iterable[tuple[Frame, int]] = (),
        sources: Iterable[tuple[Frame, int]] = (),
        names: Iterable[Point] = (),
        work: int = 3000,
    ) -> None:
        self.canvas = canvas
        self.work = work
        self._beside_names = set(names)
        gates = ((frame.x - 1, frame.right + 1, row) for frame, row in sources)
        self._gates: dict[Point, Point] = {}
        for left, right, row in gates:
            self._gates |= {(left, row): (right, row), (right, row): (left, row)}
        beside = ((frame.x - 1, frame.right + 1, row) for frame, row in parts)
        self._doors_beside = {(x, row) for left, right, row in beside for x in (left, right)}
        self._straight: dict[tuple[int, int, int], Wish] = {}
        self._ends: dict[Point, tuple[Frame, tuple[int, int], list[Point]]] = {}

    def draw(self, wish: Wish) -> list[Point] | None:
        """Draw the line if there is a way: its corners, from the cell beside the source to the head."""
        for x in (wish.source.x - 1, wish.source.right + 1):
            self._gates.pop((x, wish.row), None)
        answer = self._answer(wish)
        if answer is not None:
            return answer
        best = self._best(wish)
        if best is not None and wish.mutual and best[1][0] == best[1][1]:
            roomy = self._best(wish, roomy=True)
            if roomy is not None and roomy[0] <= best[0] + _HEAD_ROOM:
                best = roomy
        if best is None:
            return None
        _, points, heading = best
        self.paint(wish, points, heading)
        return points

    def _best(self, wish: Wish, roomy: bool = False) -> tuple[int, list[Point], int] | None:
        """Cost, corners and heading of a good way; a `roomy` one has room for a head where it begins."""
        best: tuple[int, list[Point], int] | None = None
        enough = 2 * wish.distance + 16
        for points, heading in self._candidates(wish):
            if not wish.meets(points) or (roomy and points[0] == points[1]):
                continue
            self.work -= 1
            joined = self._joins(wish, points)
            crossings = self._crossings(points, joined)
            if 0 <= crossings <= _MOST_AT_ALL:
                cost = way_length(points) + 10 * crossings + len(points)
                passed = self._passed(points)
                cost += passed + _TANGLED * (crossings > _MOST_CROSSINGS) + _JOINED * joined
                if best is None or cost < best[0]:
                    best = (cost, points, heading)
                if crossings == 0 and cost <= enough and not passed:
                    break
            if self.work <= 0:
                break
        return best

    def _passed(self, points: Sequence[Point]) -> int:
        """What it costs to run past cells in which other arrows may have to end or to begin, and names."""
        found = 0
        for (x, low), (other, high) in pairwise(points):
            if x == other:
                rows = [row for row in range(min(low, high), max(low, high) + 1) if row != points[0][1]]
                found += _DOOR * sum((x, row) in self._doors_beside for row in rows)
                found += _TOUCHING * sum((x, row) in self._beside_names for row in rows)
                found += _GATE * sum(self._is_last((x, row)) for row in rows)
        return found

    def _is_last(self, gate: Point) -> bool:
        other = self._gates.get(gate)
        return other is not None and not self.canvas.is_free(*other, 1)

    def undone(self, points: Sequence[Point], style: str) -> bool:
        """Put the head of the arrow that undoes a drawn one where that begins; False without room."""
        (x, row), (following, _) = points[0], points[1]
        if following == x or self.canvas.mask[row][x] != _HORIZONTAL:
            return False
        self.canvas.head(x, row, _HEADS[WEST if following > x else EAST], style)
        return True

    def _candidates(self, wish: Wish) -> Iterator[tuple[list[Point], int]]:
        source, target = wish.source, wish.target
        side = wish.side or (1 if target.centre >= source.centre else -1)
        sides = (side, -side)
        for side in sides:
            yield from self._straight_way(wish, side)
        if wish.implied:
            return
        for side in sides:
            yield from self._corner(wish, side)
        ways = (self._lane, self._step) if wish.above else (self._step, self._beside, self._lane)
        for way in ways:
            for side in sides:
                yield from way(wish, side)
        for way in (self._around, self._between):
            for side in sides:
                yield from way(wish, side)

    def _start(self, wish: Wish, side: int) -> int:
        return wish.source.right + 1 if side > 0 else wish.source.x - 1

    def _straight_way(self, wish: Wish, side: int) -> Iterator[tuple[list[Point], int]]:
        target, row, x = wish.target, wish.row, self._start(wish, side)
        if not wish.level:
            return
        end = target.x - 1 if side > 0 else target.right + 1
        if (end - x) * side >= 0:
            yield [(x, row), (end, row)], EAST if side > 0 else WEST

    def _corner(self, wish: Wish, side: int) -> Iterator[tuple[list[Point], int]]:
        x, row = self._start(wish, side), wish.row
        for end, heading in self._doors(wish):
            if (heading == SOUTH and row < end) or (heading == NORTH and row > end):
                for column in self._columns(wish.target):
                    if (column - x) * side >= 0:
                        yield [(x, row), (column, row), (column, end)], heading

    def _step(self, wish: Wish, side: int) -> Iterator[tuple[list[Point], int]]:
        x, row, target = self._start(wish, side), wish.row, wish.target
        rows = sorted(range(target.y + 1, target.bottom), key=lambda r: abs(r - row))[:4]
        if wish.into is not None:
            rows = wish.landings
        elif target == wish.source:
            rows = []
        for k in sorted(range(_SIDE_LANES), key=lambda k: abs(k - wish.lane)):
            column = x + side * k
            for landing in rows:
                if landing == row:
                    continue
                if column <= target.x - 2:
                    yield [(x, row), (column, row), (column, landing), (target.x - 1, landing)], EAST
                elif column >= target.right + 2:
                    yield [(x, row), (column, row), (column, landing), (target.right + 1, landing)], WEST

    def _beside(self, wish: Wish, side: int) -> Iterator[tuple[list[Point], int]]:
        """Straight on to the side of the target, and there to a part of it."""
        x, row, target = self._start(wish, side), wish.row, wish.target
        for landing in wish.landings:
            for end, outward, heading in ((target.x - 1, -1, EAST), (target.right + 1, 1, WEST)):
                for k in range(1, _SIDE_LANES):
                    column = end + outward * k
                    if landing != row and (column - x) * side > 0:
                        yield [(x, row), (column, row), (column, landing), (end, landing)], heading

    def _lane(self, wish: Wish, side: int) -> Iterator[tuple[list[Point], int]]:
        x, row, target = self._start(wish, side), wish.row, wish.target
        for end, heading in self._doors(wish):
            outward = -1 if heading == SOUTH else 1
            for k in range(1, _ROW_LANES):
                lane = end + outward * k
                if lane == row:
                    continue
                for j in range(3):
                    column = x + side * j
                    landings = self._columns(target)
                    if target == wish.source:  # a loop is short
                        landings.sort(key=lambda landing: abs(landing - x))
                    for landing in landings:
                        if landing != column:
                            points = [
                                (x, row),
                                (column, row),
                                (column, lane),
                                (landing, lane),
                                (landing, end),
                            ]
                            yield points, heading

    def _around(self, wish: Wish, side: int) -> Iterator[tuple[list[Point], int]]:
        x, row, target, source = self._start(wish, side), wish.row, wish.target, wish.source
        landings = wish.landings or range(target.y + 1, target.bottom)[:3]
        lanes = [source.bottom + 1, source.bottom + 2, source.y - 1, source.y - 2]
        if wish.into is not None:
            lanes += [target.bottom + 1, target.bottom + 2, target.y - 1, target.y - 2]
        for lane in lanes:
            for k in range(3):
                out = x + side * k
                for into, heading in ((target.x - 2, EAST), (target.right + 2, WEST)):
                    for j in range(2):
                        column = into + (-j if heading == EAST else j)
                        if column == out:
                            continue  # it would come back along itself
                        for landing in landings:
                            end = target.x - 1 if heading == EAST else target.right + 1
                            way = [(x, row), (out, row), (out, lane)]
                            yield [*way, (column, lane), (column, landing), (end, landing)], heading

    def _between(self, wish: Wish, side: int) -> Iterator[tuple[list[Point], int]]:
        """Past the source, along it, and from there straight to a target further down or up."""
        x, row, target, source = self._start(wish, side), wish.row, wish.target, wish.source
        for end, heading in self._doors(wish):
            lanes = (
                (source.bottom + 1, source.bottom + 2) if heading == SOUTH else (source.y - 1, source.y - 2)
            )
            for lane in lanes:
                if (lane < end) != (heading == SOUTH):
                    continue
                for j in range(3):
                    column = x + side * j
                    for landing in range(target.x + 1, target.right):
                        way = [(x, row), (column, row), (column, lane), (landing, lane), (landing, end)]
                        if landing != column:
                            yield way, heading

    def _doors(self, wish: Wish) -> list[tuple[int, int]]:
        """The rows just above and just below the target, the nearer one first."""
        above, below = (wish.target.y - 1, SOUTH), (wish.target.bottom + 1, NORTH)
        return [below, above] if wish.row >= wish.target.y else [above, below]

    def _columns(self, target: Frame) -> list[int]:
        """Where a line may enter from above or below: the middle first."""
        middle = target.centre
        spread = [middle, middle + 1, middle - 1, middle + 2, middle - 2, target.right - 1, target.x + 1]
        return [column for column in dict.fromkeys(spread) if target.x < column < target.right]

    def _joins(self, wish: Wish, points: list[Point]) -> bool:
        """Whether a way ends in the last stretch of one that leads to the same part of the same box."""
        if wish.into is None or points[-1] not in self._ends or len(points) < 3:
            return False
        target, into, stretch = self._ends[points[-1]]
        if (target, into) != (wish.target, wish.into) or points[-2] not in stretch:
            return False
        x, y = points[-2]
        return self.canvas.mask[y][x] == _HORIZONTAL

    def joints(self, wish: Wish) -> dict[Point, tuple[Point, int]]:
        """Where a way may join one that leads to the same part from above or below: its end and heading."""
        found = {}
        for end, (target, into, stretch) in self._ends.items():
            if (target, into) == (wish.target, wish.into):
                for x, y in stretch:
                    if self.canvas.mask[y][x] == _HORIZONTAL and not self.canvas.solid[y][x]:
                        found[x, y] = end, EAST if end[0] < target.x else WEST
        return found

    def _crossings(self, points: list[Point], joined: bool = False) -> int:
        """How many lines the way crosses, -1 when it is not free; a `joined` one shares its last stretch."""
        solid, mask = self.canvas.solid, self.canvas.mask
        width, height = self.canvas.width, self.canvas.height
        for x, y in points[:-2] if joined else points:
            if not (0 <= x < width and 0 <= y < height) or solid[y][x] or mask[y][x]:
                return -1
        crossings = 0
        for (x1, y1), (x2, y2) in pairwise(points[:-1] if joined else points):
            if y1 == y2:
                low, high = (x1, x2) if x1 < x2 else (x2, x1)
                row = mask[y1]
                if any(solid[y1][low : high + 1]):
                    return -1
                for x in range(low + 1, high):
                    if row[x]:
                        if row[x] != _VERTICAL:
                            return -1
                        crossings += 1
            else:
                low, high = (y1, y2) if y1 < y2 else (y2, y1)
                for y in range(low + 1, high):
                    if solid[y][x1]:
                        return -1
                    if mask[y][x1]:
                        if mask[y][x1] != _HORIZONTAL:
                            return -1
                        crossings += 1
        return crossings

    def paint(self, wish: Wish, points: Sequence[Point], heading: int) -> None:
        """Put a line with these corners on the canvas, with a head that looks in direction `heading`."""
        canvas = self.canvas
        first = points[0]
        out = EAST if first[0] > wish.source.right else WEST
        arriving = out
        corners = [points[0], *(b for a, b in pairwise(points) if a != b)]
        for (x1, y1), (x2, y2) in pairwise(corners):
            leaving = (EAST if x2 > x1 else WEST) if y1 == y2 else (SOUTH if y2 > y1 else NORTH)
            canvas.line(x1, y1, _opposite(arriving) | leaving, wish.style)
            step_x, step_y = (x2 > x1) - (x2 < x1), (y2 > y1) - (y2 < y1)
            x, y = x1 + step_x, y1 + step_y
            while (x, y) != (x2, y2):
                canvas.line(x, y, leaving | _opposite(leaving), wish.style)
                x, y = x + step_x, y + step_y
            arriving = leaving
        canvas.head(*corners[-1], _HEADS[heading], wish.style)
        last = corners[-2:]  # one point alone, where the boxes stand so near
        if wish.into is not None and wish.meets(points) and last[0][1] == last[-1][1]:
            low, high = sorted((last[0][0], last[-1][0]))
            stretch = [(x, corners[-1][1]) for x in range(low, high + 1)]
            self._ends.setdefault(corners[-1], (wish.target, wish.into, stretch))
        if wish.source.boxed:
            border = wish.source.right if out == EAST else wish.source.x
            canvas.tee(border, wish.row, out, wish.style)
        if wish.mutual and points[0] != points[1]:
            canvas.solid[first[1]][first[0]] = 1
        if len(points) == 2:
            self._straight[(first[0], corners[-1][0], first[1])] = wish

    def _answer(self, wish: Wish) -> list[Point] | None:
        """Two boxes that point to each other on one row share a line with a head at each end."""
        for side in (1, -1):
            for points, heading in self._straight_way(wish, side):
                (x, row), (end, _) = points
                other = self._straight.pop((end, x, row), None)
                if other is not None and abs(end - x) >= 2 and other.source == wish.target and wish.level:
                    self.canvas.head(end, row, _HEADS[heading], wish.style)
                    border = wish.source.right if side > 0 else wish.source.x
                    self.canvas.tee(border, row, EAST if side > 0 else WEST, wish.style)
                    return points
        return None


def way_length(points: Sequence[Point]) -> int:
    """Columns and rows of a way."""
    return sum(abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in pairwise(points))


def _opposite(mask: int) -> int:
    return {NORTH: SOUTH, SOUTH: NORTH, EAST: WEST, WEST: EAST}[mask]
