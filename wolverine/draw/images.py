"""The picture for files: graphviz draws it at our coordinates, with our lines (`neato -n2` moves nothing)."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import pairwise
from typing import Any

from wolverine.core.graph import NodeId
from wolverine.draw.attempts import drawn
from wolverine.draw.canvas import Segment
from wolverine.draw.columns import columns
from wolverine.draw.detours import detoured
from wolverine.draw.drawing import Drawing, Text, Way, title_words
from wolverine.draw.legend import both_ways, changes, field_names, hidden_words, marks, variable_lines
from wolverine.draw.lines import Scale, Spot, corners, curve
from wolverine.draw.measure import element_width, is_indented, name_width, padded, piece_widths
from wolverine.draw.names import safe
from wolverine.draw.picture import Arrow, Box, BoxKey, Detail, Line, Picture, Piece, Run
from wolverine.errors import ToolMissingError

_SCALE = Scale(8.2, 19.0)  # points per column and per row
_X, _Y = _SCALE
_FONT, _SIZE, _GLYPH = "DejaVu Sans Mono", "11", 6.75  # a character is so many points wide
PNG_DPI = "110"
_INK, _FAINT, _LABEL = "#22313f", "#8a97a3", "#1f5f9f"
_CHANGED, _NEW, _FREED, _LOST, _BROKEN = "#c76a00", "#2e7d32", "#a33a3a", "#8e5aa8", "#d01f1f"
_COLORS = {
    "changed": _CHANGED,
    "new": _NEW,
    "freed": _FREED,
    "lost": _LOST,
    "broken": _BROKEN,
    "label": _LABEL,
    "quiet": _FAINT,
}
_LOOKS = {
    "live": (_INK, "#e8eef4"),
    "variable": (_LABEL, "#e3f0fb"),
    "new": (_NEW, "#dff2e1"),
    "freed": (_FREED, "#f3e3e3"),
    "lost": (_LOST, "#f0e8f4"),
}
_COLUMNS = 110  # for the lines of text around the picture
_ROUND = 6.0  # radius of corners, in points
_HEAD = 7.0  # length of an arrow head, in points


def dot_source(picture: Picture) -> str:
    """DOT text with positions and lines in points: `neato -n2 -Tsvg` draws it."""
    return str(_digraph(picture).source)


def image(picture: Picture, kind: str) -> bytes:
    """The picture as "svg", "png" or "pdf".  Raises `ToolMissingError` without graphviz."""
    # Imported here, as in `_digraph`: the prompt should not wait for what only `save` needs.
    import graphviz

    try:
        graph = _digraph(picture)
        if kind == "png":  # graphviz's SVG would be cut off: it scales the drawing, but not the view
            graph.attr("graph", dpi=PNG_DPI)
        return bytes(graph.pipe(format=kind, neato_no_op=2, quiet=True))
    except graphviz.ExecutableNotFound as error:
        message = "graphviz is not installed (no `neato` command): install it, or save as .dot, .json or .txt"
        raise ToolMissingError(message) from error


def _digraph(picture: Picture) -> Any:
    import graphviz

    drawing = drawn(picture, picture.width + 8)
    edge = {"color": _INK, "arrowsize": "0.65", "penwidth": "1.1"}
    node = {"shape": "plain", "fontname": _FONT, "fontsize": _SIZE, "fontcolor": _INK, "margin": "0"}
    whole = {"outputorder": "edgesfirst", "bgcolor": "white", "pad": "0.25"}
    graph = graphviz.Digraph("heap", engine="neato", graph_attr=whole, node_attr=node, edge_attr=edge)
    for box in picture.boxes.values():
        _node(graph, box)
    for number, text in enumerate(drawing.texts):
        _label(graph, f"label_{number}", text, drawing)
    for way in detoured(drawing):
        _edge(graph, picture, way, drawing)
    _surroundings(graph, picture, drawing)
    return graph


def _identifier(key: BoxKey) -> str:
    match key:
        case NodeId(number):
            return f"n{number}"
        case Run(after):
            return f"behind_n{after.number}"
        case _:
            return safe(f"v_{key.depth + 1}_{key.function}_{key.name}").replace("\\", "_")


def _at(x: float, y: float) -> str:
    return f"{x:.1f},{-y:.1f}"


def _node(graph: Any, box: Box) -> None:
    width, height = box.width * _X, (box.height - 1) * _Y
    label = f'<<font color="{_FAINT}">{escape(box.title)}</font>>' if box.state == "run" else _table(box)
    position = _at(box.x * _X + width / 2, box.y * _Y + height / 2)
    graph.node(_identifier(box.key), label=label, pos=position + "!")


def _table(box: Box) -> str:
    border, fill = _LOOKS[box.state]
    width = round(box.width * _X)
    gone = box.state in ("freed", "lost")
    name, _, word = title_words(box).partition(" ")
    title = f"<b>{_strike(escape(name), box)}</b>{escape(f' {word}' if word else '')}"
    rows = [
        f'<tr><td colspan="2" width="{width}" height="{_Y:.0f}" bgcolor="{fill}" border="0">'
        f'<font color="{border}">{title}</font></td></tr>'
    ]
    faded = border if gone else ""
    rows += [_row(box, line, faded, width) for line in box.lines]
    style = ' style="dashed"' if gone else ""
    table = f'<table border="1" cellborder="1" cellspacing="0" cellpadding="2" color="{border}"{style}'
    return f'<{table} bgcolor="white">{"".join(rows)}</table>>'


def _strike(text: str, box: Box) -> str:
    return f"<s>{text}</s>" if box.state == "freed" and text else text


def _row(box: Box, line: Line, faded: str, width: int) -> str:
    changed = any(piece.was is not None for piece in line.pieces)
    fill = ' bgcolor="#fff0d6"' if changed else ""
    look = f'align="left" height="{_Y:.0f}" color="#d5dce3" sides="t"{fill}'
    sized = zip(line.pieces, piece_widths(line, element_width(box.lines)))
    values = "&#160;".join(_piece(piece, faded, box, line, width) for piece, width in sized)
    pad = "&#160;" if box.detail is Detail.FULL else ""
    if not is_indented(line) or box.detail is Detail.BARE:
        return f'<tr><td colspan="2" width="{width}" {look}>{pad}{values}</td></tr>'
    left = round((name_width(box.lines, box.detail) + (1.5 if pad else 0.8)) * _X)
    name = f'<font color="{faded or _FAINT}">{pad}{_strike(escape(line.name), box)}</font>'
    right = max(1, width - left)
    return f'<tr><td width="{left}" {look}>{name}</td><td width="{right}" {look}>{values}</td></tr>'


def _piece(piece: Piece, faded: str, box: Box, line: Line, width: int) -> str:
    before, text, after = padded(piece.text, width, line).partition(piece.text)
    text = _strike(escape(text), box)
    color = faded or (_FAINT if piece.kind in ("null", "uninitialised", "hidden") else _INK)
    if piece.kind in ("dangling", "wild"):
        color = _BROKEN
    if piece.was is not None:
        text, color = f"<b>{text}</b>", _CHANGED
    left, right = ("&#160;" * len(blanks) for blanks in (before, after))
    return f'{left}<font color="{color}">{text}</font>{right}'


def _label(graph: Any, name: str, text: Text, drawing: Drawing) -> None:
    x, y = (text.x - drawing.dx) * _X, (text.y - drawing.dy + 0.5) * _Y
    across = sum(columns(segment.text) for segment in text.segments)
    row = f"<tr><td><b>{_colored(text.segments)}</b></td></tr>"
    table = f'<table border="0" cellspacing="0" cellpadding="0">{row}</table>'
    graph.node(name, label=f"<{table}>", pos=_at(x + across * _GLYPH / 2, y) + "!")


def _colored(segments: Sequence[Segment]) -> str:
    return "".join(
        f'<font color="{_COLORS.get(s.style, _INK)}">{escape(s.text).replace(" ", "&#160;")}</font>'
        for s in segments
    )


def _edge(graph: Any, picture: Picture, way: Way, drawing: Drawing) -> None:
    arrow = way.arrow
    source, target = picture.boxes[arrow.source], picture.boxes[arrow.target]
    if way.points is None:
        if arrow.implied or source.key == target.key:
            return
        line = curve(source, target, arrow, _SCALE)
        look = {"color": _FAINT, "penwidth": "0.9", **_style(source, arrow)}
    else:
        look = _style(source, arrow)
        line = _rounded(corners(way, source, target, drawing, _SCALE))
    end = line[-1]
    control = [*line[:-1], _before(line[-2], end)]
    position = f"e,{_at(*end)} " + " ".join(_at(*spot) for spot in control)
    graph.edge(_identifier(arrow.source), _identifier(arrow.target), pos=position, **look)


def _style(source: Box, arrow: Arrow) -> dict[str, str]:
    if arrow.dangling:
        return {"color": _BROKEN, "style": "dashed"}
    if arrow.changed:
        return {"color": _CHANGED, "penwidth": "1.8"}
    if source.state in ("freed", "lost"):
        return {"color": _LOOKS[source.state][0], "style": "dashed"}
    return {"color": _FAINT} if arrow.implied else {}


def _rounded(spots: list[Spot]) -> list[Spot]:
    """Bezier control points (1 + 3k) of a line with rounded corners."""
    control = [spots[0]]
    for index, (here, there) in enumerate(pairwise(spots)):
        size = abs(there[0] - here[0]) + abs(there[1] - here[1])
        start = control[-1]
        if index == len(spots) - 2:
            control += [_between(start, there, 1 / 3), _between(start, there, 2 / 3), there]
            break
        following = spots[index + 2]
        radius = min(_ROUND, size / 2, (abs(following[0] - there[0]) + abs(following[1] - there[1])) / 2)
        stop = _toward(there, here, radius)
        control += [_between(start, stop, 1 / 3), _between(start, stop, 2 / 3), stop]
        control += [there, there, _toward(there, following, radius)]
    return control


def _between(a: Spot, b: Spot, share: float) -> Spot:
    return (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)


def _toward(a: Spot, b: Spot, distance: float) -> Spot:
    size = ((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5
    return a if size == 0 else _between(a, b, distance / size)


def _before(previous: Spot, end: Spot) -> Spot:
    """Where the stroke ends and the arrow head begins."""
    return _toward(end, previous, _HEAD)


def _surroundings(graph: Any, picture: Picture, drawing: Drawing) -> None:
    """Variables above, changes and the legend below."""
    boxes = picture.boxes.values()
    left = min((box.x for box in boxes), default=0) * _X
    top = (min((box.y for box in boxes), default=0) - 3.4) * _Y
    lowest = [y - drawing.dy for way in drawing.ways for _, y in way.points or ()]
    bottom = (max([box.bottom for box in boxes] + lowest, default=0) + 2) * _Y
    above = variable_lines(picture, drawing.loose, _COLUMNS)
    below = [*field_names(picture), *changes(picture, _COLUMNS), *hidden_words(picture)]
    below += [*both_ways(picture, drawing.ways), *marks(picture, _COLUMNS)]
    if not picture.boxes:
        hidden = picture.hidden
        below.append([Segment("everything is freed" if hidden.freed else "nothing is allocated", "quiet")])
    _lines(graph, "variables", above, left, top - len(above) * _Y / 2)
    _lines(graph, "notes", below, left, bottom + len(below) * _Y / 2)


def _lines(graph: Any, name: str, lines: list[list[Segment]], left: float, y: float) -> None:
    if not lines:
        return
    rows = "".join(f'<tr><td align="left">{_colored(line)}</td></tr>' for line in lines)
    across = max(sum(columns(segment.text) for segment in line) for line in lines)
    label = f'<<table border="0" cellspacing="0" cellpadding="2">{rows}</table>>'
    graph.node(name, label=label, pos=_at(left + across * _GLYPH / 2, y) + "!")
