"""What a picture is: boxes with coordinates, arrows, labels and what is hidden.

Coordinates are terminal cells, x to the right and y downwards; they may be negative, only differences
matter.  All renderers draw the same picture.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal, NamedTuple

from wolverine.core.graph import MemoryGraph, NodeId, ObjectId, Place, Pointer, VariableId


class Run(NamedTuple):
    """The key of a box that stands for hidden nodes of a list, behind node `after`."""

    after: NodeId


BoxKey = ObjectId | Run

PieceKind = Literal["plain", "null", "pointer", "uninitialised", "dangling", "wild", "hidden"]
BoxState = Literal["live", "new", "freed", "lost", "variable", "run"]


class Detail(Enum):
    """How much room the boxes of a type get."""

    FULL = "full"  # names and values, padded
    TIGHT = "tight"  # names and values
    BARE = "bare"  # values; the names stand in a line below the picture


@dataclass(frozen=True, slots=True)
class Piece:
    """The text of one cell (or of several: a string, a run of nulls).

    `places` are the cells that it shows.  One of kind "hidden" stands for so many that are not drawn, of
    which `ends` are the first and the last.  A `whole` is one value to who reads it, however many cells it
    has: a text.  `was` is the old value's text when the cell changed, else None.
    """

    text: str
    kind: PieceKind
    places: tuple[Place, ...] = ()
    was: str | None = None
    target: Pointer | None = None
    hidden: int = 0
    whole: bool = False
    ends: tuple[Place, ...] = ()

    @property
    def counted(self) -> int:
        """For how many values it counts where it is not drawn."""
        return self.hidden or (1 if self.whole else len(self.places))


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a box: a field or a part of an array.

    Where several pieces are elements of an array, `name` may end with the index of the first one;
    `elements` is the name of the array then, and `first` that index.  In a row of a table they are the
    `fields` of the element that it is named after (`.born.day`), in columns of the `widths`.
    """

    name: str
    pieces: tuple[Piece, ...]
    elements: str = ""
    first: int = 0
    fields: tuple[str, ...] = ()
    widths: tuple[int, ...] = ()

    def naming(self, index: int) -> str:
        """What the piece of that index is called."""
        if self.fields:
            return self.name + self.fields[index]
        return f"{self.elements}[{self.first + index}]" if len(self.pieces) > 1 else self.name


@dataclass(frozen=True, slots=True)
class Box:
    """A node, a variable that is a struct or an array, or a run of hidden nodes.

    `x`, `y`, `width`, `height` include the border; line i stands at `y + 1 + i`.
    """

    key: BoxKey
    title: str
    state: BoxState
    lines: tuple[Line, ...]
    kind: str = ""
    detail: Detail = Detail.FULL
    x: int = 0
    y: int = 0
    width: int = 0
    height: int = 0
    fresh: bool = False

    @property
    def right(self) -> int:
        """The column of the right border."""
        return self.x + self.width - 1

    @property
    def bottom(self) -> int:
        """The row of the lower border."""
        return self.y + self.height - 1


@dataclass(frozen=True, slots=True)
class Arrow:
    """A pointer from line `line` of box `source` to box `target` (a run when that node is hidden).

    `line` is -1 for the way out of a run.  A `prev` or `parent` that a forward pointer undoes is `implied`.
    One to a part of the box ends at one of the lines `into`, from the first to the last; -1 is the title.
    """

    source: BoxKey
    line: int
    target: BoxKey
    changed: bool = False
    dangling: bool = False
    implied: bool = False
    into: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Label:
    """A pointer variable beside the box to which it leads: `path` is where inside it, `text` the value.

    Where that is a part of the box, it is what begins at line `line` of it.  What a call has returned stands
    in no variable: it has no `place`.
    """

    name: str
    place: Place | None
    target: BoxKey
    path: str = ""
    was: str | None = None
    dangling: bool = False
    text: str = ""
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Scalar:
    """A variable that is written out: `i = 3`."""

    name: str
    piece: Piece


@dataclass(frozen=True, slots=True)
class Hidden:
    """What is not drawn: nodes, cells of drawn objects, whole variables.

    `freed` are those of the nodes that were freed earlier and to which nothing leads any more.
    """

    nodes: int = 0
    cells: int = 0
    variables: int = 0
    freed: tuple[NodeId, ...] = ()


@dataclass(frozen=True)
class Request:
    """What a picture was made of, so that a renderer may ask for a narrower one.

    Of a `folded` one long tables without pointers in which nothing changed are cut, of others those that are
    `settled`.  What is `asked` for by a text that names no variable has that as a label.
    """

    graph: MemoryGraph
    before: MemoryGraph | None
    roots: tuple[Place, ...]
    limit: int
    folded: bool = False
    asked: tuple[tuple[str, Pointer], ...] = ()
    settled: frozenset[VariableId] = frozenset()


@dataclass(frozen=True)
class Picture:
    """One layout for all renderers; `width` is the number of columns that it was made for."""

    boxes: Mapping[BoxKey, Box]
    arrows: tuple[Arrow, ...]
    labels: tuple[Label, ...]
    scalars: tuple[Scalar, ...]
    hidden: Hidden
    width: int
    request: Request
    trees: frozenset[str] = frozenset()
    details: Mapping[str, Detail] = field(default_factory=dict)
    tidy: bool = True
    patched: str = (
        ""  # the lines, in words, of what was executed since the picture before, if all are patched
    )

    def named(self) -> dict[tuple[BoxKey, int | None], list[Label]]:
        """The labels of each box, and of each of its lines, in the order in which they are drawn."""
        found: dict[tuple[BoxKey, int | None], list[Label]] = {}
        for label in self.labels:
            found.setdefault((label.target, label.line), []).append(label)
        return found

    def position(self, key: BoxKey) -> tuple[int, int]:
        """Left upper corner of a box."""
        box = self.boxes[key]
        return box.x, box.y
