"""Ways round everything for arrows without one: on a sheet a long line is better than one across text.

In the terminal such an arrow stays without a line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from heapq import heappop, heappush
from itertools import pairwise

from wolverine.draw.canvas import EAST, NORTH, SOUTH, WEST, Canvas
from wolverine.draw.drawing import Drawing, Way
from wolverine.draw.route import Point, Wish

_MOST = 60_000  # cells that are looked at, over all arrows together
_BEND = 4  # columns that a way may be longer for a bend less
_CROSSING = 10  # and for a crossing less
_STEPS = {NORTH: (0, -1), EAST: (1, 0), SOUTH: (0, 1), WEST: (-1, 0)}
_ROW = 2  # a row is as high as two columns are wide
_VERTICAL, _HORIZONTAL = NORTH | SOUTH, EAST | WEST

_State = tuple[int, int, int]  # a cell, and the direction in which it was entered


def detoured(drawing: Drawing) -> list[Way]:
    """The ways of a drawing; those of arrows without a line go round boxes and names, as long as they are."""
    work = _MOST
    found = []
    for way in drawing.ways:
        if way.points is None and work > 0:
            wish = drawing.wish(way.arrow)
            points, looked = _way(drawing.canvas, wish, work)
            work -= looked
            if points is not None:
                _block(drawing.canvas, points)
                way = replace(way, points=tuple(points))
        found.append(way)
    return found


def _way(canvas: Canvas, wish: Wish, work: int) -> tuple[list[Point] | None, int]:
    """The corners of the cheapest way, None where there is none, and how many cells were looked at."""
    goals = set(_goals(wish))
    came: dict[_State, _State | None] = {}
    queue: list[tuple[int, _State, _State | None]] = []
    for x, heading in ((wish.source.right + 1, EAST), (wish.source.x - 1, WEST)):
        if canvas.is_free(x, wish.row, 1):
            heappush(queue, (0, (x, wish.row, heading), None))
    looked = 0
    while queue and looked < work:
        cost, state, before = heappop(queue)
        if state in came:
            continue
        looked += 1
        came[state] = before
        x, y, heading = state
        if state in goals and not canvas.mask[y][x]:
            return _corners(came, state), looked
        for turn in (heading,) if canvas.mask[y][x] else _STEPS:
            if turn | heading in (_VERTICAL, _HORIZONTAL) and turn != heading:
                continue  # back along itself
            price = _price(canvas, x + _STEPS[turn][0], y + _STEPS[turn][1], turn)
            if price is not None:
                there = (x + _STEPS[turn][0], y + _STEPS[turn][1], turn)
                heappush(queue, (cost + price + _BEND * (turn != heading), there, state))
    return None, looked


def _price(canvas: Canvas, x: int, y: int, heading: int) -> int | None:
    """What a step onto a cell costs; None where no line may go.  Lines are crossed straight only."""
    if not (0 <= x < canvas.width and 0 <= y < canvas.height) or canvas.solid[y][x]:
        return None
    upright = heading in (NORTH, SOUTH)
    crossed = canvas.mask[y][x]
    if crossed and crossed != (_HORIZONTAL if upright else _VERTICAL):
        return None
    return (_ROW if upright else 1) + _CROSSING * bool(crossed)


def _goals(wish: Wish) -> Iterator[_State]:
    """Where a way may end: beside the part that is meant, or on all sides of the box."""
    target = wish.target
    first, last = wish.into or (target.y + 1, target.bottom - 1)
    for row in range(first, last + 1):
        yield target.x - 1, row, EAST
        yield target.right + 1, row, WEST
    if wish.into is None:
        for column in range(target.x + 1, target.right):
            yield column, target.y - 1, SOUTH
            yield column, target.bottom + 1, NORTH


def _corners(came: dict[_State, _State | None], last: _State) -> list[Point]:
    """The first cell, those where the way bends, and the last one."""
    path: list[_State] = []
    at: _State | None = last
    while at is not None:
        path.append(at)
        at = came[at]
    path.reverse()
    bends = [(one[0], one[1]) for one, two in pairwise(path) if one[2] != two[2]]
    return [path[0][:2], *bends, last[:2]]


def _block(canvas: Canvas, points: list[Point]) -> None:
    """Other ways may cross this one, but not run along it, nor through its bends and its head."""
    for (x1, y1), (x2, y2) in pairwise(points):
        along = _HORIZONTAL if y1 == y2 else _VERTICAL
        for x in range(min(x1, x2), max(x1, x2) + 1):
            for y in range(min(y1, y2), max(y1, y2) + 1):
                canvas.mask[y][x] |= along
    x, y = points[-1]
    canvas.solid[y][x] = 1
