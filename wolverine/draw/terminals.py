"""The picture as text, for a terminal of any width, with or without colour, in Unicode or ASCII."""

from __future__ import annotations

from wolverine.draw.canvas import Segment, clip, paint, to_ascii
from wolverine.draw.drawing import extent
from wolverine.draw.layouts import layout
from wolverine.draw.legend import (
    both_ways,
    changes,
    field_names,
    hidden_words,
    marks,
    variable_lines,
    without_lines,
)
from wolverine.draw.picture import Picture
from wolverine.draw.tangle import with_detours


def terminal(picture: Picture, *, width: int, color: bool, unicode: bool) -> str:
    """Draw within `width` columns; lines end without blanks.

    A picture that was laid out for more columns is laid out anew.
    """
    if extent(picture)[2] > width:
        request = picture.request
        picture = layout(
            request.graph,
            before=request.before,
            roots=request.roots,
            limit=request.limit,
            width=width,
            folded=request.folded,
            asked=request.asked,
            settled=request.settled,
        )
    drawing = with_detours(picture, width)
    room = width if unicode else width * 9 // 10  # in ASCII an arrow of a line of text takes two columns
    head = variable_lines(picture, drawing.loose, room)
    undrawn = [way.arrow for way in drawing.ways if way.points is None]
    tail = [*field_names(picture, undrawn), *changes(picture, room)]
    tail += [
        *hidden_words(picture),
        *without_lines(picture, drawing.untold(), room),
        *both_ways(picture, drawing.ways),
        *marks(picture, room),
    ]
    parts = [[clip(line, room) for line in head], drawing.rows(), [clip(line, room) for line in tail]]
    lines: list[list[Segment]] = []
    for part in parts:
        lines += [[], *part] if lines and part else part
    if not unicode:
        lines = [[Segment(to_ascii(s.text), s.style) for s in line] for line in lines]
    return "\n".join(paint(line, color).rstrip() for line in lines)
