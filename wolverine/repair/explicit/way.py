"""The way to a failure, step by step, and what is needed at each point of it; see `influence`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from wolverine.repair.execution.demand import Cells, Need
from wolverine.repair.execution.effects import Effect

Execution = tuple[int, int]  # a location, and how often it was executed by then
Left = tuple[int, frozenset[int]]  # the base of an activation that is left, and its cells from there


@dataclass(frozen=True, slots=True)
class Root:
    """What fails: it depends on `cells`, or is that `key` does not hold `raw`."""

    cells: Cells = frozenset()
    key: int = -1
    raw: Any = None


@dataclass(frozen=True, slots=True)
class Write:
    """A cell that a step writes, and what it reads for that; `copied` if the first cell holds the value."""

    cell: int
    read: Sequence[int]
    copied: bool = False


@dataclass(frozen=True, slots=True)
class Again:
    """The choices at an execution: by their effect, by the cells that they read, and those that do more."""

    classes: Mapping[Effect, int]
    reads: Sequence[tuple[int, int]]
    others: int


@dataclass(slots=True)
class Step:
    """One step: what it reads is always of importance, or only where the cell that it writes is.

    `execution` is set where a location is executed that may change, `again` where it was before.  `left` is
    the activation that ends, `wild` says that what is written is not known.
    """

    always: Sequence[int] = ()
    writes: list[Write] = field(default_factory=list)
    execution: Execution | None = None
    again: Again | None = None
    left: Left | None = None
    wild: bool = False
    fails: bool = False


@dataclass(frozen=True)
class Way:
    """The steps to a failure, and why it is one; `asserted` is what an assertion says that is not met."""

    steps: Sequence[Step]
    roots: Sequence[Root]
    asserted: Mapping[int, Any] = field(default_factory=dict)


def needs(way: Way) -> dict[Execution, list[Need]]:
    """By execution what is needed behind it for each root, then on what alone tests and addresses depend."""
    found: dict[Execution, list[Need]] = {
        step.execution: [] for step in way.steps if step.execution is not None
    }
    for root in (*way.roots, Root()):
        cells, key = set(root.cells), root.key
        need = Need(root.cells, key, root.raw)
        for step in reversed(way.steps):
            if step.execution is not None and not step.fails:
                if need.key != key or len(need.cells) != len(cells) or need.cells != cells:
                    need = Need(frozenset(cells), key, root.raw)
                found[step.execution].append(need)
            if step.left is not None:
                cells, key = outside(cells, step.left), -1 if key - step.left[0] in step.left[1] else key
            if step.writes:
                key = _before(step.writes, cells, key)
            cells.update(step.always)
    return found


def _before(writes: Sequence[Write], cells: set[int], key: int) -> int:
    """Let `cells` be what they depended on before the writes; returns the same of `key`."""
    added: list[int] = []
    found = key
    for write in writes:
        if write.cell in cells:
            added += write.read
        elif write.cell == key:
            found = write.read[0] if write.copied else -1
            added += write.read[1:] if write.copied else write.read
    cells.difference_update([write.cell for write in writes])
    cells.update(added)
    return found


def last_writes(way: Way) -> tuple[dict[int, int], int]:
    """Of each asserted cell the step that writes it last, and the last step of which that is not known."""
    found: dict[int, int] = {}
    wild = -1
    for number, step in enumerate(way.steps):
        for write in step.writes:
            found[write.cell] = number
        if step.left is not None:
            base, own = step.left
            found.update((cell, number) for cell in way.asserted if cell - base in own)
        if step.wild:
            wild = number
    return found, wild


def outside(cells: set[int], left: Left) -> set[int]:
    """Those of the cells that are not of the activation that is left."""
    base, own = left
    return {cell for cell in cells if cell - base not in own}
