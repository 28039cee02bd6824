"""Moments of a follower, kept as differences: a tree in which it can go from any one to any other."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from wolverine.core.graph import MemoryGraph
from wolverine.semantics.activation import Activation
from wolverine.semantics.memory import Memory
from wolverine.semantics.state import Encoded

Delta = dict[int, tuple[Any, Any]]  # by key: what the cell held, what it holds


@dataclass(eq=False)
class Version:
    """A moment of a follower, kept as the difference from an earlier one."""

    parent: Version | None
    depth: int
    delta: Delta
    frame: Activation | None
    pc: int
    calls: int
    outer: dict[int, str]
    graph: MemoryGraph
    encoded: Encoded | None = field(repr=False)  # None: large, to be made anew


def changes(memory: Memory) -> Delta:
    """What has changed since the trail began; the trail is dropped."""
    first: dict[int, Any] = {}
    trail = memory.trail
    for at in range(0, len(trail), 2):
        first.setdefault(trail[at], trail[at + 1])
    get = memory.cells.get
    delta = {key: (old, now) for key, old in first.items() if (now := get(key)) is not old}
    memory.forget()
    return delta


def travel(memory: Memory, here: Version, there: Version) -> None:
    """Give the memory, which is as `here`, the cells of another moment."""
    cells = memory.cells
    down: list[Version] = []
    while here is not there:
        if here.depth >= there.depth and here.parent is not None:
            for key, (old, _) in here.delta.items():
                _set(cells, key, old)
            here = here.parent
        else:
            down.append(there)
            assert there.parent is not None
            there = there.parent
    for step in reversed(down):
        for key, (_, new) in step.delta.items():
            _set(cells, key, new)


def _set(cells: dict[int, Any], key: int, value: Any) -> None:
    if value is None:
        cells.pop(key, None)
    else:
        cells[key] = value
