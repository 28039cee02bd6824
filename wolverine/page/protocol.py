"""What the live page and the session say to each other, as frozen dataclasses and as JSON.

The page gets one `Hello` when it connects and one message for every change after it; a saved page holds
the `Hello` alone.  Lengths are CSS pixels, y downwards.  Every string is data: the page shows it as text.
A class' fields are the keys of its object, `source` and `target` of an arrow are `from` and `to`; every
message has its name in lower case as `kind`.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, fields
from typing import Any, Literal

VERSION = 1

_KEYS = {"source": "from", "target": "to"}


@dataclass(frozen=True, slots=True)
class Cell:
    """One value in a box: `place` is what `change` takes, `text` what stands there.

    `marks` tell what is to be seen: changed, null, uninitialised, dangling, wild, hidden (stands for more).
    An array of numbers has several cells on one line; only the first has the line's `label`.  `at` is the x
    where the text begins.  `was` is the text before where it changed.
    """

    place: str
    label: str
    type: str
    text: str
    pointer: bool
    marks: tuple[str, ...]
    editable: bool
    x: float
    y: float
    width: float
    height: float
    at: float
    address: str = ""
    size: int = 0
    was: str | None = None


@dataclass(frozen=True, slots=True)
class Node:
    """A box: an allocation, a variable that is a struct or an array, or a run of nodes not drawn.

    `value` is what `change PLACE` takes to point here ("" for a run).  `allocated` and `freed` are
    `file:line` or "".  `size` is in bytes.
    """

    name: str
    title: str
    value: str
    type: str
    state: Literal["live", "freed", "lost", "variable", "run"]
    marks: tuple[str, ...]
    x: float
    y: float
    width: float
    height: float
    address: str
    size: int
    allocated: str
    freed: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Chip:
    """A variable in the picture.

    `written` ones read `label = text`; the others stand beside the node that they lead to, where an arrow
    says the rest.
    """

    place: str
    label: str
    type: str
    text: str
    pointer: bool
    marks: tuple[str, ...]
    editable: bool
    x: float
    y: float
    width: float
    height: float
    written: bool
    address: str = ""
    size: int = 0
    was: str | None = None


@dataclass(frozen=True, slots=True)
class Arrow:
    """A pointer's line from a place to a node, the head at the last of `points`.

    `points` are corners, or with `curve` the four control points of a Bezier curve.  `marks`: changed,
    dangling, faded (from a freed or lost node), implied (a `prev` that a `next` undoes), back (implied, on
    the line of the arrow that it undoes), run (to or from nodes that are not drawn).  `editable` where
    `change source` can be given.
    """

    source: str
    target: str
    marks: tuple[str, ...]
    editable: bool
    points: tuple[tuple[float, float], ...]
    curve: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """A heap, laid out.  `hidden` counts nodes that are not drawn, beside the `buried`.

    These were freed earlier, and nothing leads there any more.

    (`x`, `y`) is the left upper corner of it all and may be negative: what stays in its place from one stop
    to the next keeps its coordinates.
    """

    x: float
    y: float
    width: float
    height: float
    hidden: int
    nodes: tuple[Node, ...]
    variables: tuple[Chip, ...]
    arrows: tuple[Arrow, ...]
    buried: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable in the list beside the picture; `text` is its value in words ("" for a whole struct)."""

    place: str
    name: str
    type: str
    text: str
    changed: bool
    editable: bool


@dataclass(frozen=True, slots=True)
class Frame:
    """An activation, innermost first in a list."""

    function: str
    file: str
    line: int
    variables: tuple[Variable, ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """One stop.  Numbers rise in order of arrival; `parent` may be a stop that is no longer kept.

    `reason` as in the event stream, and `exited` or `killed`; then `text` says how.  Otherwise `text` is
    the source line before which the program stands.  `resumable` when `resume checkpoint` leads here.
    `patch` is the unified difference in force.
    """

    number: int
    parent: int | None
    reason: str
    file: str
    line: int
    function: str
    text: str
    signal: str
    alive: bool
    checkpoint: int | None
    resumable: bool
    frames: tuple[Frame, ...]
    hidden_frames: int
    globals: tuple[Variable, ...]
    assertions: tuple[str, ...]
    picture: Picture
    description: tuple[str, ...]
    patch: str


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit in source terms; line from 1."""

    kind: str
    line: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Alternative:
    """A repair that could be in force: `accept rank` chooses it.

    `before` is the heap with which it is shown and `after` what it makes of it; `after` is None where it
    crashes (`crash` says how) or cannot be foretold.  `behaviour` numbers those that act alike.
    """

    rank: int
    accepted: bool
    cost: int
    behaviour: int
    edits: tuple[Edit, ...]
    crash: str
    before: Picture | None
    after: Picture | None


@dataclass(frozen=True, slots=True)
class Repair:
    """The last repair, made at stop `moment`: there `accept` works until the execution moves.

    `seconds` is how long the search took, `total` counts the alternatives also where not all are listed.
    `doubts` speak against it, `notes` tell what else came of it.
    """

    moment: int
    seconds: float
    cost: int
    applied: str
    patch: str
    edits: tuple[Edit, ...]
    doubts: tuple[str, ...]
    notes: tuple[str, ...]
    total: int
    behaviours: int
    alternatives: tuple[Alternative, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """An answer to a question; `crash` says why it is no heap ("": it is one).

    It may leave the heap `unchanged`, and prints the `output`.
    """

    picture: Picture
    crash: str
    unchanged: bool
    output: str


@dataclass(frozen=True, slots=True)
class Question:
    """For the heap `input`, which result is wanted?  `repair --answer K` tells, from 1; 0 for none."""

    function: str
    input: Picture
    results: tuple[Result, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """A source file as given."""

    file: str
    text: str


def encode(value: Any) -> Any:
    """A value of this module as what `json` writes."""
    match value:
        case tuple() | list():
            return [encode(each) for each in value]
        case float() if not math.isfinite(value):
            return None
        case None | bool() | int() | float() | str() | dict():
            return value
        case _:
            return {_KEYS.get(f.name, f.name): encode(getattr(value, f.name)) for f in fields(value)}


def dumps(value: Any) -> str:
    """JSON text without surplus blanks, in ASCII."""
    return json.dumps(encode(value), separators=(",", ":"), allow_nan=False)


def message(kind: str, **parts: str) -> str:
    """A message whose `parts` are JSON texts already."""
    inside = "".join(f",{json.dumps(key)}:{text}" for key, text in parts.items())
    return f'{{"kind":{json.dumps(kind)}{inside}}}'
