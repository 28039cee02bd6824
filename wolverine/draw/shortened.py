"""Long contents of boxes without the lines that tell least; what is left out is counted."""

from __future__ import annotations

from collections.abc import Sequence, Set

from wolverine.core.graph import Place
from wolverine.draw.picture import Line, Piece
from wolverine.draw.tables import is_heading


def shortened(lines: Sequence[Line], most: int, asked: Set[Place], led: Set[Place]) -> tuple[Line, ...]:
    """About `most` of the lines, in their order, among them the last.

    What changed comes before elements of arrays that are `asked` for, and those to which pointers have `led`
    before pointers; then come the first lines that remain.
    """
    if len(lines) <= most:
        return tuple(lines)
    called, meant = ({_element(line) for line in lines if _begins(line, places)} for places in (asked, led))
    kept = {len(lines) - 1, *(index for index, line in enumerate(lines) if is_heading(line))}
    for wanted in (
        _is_changed,
        lambda line: _element(line) in called,
        lambda line: _element(line) in meant,
        _is_pointer,
        lambda line: True,
    ):
        for index, line in enumerate(lines):
            if len(kept) >= most - 1:
                break
            if wanted(line):
                kept.add(index)
    result: list[Line] = []
    missing: list[Piece] = []
    for index, line in enumerate(lines):
        if index not in kept:
            missing += line.pieces
            continue
        if missing:
            places = [place for piece in missing for place in piece.ends or piece.places]
            result.append(more(sum(piece.counted for piece in missing), places))
            missing = []
        result.append(line)
    return tuple(result)


def more(count: int, places: Sequence[Place] = ()) -> Line:
    """The line that stands for so many values: from the first of the `places` to the last."""
    ends = (places[0], places[-1]) if places else ()
    return Line("", (Piece(f"… {count} more", "hidden", hidden=count, ends=ends),))


def _begins(line: Line, places: Set[Place]) -> bool:
    """Whether one of its values begins at one of the places."""
    return any(piece.places[0] in places for piece in line.pieces if piece.places)


def _element(line: Line) -> str:
    """Which element of an array the line is of."""
    return line.name.partition("]")[0]


def _is_changed(line: Line) -> bool:
    return any(piece.was is not None for piece in line.pieces)


def _is_pointer(line: Line) -> bool:
    return any(piece.target is not None for piece in line.pieces)
