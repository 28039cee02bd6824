"""Elements of arrays that hold the same are drawn together: `[5..7] ╱`, `data[2..99] ?`.

Nulls and cells without a value are joined in every array; equal values only where an array is too long
to be drawn, since a cell that stands by itself can be edited on the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from wolverine.draw.picture import Line, Piece

_FEWEST = 3
_EMPTY = ("null", "uninitialised")
_INDEX = re.compile(r"\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class _Element:
    """The lines of one element: those named `stem[index]` and something behind it."""

    stem: str
    index: int
    lines: tuple[Line, ...]
    rests: tuple[str, ...]


def joined(lines: Sequence[Line], most: int) -> list[Line]:
    """`lines` with equal elements drawn together, for boxes of `most` lines."""
    found = list(lines)
    for whatever in (False, True):
        deepest = max((len(_INDEX.findall(line.name)) for line in found), default=0)
        for depth in range(deepest - 1, -1, -1):
            if len(found) > most or not whatever:
                found = list(_joined_at(found, depth, whatever))
    return found


def _joined_at(lines: list[Line], depth: int, whatever: bool) -> Iterator[Line]:
    run: list[_Element] = []
    for element in _elements(lines, depth):
        if isinstance(element, Line):
            yield from _drawn(run)
            run = []
            yield element
        elif not _alike(element, whatever):
            yield from _drawn(run)
            run = []
            yield from element.lines
        else:
            if run and not _continues(run[-1], element):
                yield from _drawn(run)
                run = []
            run.append(element)
    yield from _drawn(run)


def _elements(lines: list[Line], depth: int) -> Iterator[_Element | Line]:
    """The elements of arrays within `depth` others, and lines that are of none."""
    named = [(_index(line, depth), line) for line in lines]
    for key, group in groupby(named, lambda each: each[0] and each[0][:2]):
        found = list(group)
        if key is None:
            yield from (line for _, line in found)
        else:
            stem, index = key
            rests = tuple(at[2] for at, _ in found if at is not None)
            yield _Element(stem, index, tuple(line for _, line in found), rests)


def _index(line: Line, depth: int) -> tuple[str, int, str] | None:
    """Of `a[1].b[2].c`: `a`, 1 and `.b[2].c` at depth 0, `a[1].b`, 2 and `.c` at depth 1."""
    matches = list(_INDEX.finditer(line.name))
    if depth >= len(matches):
        return None
    found = matches[depth]
    return line.name[: found.start()], int(found[1]), line.name[found.end() :]


def _alike(element: _Element, whatever: bool) -> bool:
    """Whether equal elements may be joined with this one."""
    pieces = [piece for line in element.lines for piece in line.pieces]
    if any(piece.was is not None or piece.target is not None or piece.hidden for piece in pieces):
        return False
    return whatever or all(piece.kind in _EMPTY for piece in pieces)


def _continues(last: _Element, element: _Element) -> bool:
    return (
        element.stem == last.stem
        and element.index == last.index + 1
        and element.rests == last.rests
        and [_text(line) for line in element.lines] == [_text(line) for line in last.lines]
    )


def _text(line: Line) -> tuple[tuple[str, str], ...]:
    return tuple((piece.text, piece.kind) for piece in line.pieces)


def _drawn(run: list[_Element]) -> Iterator[Line]:
    if len(run) < _FEWEST:
        for element in run:
            yield from element.lines
        return
    first = run[0]
    name = f"{first.stem}[{first.index}..{run[-1].index}]"
    pieces = [piece for element in run for line in element.lines for piece in line.pieces]
    if len({(piece.text, piece.kind) for piece in pieces}) == 1 and pieces[0].kind in _EMPTY:
        yield Line(name, (_together(pieces),))
        return
    for number, rest in enumerate(first.rests):
        columns = zip(*(element.lines[number].pieces for element in run))
        pieces = [_together(column) for column in columns]
        yield replace(first.lines[number], name=name + rest, pieces=tuple(pieces))


def _together(pieces: Sequence[Piece]) -> Piece:
    return replace(pieces[0], places=tuple(place for piece in pieces for place in piece.places))
