"""The drawing that a terminal shows, and how hard its lines are to follow."""

from __future__ import annotations

from wolverine.draw.attempts import drawn
from wolverine.draw.detours import detoured
from wolverine.draw.drawing import Drawing
from wolverine.draw.picture import Picture

_LONGEST = 240  # columns that a way round everything may cost, which is more for crossings and bends


def with_detours(picture: Picture, width: int) -> Drawing:
    """The picture on `width` columns; arrows that find no simple way go round, if that is not too far."""
    drawing = drawn(picture, width)
    drawing.ways = detoured(drawing, drawing.untold(), _LONGEST)
    return drawing


def tangle(picture: Picture) -> tuple[int, int]:
    """How many arrows have no line, and in how many places lines cross."""
    drawing = with_detours(picture, picture.width)
    return len(drawing.untold()), drawing.canvas.crossings()
