"""The picture as text, for a terminal of any width, with or without colour, in Unicode or ASCII."""

from __future__ import annotations

from wolverine.draw.canvas import Segment, paint, to_ascii
from wolverine.draw.drawing import Drawing, extent
from wolverine.draw.layout import layout
from wolverine.draw.legend import changes, field_names, hidden_words, marks, variable_lines
from wolverine.draw.picture import Picture


def terminal(picture: Picture, *, width: int, color: bool, unicode: bool) -> str:
    """Draw within `width` columns; lines end without blanks.

    A picture that was laid out for more columns is laid out anew.
    """
    if extent(picture)[2] > width:
        request = picture.request
        picture = layout(
            request.graph, before=request.before, roots=request.roots, limit=request.limit, width=width
        )
    drawing = Drawing(picture, width)
    body = drawing.draw()
    lines = [*variable_lines(picture, drawing.loose, width)]
    if lines and body:
        lines.append([])
    lines += body
    tail = [*field_names(picture), *changes(picture, width), *hidden_words(picture), *marks(picture, width)]
    if tail and lines:
        lines.append([])
    lines += tail
    if not unicode:
        lines = [[Segment(to_ascii(s.text), s.style) for s in line] for line in lines]
    return "\n".join(paint(line, color).rstrip() for line in lines)
