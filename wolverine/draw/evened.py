"""Boxes without names of fields are read by rows: elements of arrays stand in the same ones in all boxes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import TypeVar

from wolverine.draw.picture import Line

_RUN = re.compile(r"(.*)\[(\d+)(?:\.\.(\d+))?\]$")

Key = TypeVar("Key")


def evened(boxes: Mapping[Key, tuple[Line, ...]]) -> dict[Key, tuple[Line, ...]]:
    """The lines of boxes of one type, with runs of elements that end where those of other boxes do."""
    cuts: dict[str, set[int]] = {}
    for lines in boxes.values():
        for line in lines:
            if found := _RUN.fullmatch(line.name):
                first, last = int(found[2]), int(found[3] or found[2])
                cuts.setdefault(found[1], set()).update((first, last + 1))
    return {key: tuple(one for line in lines for one in _parted(line, cuts)) for key, lines in boxes.items()}


def _parted(line: Line, cuts: Mapping[str, set[int]]) -> tuple[Line, ...]:
    found = _RUN.fullmatch(line.name)
    if found is None or found[3] is None or len(line.pieces) != 1:
        return (line,)
    stem, first, last, piece = found[1], int(found[2]), int(found[3]), line.pieces[0]
    if len(piece.places) != last - first + 1:
        return (line,)
    ends = sorted(each for each in cuts[stem] if first <= each <= last + 1)
    return tuple(
        Line(
            f"{stem}[{low}]" if high == low + 1 else f"{stem}[{low}..{high - 1}]",
            (replace(piece, places=piece.places[low - first : high - first]),),
        )
        for low, high in pairwise(ends)
    )
