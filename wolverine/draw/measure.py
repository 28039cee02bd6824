"""How large boxes are, and what stands on their lines: shared by the layout and the renderers."""

from __future__ import annotations

from collections.abc import Sequence

from wolverine.draw.columns import columns
from wolverine.draw.picture import Detail, Line

_VALUE = 3  # columns kept for a value, so that n9 becoming n10 moves nothing


def piece_widths(line: Line, element: int) -> tuple[int, ...]:
    """Columns of each piece: those of a table, of arrays `element`, or what its text takes."""
    if line.widths:
        return line.widths
    if len(line.pieces) == 1:
        return (columns(line.pieces[0].text),)
    return (element,) * len(line.pieces)


def padded(text: str, width: int, line: Line) -> str:
    """A text in its column: at the right in arrays of numbers, at the left in tables."""
    blanks = " " * max(0, width - columns(text))
    return text + blanks if line.widths else blanks + text


def value_width(line: Line, element: int) -> int:
    """Columns of a line's values, which stand one column apart."""
    widths = piece_widths(line, element)
    return sum(widths) + len(widths) - 1


def is_indented(line: Line) -> bool:
    """Whether its values stand behind the names' column."""
    return bool(line.name or line.widths)


def element_width(lines: Sequence[Line]) -> int:
    """The common width of the elements of the arrays of numbers in a box."""
    arrays = (line for line in lines if len(line.pieces) > 1 and not line.widths)
    return max((columns(piece.text) for line in arrays for piece in line.pieces), default=1)


def name_width(lines: Sequence[Line], detail: Detail) -> int:
    """Columns of the names' column."""
    if detail is Detail.BARE:
        return 0
    return max((columns(line.name) for line in lines), default=0)


def inner_width(lines: Sequence[Line], title: str, detail: Detail) -> int:
    """Columns between the borders; left of each value is one column for its mark."""
    element = element_width(lines)
    names = name_width(lines, detail)
    indented = (line for line in lines if is_indented(line) or names == 0)
    values = max((value_width(line, element) for line in indented), default=_VALUE)
    loose = max((value_width(line, element) for line in lines if not is_indented(line)), default=0)
    values = max(values, loose - names, _VALUE)
    match detail:
        case Detail.FULL:
            inner = names + values + (3 if names else 2)
        case Detail.TIGHT | Detail.BARE:
            inner = names + values + 1
    return max(inner, columns(title) + 2 + (2 if detail is Detail.FULL else 0))
