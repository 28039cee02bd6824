"""The lines of arrows in units finer than terminal cells, for renderers that draw in points or pixels."""

from __future__ import annotations

from typing import NamedTuple

from wolverine.draw.drawing import Drawing, Way
from wolverine.draw.picture import Arrow, Box

Spot = tuple[float, float]


class Scale(NamedTuple):
    """How many units a column is wide and a row is high."""

    x: float
    y: float


def corners(way: Way, source: Box, target: Box, drawing: Drawing, scale: Scale) -> list[Spot]:
    """The line of a way that has one: the canvas' corners, drawn out to the borders of both boxes."""
    assert way.points is not None
    spots = [((x - drawing.dx + 0.5) * scale.x, (y - drawing.dy + 0.5) * scale.y) for x, y in way.points]
    return _without_detours([_border(source, spots[0], scale), *spots, _border(target, spots[-1], scale)])


def _border(box: Box, spot: Spot, scale: Scale) -> Spot:
    """Where a line that ends beside, above or below a box meets it."""
    x, y = spot
    left, right = box.x * scale.x, (box.right + 1) * scale.x
    top, bottom = box.y * scale.y, box.bottom * scale.y
    if top <= y <= bottom:
        return (left if x < left else right, y)
    return (x, top if y < top else bottom)


def curve(source: Box, target: Box, arrow: Arrow, scale: Scale) -> list[Spot]:
    """The control points of a plain Bezier curve, for an arrow without a clean line."""
    rightwards = target.x + target.width / 2 >= source.x + source.width / 2
    side = source.right + 1 if rightwards else source.x
    start = (side * scale.x, (source.y + 1.5 + max(arrow.line, 0)) * scale.y)
    below = target.y > source.bottom
    pull = 30 if rightwards else -30
    if arrow.into is not None:
        end = (
            (target.x if rightwards else target.right + 1) * scale.x,
            (target.y + 1.5 + arrow.into[1]) * scale.y,
        )
        return [start, (start[0] + pull, start[1]), (end[0] - pull, end[1]), end]
    end = ((target.x + target.width / 2) * scale.x, (target.y if below else target.bottom) * scale.y)
    return [start, (start[0] + pull, start[1]), (end[0], end[1] + (-30 if below else 30)), end]


def _without_detours(spots: list[Spot]) -> list[Spot]:
    """Drop repeated points and those in the middle of a straight stretch."""
    kept: list[Spot] = []
    for spot in spots:
        if kept and spot == kept[-1]:
            continue
        if len(kept) > 1 and (kept[-2][0] == kept[-1][0] == spot[0] or kept[-2][1] == kept[-1][1] == spot[1]):
            kept[-1] = spot
        else:
            kept.append(spot)
    return kept
