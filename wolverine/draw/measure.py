"""How large boxes are, and what stands on their lines: shared by the layout and the renderers."""

from __future__ import annotations

from collections.abc import Sequence

from wolverine.draw.columns import columns
from wolverine.draw.picture import Detail, Line

_VALUE = 3  # columns kept for a value, so that n9 becoming n10 moves nothing


def value_width(line: Line, element: int) -> int:
    """Columns of a line's values; the pieces of an array are `element` wide, one column apart."""
    if len(line.pieces) == 1:
        return columns(line.pieces[0].text)
    return len(line.pieces) * (element + 1) - 1


def element_width(lines: Sequence[Line]) -> int:
    """The common width of the elements of the arrays of numbers in a box."""
    return max((columns(p.text) for line in lines if len(line.pieces) > 1 for p in line.pieces), default=1)


def name_width(lines: Sequence[Line], detail: Detail) -> int:
    """Columns of the names' column."""
    if detail is Detail.BARE:
        return 0
    return max((columns(line.name) for line in lines), default=0)


def inner_width(lines: Sequence[Line], title: str, detail: Detail) -> int:
    """Columns between the borders; left of each value is one column for its mark."""
    element = element_width(lines)
    names = name_width(lines, detail)
    values = max((value_width(line, element) for line in lines if line.name or names == 0), default=_VALUE)
    loose = max((value_width(line, element) for line in lines if not line.name), default=0)
    values = max(values, loose - names, _VALUE)
    match detail:
        case Detail.FULL:
            inner = names + values + (3 if names else 2)
        case Detail.TIGHT | Detail.BARE:
            inner = names + values + 1
    return max(inner, columns(title) + 2 + (2 if detail is Detail.FULL else 0))
