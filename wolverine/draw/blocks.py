"""Blocks: boxes with positions relative to a corner, and how blocks are put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from wolverine.draw.picture import BoxKey

Size = tuple[int, int]

_BETWEEN = 6  # columns between blocks that share a shelf


@dataclass
class Block:
    """Boxes at (x, y); the left upper corner is (0, 0), `width` and `height` are the extent."""

    at: dict[BoxKey, tuple[int, int]] = field(default_factory=dict)
    width: int = 0
    height: int = 0

    @classmethod
    def of(cls, key: BoxKey, sizes: Mapping[BoxKey, Size]) -> Block:
        """A block of one box."""
        return cls({key: (0, 0)}, *sizes[key])

    def put(self, key: BoxKey, x: int, y: int, width: int, height: int) -> None:
        """Add a box."""
        self.at[key] = (x, y)
        self.width = max(self.width, x + width)
        self.height = max(self.height, y + height)

    def join(self, other: Block, x: int, y: int) -> None:
        """Add the boxes of another block, its corner at (x, y)."""
        for key, (left, top) in other.at.items():
            self.at[key] = (x + left, y + top)
        self.width = max(self.width, x + other.width)
        self.height = max(self.height, y + other.height)

    def normalised(self, sizes: Mapping[BoxKey, Size]) -> Block:
        """The same with its corner at (0, 0) and its extent measured."""
        result = Block()
        left = min((x for x, _ in self.at.values()), default=0)
        top = min((y for _, y in self.at.values()), default=0)
        for key, (x, y) in self.at.items():
            result.put(key, x - left, y - top, *sizes[key])
        return result


def beside(block: Block, parts: list[Block], gap: int, between: int, room: int, band: int) -> Block:
    """Put the parts to the right of a block, one below the other, or below it where the room ends."""
    if not parts:
        return block
    indent = block.width + gap
    widest = max(part.width for part in parts)
    x, y = indent, 0
    if indent + widest > room and widest + gap <= room:
        x, y = gap, block.height + band
    for part in parts:
        single = len(part.at) == 1
        block.join(part, x, y)
        y += part.height + (between if single or between > 1 else 1)
    return block


def shelve(blocks: list[Block], width: int, band: int) -> Block:
    """Blocks from left to right and top to bottom; small ones share a shelf."""
    result = Block()
    x = y = shelf = 0
    for block in blocks:
        if x and (x + block.width > width or (shelf and block.height > 2 * shelf)):
            x, y, shelf = 0, result.height + band, 0
        result.join(block, x, y)
        shelf = max(shelf, block.height)
        x += block.width + _BETWEEN
    return result


def wrapped(keys: Sequence[BoxKey], sizes: Mapping[BoxKey, Size], room: int, gap: int, band: int) -> Block:
    """Boxes in rows of at most `room` columns, in the order given."""
    block = Block()
    x = y = 0
    for key in keys:
        width, height = sizes[key]
        if x and x + width > room:
            x, y = 0, block.height + band
        block.put(key, x, y, width, height)
        x += width + gap
    return block
