"""Arrays of structs as tables: a row for each element, a column for each field, the fields' names above.

Only where that can be read: each field is one value, all of it fits, and the row of an element has room for
its arrows.  So no more than one column leads anywhere, and none where structs have pointers to such elements.
`[5..7] ?` may stand between the rows.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import groupby

from wolverine.draw.columns import columns
from wolverine.draw.picture import Line, Piece

_WIDEST = 60  # columns of the values of a row
_FIELD = re.compile(r"(.*?\[\d+(?:\.\.\d+)?\])(\..+)")
_ELEMENT = re.compile(r"(.*)\[\d+(?:\.\.\d+)?\]")


@dataclass(frozen=True, slots=True)
class _Row:
    """An element: the lines of its fields, or the one of a run of elements that has no `fields`."""

    array: str | None
    name: str
    fields: tuple[str, ...]
    lines: tuple[Line, ...]


def tabulated(
    lines: Sequence[Line], leads: Callable[[Piece], bool], linked: Set[str] = frozenset()
) -> list[Line]:
    """The lines, with tables where they are of arrays of structs.

    `leads` tells what may have an arrow, `linked` are the arrays whose elements arrows may lead to.
    """
    found: list[Line] = []
    for array, group in groupby(_rows(lines), lambda row: row.array):
        rows = list(group)
        found += (_table(rows, leads, array in linked) if array is not None else []) or [
            line for row in rows for line in row.lines
        ]
    return found


def is_heading(line: Line) -> bool:
    """Whether it names the columns of a table."""
    return bool(line.widths) and not line.name


def _rows(lines: Sequence[Line]) -> Iterator[_Row]:
    """The elements of arrays, and all other lines each by itself."""
    for (name, _), group in groupby(enumerate(lines), lambda each: _element(*each)):
        within = tuple(line for _, line in group)
        element = _ELEMENT.fullmatch(name)
        fields = tuple(line.name.removeprefix(name) for line in within)
        yield _Row(element[1] if element else None, name, fields if fields != ("",) else (), within)


def _element(index: int, line: Line) -> tuple[str, int]:
    """The element of which a line is a field; a line that is of none stands alone."""
    found = _FIELD.fullmatch(line.name)
    return (found[1], -1) if found else (line.name, index)


def _table(rows: Sequence[_Row], leads: Callable[[Piece], bool], linked: bool) -> list[Line]:
    """The rows under a heading; nothing where they make no table."""
    full = [row for row in rows if row.fields]
    if len(full) < 2 or len(full[0].fields) < 2 or len({row.fields for row in full}) > 1:
        return []
    pieces = [line.pieces for row in rows for line in row.lines]
    if any(len(each) > 1 or each[0].kind == "hidden" for each in pieces):
        return []
    by_field = list(zip(*([line.pieces[0] for line in row.lines] for row in full)))
    if sum(any(leads(piece) for piece in column) for column in by_field) > (not linked):
        return []
    for names in (tuple(field[1:] for field in full[0].fields), _short(full[0].fields)):
        widths = tuple(
            max(columns(name), *(columns(piece.text) for piece in column))
            for name, column in zip(names, by_field)
        )
        if sum(widths) + len(widths) - 1 <= _WIDEST:
            heading = Line("", tuple(Piece(name, "hidden") for name in names), widths=widths)
            return [heading, *(_row(row, widths) for row in rows)]
    return []


def _row(row: _Row, widths: tuple[int, ...]) -> Line:
    if not row.fields:
        return row.lines[0]
    pieces = tuple(line.pieces[0] for line in row.lines)
    return replace(row.lines[0], name=row.name, pieces=pieces, fields=row.fields, widths=widths)


def _short(fields: Sequence[str]) -> tuple[str, ...]:
    """The last parts of the names, where these tell the fields apart."""
    last = [field.rpartition(".")[2] for field in fields]
    uses = Counter(last)
    return tuple(end if uses[end] == 1 else field[1:] for end, field in zip(last, fields))
