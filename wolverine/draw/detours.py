"""Ways round everything for arrows without one: a long line is better than none.

On a sheet it may be as long as it has to be; in the terminal, where lines that cross are hard to follow, an
arrow that would have to cross many stays without, and is named below the picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from heapq import heappop, heappush
from itertools import pairwise

from wolverine.draw.canvas import EAST, NORTH, SOUTH, WEST, Canvas
from wolverine.draw.drawing import Drawing, Way
from wolverine.draw.picture import Arrow
from wolverine.draw.route import Frame, Point, Wish

_MOST = 60_000  # cells that are looked at, over all arrows together
_BEND = 4  # columns that a way may be longer for a bend less
_CROSSING = 10  # and for a crossing less
_STEPS = {NORTH: (0, -1), EAST: (1, 0), SOUTH: (0, 1), WEST: (-1, 0)}
_ROW = 2  # a row is as high as two columns are wide
_VERTICAL, _HORIZONTAL = NORTH | SOUTH, EAST | WEST
_CROSSED = {NORTH: _HORIZONTAL, SOUTH: _HORIZONTAL, EAST: _VERTICAL, WEST: _VERTICAL}
_WAYS = {  # for a heading: those that may follow, with their steps, costs, and what they may cross
    heading: [
        (turn, *step, (_ROW if turn & _VERTICAL else 1) + _BEND * (turn != heading), _CROSSED[turn])
        for turn, step in _STEPS.items()
        if turn == heading or turn | heading not in (_VERTICAL, _HORIZONTAL)
    ]
    for heading in _STEPS
}
_STRAIGHT = {heading: [way for way in ways if way[0] == heading] for heading, ways in _WAYS.items()}

_State = tuple[int, int, int]  # a cell, and the direction in which it was entered


def detoured(drawing: Drawing, arrows: Iterable[Arrow] | None = None, most: int | None = None) -> list[Way]:
    """The ways of a drawing; those of `arrows` (all) without a line go round boxes and names.

    They cost at most `most`, in columns: without it they are as long as they have to be.  The lines are
    on the canvas of the drawing then, too.
    """
    work = _MOST
    wanted = None if arrows is None else set(arrows)
    found = []
    for way in drawing.ways:
        if way.points is None and work > 0 and (wanted is None or way.arrow in wanted):
            wish = drawing.wish(way.arrow)
            points, heading, looked = _way(drawing, wish, work, most)
            work -= looked
            if points:
                drawing.router.paint(wish, points, heading)
                way = replace(way, points=tuple(points))
        found.append(way)
    return found


def _way(drawing: Drawing, wish: Wish, work: int, most: int | None) -> tuple[list[Point], int, int]:
    """The corners of the cheapest way (none: there is none) and its heading; how many cells were looked at.

    It is looked for from the beginning by cost and by what is left at least (Hart, Nilsson and Raphael 1968).
    """
    canvas, target = drawing.canvas, wish.target
    goals = {goal for goal in _goals(wish) if canvas.is_free(goal[0], goal[1], 1)}
    joints = drawing.router.joints(wish)
    starts = [
        (x, wish.row, heading)
        for x, heading in ((wish.source.right + 1, EAST), (wish.source.x - 1, WEST))
        if canvas.is_free(x, wish.row, 1)
    ]
    behind = {(x, y, turn) for x, y in joints for turn in (NORTH, SOUTH)}
    if not starts or not _is_led(canvas, starts, goals, behind):
        return [], EAST, 0
    came: dict[_State, _State | None] = {}
    queue: list[tuple[int, int, _State, _State | None]] = []  # with what is left at least, and without
    for state in starts:
        heappush(queue, (_left(target, state[0], state[1]), 0, state, None))
    looked = 0
    while queue and looked < work:
        least, cost, state, before = heappop(queue)
        if most is not None and least > most:
            break
        if state in came:
            continue
        looked += 1
        came[state] = before
        if state in goals:
            return _corners(came, state), state[2], looked
        if state[:2] in joints and state[2] in (NORTH, SOUTH):
            end, into = joints[state[:2]]
            return [*_corners(came, state), end], into, looked
        for there, price in _steps(canvas, state):
            if there not in came:
                spent = cost + price
                heappush(queue, (spent + _left(target, there[0], there[1]), spent, there, state))
    return [], EAST, looked


def _is_led(
    canvas: Canvas, starts: Iterable[_State], goals: Iterable[_State], joints: Iterable[_State]
) -> bool:
    """Whether a way leads from a start to a goal or a joint, looked for from these: they may be shut in."""
    wanted = {(x, y) for x, y, _ in starts}
    free = {(x, y) for x, y, _ in goals}
    free |= {cell for state in joints if (cell := _over(canvas, *state)) is not None}
    queue = [*free]
    for x, y in queue:
        if (x, y) in wanted:
            return True
        for turn in _STEPS:
            cell = _over(canvas, x, y, turn)
            if cell is not None and cell not in free:
                free.add(cell)
                queue.append(cell)
    return False


def _over(canvas: Canvas, x: int, y: int, turn: int) -> Point | None:
    """The next free cell in a direction, straight over other lines."""
    right, down = _STEPS[turn]
    x, y = x + right, y + down
    while 0 <= x < canvas.width and 0 <= y < canvas.height and not canvas.solid[y][x]:
        if not canvas.mask[y][x]:
            return x, y
        if canvas.mask[y][x] != _CROSSED[turn]:
            return None
        x, y = x + right, y + down
    return None


def _left(target: Frame, x: int, y: int) -> int:
    """What a way from a cell to a box costs at least."""
    across = target.x - 1 - x if x < target.x else x - target.right - 1
    down = target.y - 1 - y if y < target.y else y - target.bottom - 1
    return (across if across > 0 else 0) + (_ROW * down if down > 0 else 0)


def _steps(canvas: Canvas, state: _State) -> Iterator[tuple[_State, int]]:
    """Where a way may go on, at what cost: not back, and over other lines only straight."""
    x, y, heading = state
    ways = _STRAIGHT[heading] if canvas.mask[y][x] else _WAYS[heading]
    for turn, right, down, cost, other in ways:
        column, row = x + right, y + down
        if not (0 <= column < canvas.width and 0 <= row < canvas.height) or canvas.solid[row][column]:
            continue
        crossed = canvas.mask[row][column]
        if not crossed:
            yield (column, row, turn), cost
        elif crossed == other:
            yield (column, row, turn), cost + _CROSSING


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
