"""The names of variables at the boxes to which they lead, as text."""

from __future__ import annotations

from collections.abc import Iterable

from wolverine.draw.canvas import Segment
from wolverine.draw.columns import columns
from wolverine.draw.picture import Label


def label_words(label: Label) -> Segment:
    """A variable's name, where inside the box it points, and its mark."""
    path = f"({label.path})" if label.path else ""
    sign = "*" if label.was is not None else ""
    style = "broken" if label.dangling else "changed" if label.was is not None else "label"
    return Segment(f"{sign}{label.name}{path}{'!' if label.dangling else ''}", style)


def width_aside(labels: Iterable[Label]) -> int:
    """Columns that names take at the right side of a box, with the head and some air."""
    return sum(columns(label_words(label).text) + 2 for label in labels) + 3


def split(words: list[Segment], count: int) -> list[list[Segment]]:
    """The names in `count` lines, as evenly as they come, joined by commas."""
    size = -(-len(words) // count)
    lines = []
    for start in range(0, len(words), size):
        line: list[Segment] = []
        for word in words[start : start + size]:
            if line:
                line.append(Segment(", "))
            line.append(word)
        lines.append(line)
    return lines
