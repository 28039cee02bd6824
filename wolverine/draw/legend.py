"""The lines around the picture: variables that are written out, changes, what is hidden, what marks mean."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from wolverine.core.graph import NodeId, changed_places
from wolverine.draw.canvas import Segment
from wolverine.draw.columns import columns
from wolverine.draw.drawing import Way
from wolverine.draw.picture import Arrow, Box, Detail, Label, Line, Picture, Piece, Run, Scalar

_MOST_CHANGES = 12
_MOST_BURIED = 12
_MOST_ARROWS = 12
_INDEX = re.compile(r"\[(\d+(?:\.\.\d+)?)\]")


def variable_lines(picture: Picture, loose: list[Label], width: int) -> list[list[Segment]]:
    """`temp1 = NULL   i = 3`, wrapped; labels without room at their box as `p → n5`."""
    entries = [_entry(scalar) for scalar in picture.scalars]
    entries += [_loose(label) for label in loose]
    return _wrap(entries, width, "   ")


def _entry(scalar: Scalar) -> list[Segment]:
    piece = scalar.piece
    changed = piece.was is not None
    style = "changed" if changed else "broken" if piece.kind in ("dangling", "wild") else "value"
    style = "quiet" if style == "value" and piece.kind in ("null", "uninitialised") else style
    name = Segment(("*" if changed else "") + scalar.name, "changed" if changed else "label")
    return [name, Segment(" = "), Segment(_written(piece), style)]


def _written(piece: Piece) -> str:
    return "NULL" if piece.kind == "null" else piece.text


def _loose(label: Label) -> list[Segment]:
    changed = label.was is not None
    name = Segment(("*" if changed else "") + label.name, "changed" if changed else "label")
    return [name, Segment(" → "), Segment(label.text, "changed" if changed else "value")]


def _wrap(entries: list[list[Segment]], width: int, between: str) -> list[list[Segment]]:
    lines: list[list[Segment]] = []
    used = width + 1
    for entry in entries:
        length = sum(columns(segment.text) for segment in entry)
        if used + len(between) + length > width:
            lines.append(list(entry))
            used = length
        else:
            lines[-1] += [Segment(between), *entry]
            used += len(between) + length
    return lines


def changes(picture: Picture, width: int) -> list[list[Segment]]:
    """`* n4.next: n3 → n2`: what the changed cells held before."""
    found = _together(list(_changed(picture)))
    if not found:
        return []
    entries = [
        [Segment(f"{name}: ", "changed"), Segment(f"{was} → {now}")]
        for name, was, now in found[:_MOST_CHANGES]
    ]
    left = max(len(found) - _MOST_CHANGES, 0) + _undrawn(picture)
    if left:
        entries.append([Segment(f"and {left} more")])
    if picture.patched:
        entries.insert(0, [Segment(f"by the patched {picture.patched}:", "changed")])
    lines = _wrap(entries, width - 2, "   ")
    return [[Segment("* " if index == 0 else "  ", "changed"), *line] for index, line in enumerate(lines)]


def _changed(picture: Picture) -> Iterable[tuple[str, str, str]]:
    for label in picture.labels:
        if label.was is not None:
            yield label.name, label.was, label.text
    for scalar in picture.scalars:
        if scalar.piece.was is not None:
            yield scalar.name, scalar.piece.was, _written(scalar.piece)
    for box in picture.boxes.values():
        for line in box.lines:
            for index, piece in enumerate(line.pieces):
                if piece.was is not None:
                    yield _cell(box, line, index), piece.was, _written(piece)


def _undrawn(picture: Picture) -> int:
    """How many cells of nodes that are not drawn have changed."""
    before, graph = picture.request.before, picture.request.graph
    if before is None or not picture.hidden.nodes or picture.request.roots:
        return 0
    places = changed_places(before, graph)
    gone = frozenset(picture.hidden.freed)
    nodes = (each.object for each in places if isinstance(each.object, NodeId) and each in before.cells)
    return sum(node not in picture.boxes and node not in gone for node in nodes)


def _together(found: list[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """Neighbours in an array that have changed alike as one: `grid[0..2][0..3]: ? → 0`."""
    deepest = max((len(_INDEX.findall(name)) for name, _, _ in found), default=0)
    for depth in range(deepest - 1, -1, -1):
        joined: list[tuple[str, str, str]] = []
        for name, was, now in found:
            alike = bool(joined) and joined[-1][1:] == (was, now)
            if alike and (both := _both(joined[-1][0], name, depth)):
                joined[-1] = both, was, now
            else:
                joined.append((name, was, now))
        found = joined
    return found


def _both(one: str, two: str, depth: int) -> str:
    """The name of two elements that follow each other in the array at that depth; "" of all others."""
    before, after = _INDEX.split(one), _INDEX.split(two)
    at = 2 * depth + 1
    if len(before) != len(after) or at >= len(before):
        return ""
    if before[:at] != after[:at] or before[at + 1 :] != after[at + 1 :]:
        return ""
    first, last = before[at].split("..")[0], after[at].split("..")[-1]
    if int(before[at].split("..")[-1]) + 1 != int(after[at].split("..")[0]):
        return ""
    parts = [*before[:at], f"{first}..{last}", *before[at + 1 :]]
    return "".join(f"[{part}]" if index % 2 else part for index, part in enumerate(parts))


def hidden_words(picture: Picture) -> list[list[Segment]]:
    """What is not drawn, in words."""
    hidden = picture.hidden
    parts = []
    missing = hidden.nodes - len(hidden.freed)
    if missing:
        noun = "node is" if missing == 1 else "nodes are"
        parts.append(f"{missing} {noun} not drawn")
    if hidden.cells:
        parts.append(f"{hidden.cells} values are not drawn")
    if hidden.variables:
        noun = "variable is" if hidden.variables == 1 else "variables are"
        parts.append(f"{hidden.variables} more {noun} not listed")
    lines = [[Segment("… " + ", ".join(parts), "quiet")]] if parts else []
    if picture.request.before is not None:
        return lines  # they were drawn, as freed, in the picture of when that happened
    return [*_buried(hidden.freed), *lines]


def _buried(freed: tuple[NodeId, ...]) -> list[list[Segment]]:
    """The nodes that are long freed, in one line."""
    if not freed:
        return []
    names = ", ".join(f"n{node.number}" for node in freed[:_MOST_BURIED])
    more = f" and {len(freed) - _MOST_BURIED} more" if len(freed) > _MOST_BURIED else ""
    return [[Segment(f"x freed earlier, nothing leads there: {names}{more}", "quiet")]]


def field_names(picture: Picture, undrawn: Collection[Arrow] = ()) -> list[list[Segment]]:
    """The fields of boxes that show only values, from top to bottom; and those whose arrows have no line."""
    lines: list[list[Segment]] = []
    for kind, detail in picture.details.items():
        box = next((b for b in picture.boxes.values() if b.kind == kind), None)
        if detail is Detail.BARE and box is not None:
            names = ", ".join(line.name for line in box.lines if line.name)
            back = dict.fromkeys(
                source.lines[arrow.line].name
                for arrow in undrawn
                if (source := picture.boxes[arrow.source]).kind == kind and arrow.implied
            )
            lines.append([Segment(f"struct {kind}, top to bottom: {names}", "quiet")])
            if back:
                words = f"… the arrows of {', '.join(back)}, which lead back, are not drawn"
                lines.append([Segment(words, "quiet")])
    return lines


def without_lines(picture: Picture, arrows: Iterable[Arrow], width: int) -> list[list[Segment]]:
    """`… not drawn: n2.right → n4   n1.queue, n3.queue → &queues[0]`: arrows for which there was no room."""
    sources: dict[str, list[str]] = {}
    told = 0
    for arrow in dict.fromkeys(arrows):
        for name, value in _leading(picture.boxes[arrow.source], arrow):
            told += 1
            if told <= _MOST_ARROWS:
                sources.setdefault(value, []).append(name)
    entries = [[Segment(f"{', '.join(names)} → {value}", "quiet")] for value, names in sources.items()]
    if not entries:
        return []
    entries[0].insert(0, Segment("not drawn: ", "quiet"))
    if told > _MOST_ARROWS:
        entries.append([Segment(f"and {told - _MOST_ARROWS} more arrows", "quiet")])
    lines = _wrap(entries, width - 2, "   ")
    return [[Segment("… " if index == 0 else "  ", "quiet"), *line] for index, line in enumerate(lines)]


def _leading(box: Box, arrow: Arrow) -> Iterable[tuple[str, str]]:
    """The cells of which an arrow stands for the pointers: name and value."""
    if isinstance(box.key, Run):
        if isinstance(arrow.target, NodeId):
            yield box.title, f"n{arrow.target.number}"
        return
    line = box.lines[arrow.line]
    for index, piece in enumerate(line.pieces):
        hidden = isinstance(arrow.target, Run) and arrow.target.after == box.key
        if piece.target is not None and (hidden or piece.target.object == arrow.target):
            yield _cell(box, line, index), piece.text


def _cell(box: Box, line: Line, index: int) -> str:
    """What a value in a box is called: `n4.prev`, `a[3]`."""
    name = line.naming(index)
    dot = "." if name and not name.startswith("[") else ""
    return f"{box.title}{dot}{name}"


def both_ways(picture: Picture, ways: Sequence[Way]) -> list[list[Segment]]:
    """Which fields lead back up trees along arrows that have a head at each end and a bend.

    The second head stands at the field that leads down.
    """
    drawn = {way.points for way in ways if not way.arrow.implied}
    names = dict[str, None]()
    for way in ways:
        source = picture.boxes[way.arrow.source]
        bent = way.points is not None and len(way.points) > 2 and way.points[::-1] in drawn
        if bent and way.arrow.implied and source.kind in picture.trees:
            names[source.lines[way.arrow.line].name] = None
    if not names:
        return []
    fields = " and ".join(names)
    return [[Segment(f"an arrow with two heads: {fields} leads back to the whole box", "quiet")]]


def marks(picture: Picture, width: int) -> list[list[Segment]]:
    """A legend of the signs that occur."""
    states = {box.state for box in picture.boxes.values()}
    pieces: list[Piece] = [p for b in picture.boxes.values() for line in b.lines for p in line.pieces]
    pieces += [scalar.piece for scalar in picture.scalars]
    kinds = {piece.kind for piece in pieces}
    dangling = "dangling" in kinds or any(label.dangling for label in picture.labels)
    entries = [
        ("+ new", "new", "new" in states),
        ("x freed", "freed", "freed" in states),
        ("~ lost: no variable leads to it", "lost", "lost" in states),
        ("! dangling: points to freed memory", "broken", dangling),
        ("! wild: points to no object", "broken", "wild" in kinds),
        ("? uninitialised", "quiet", "uninitialised" in kinds),
    ]
    return _wrap([[Segment(text, style)] for text, style, shown in entries if shown], width, "   ")
