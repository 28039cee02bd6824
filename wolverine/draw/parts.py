"""Parts of boxes to which pointers lead: elements of arrays, members of structs."""

from __future__ import annotations

from collections.abc import Sequence

from wolverine.core.graph import Pointer
from wolverine.core.types import ArrayType, CType
from wolverine.draw.names import Names
from wolverine.draw.picture import Line


def part(lines: Sequence[Line], value: Pointer, ctype: CType, names: Names) -> tuple[int, int] | None:
    """The lines of a box at which what leads to a `ctype` may end: where that begins, or is left out.

    The title, line -1, stands for what begins where the box does; an element of an array is one line, so
    that no other element seems to be meant.  None for the whole box.
    """
    begin = value.offset
    end = begin + max(1, names.graph.types.size(ctype))
    drawn, left_out = list[int](), list[int]()
    for index, line in enumerate(lines):
        ends = (piece.ends or piece.places[:1] + piece.places[-1:] for piece in line.pieces)
        cells = [place for each in ends for place in each]
        if cells and cells[0].offset < end and cells[-1].offset >= begin:
            (left_out if line.pieces[0].hidden else drawn).append(index)
    found = drawn or left_out
    if not found or len(found) == len(lines):
        return None
    if begin:
        return found[0], found[0]
    return -1, found[0 if isinstance(names.type_of(value.object), ArrayType) else -1]
