"""Trees top-down: parents centred, subtrees as close as their outlines allow (Reingold and Tilford 1981).

Left and right stay apart: in a binary tree a single child stands to its side, never straight below.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from wolverine.core.graph import NodeId, ObjectId
from wolverine.draw.blocks import Block, Size
from wolverine.draw.picture import BoxKey

LEVEL = 2  # rows between levels: a label and its arrow


@dataclass(frozen=True)
class TreeChild:
    """A child: a node of the tree or a block that hangs there; `side` 0 left, 1 right, -1 neither."""

    offset: int
    node: NodeId | None
    block: Block | None
    side: int


@dataclass
class _Shape:
    """A subtree: its outline per level as (left, right) of the root's centre, children's centres."""

    outline: list[tuple[int, int]]
    children: list[tuple[TreeChild, int]]


def tree_block(
    members: Sequence[ObjectId],
    children: Callable[[ObjectId], list[TreeChild]],
    sizes: Mapping[BoxKey, Size],
    gap: int,
    tops: Sequence[ObjectId] = (),
) -> Block:
    """Arrange a family of tree nodes; widths are odd, `gap` columns stand between neighbours.

    `tops` are roots to which nodes further down lead back.
    """
    level_height = max(sizes[member][1] for member in members) + LEVEL
    shapes: dict[ObjectId, _Shape] = {}
    kept: dict[ObjectId, list[TreeChild]] = {}
    order: list[ObjectId] = []
    roots = [*tops, *(root for root in _roots(members, children) if root not in tops)]
    seen: set[ObjectId] = set()
    for start in [*roots, *members]:
        if start in seen:
            continue
        if start not in roots:
            roots.append(start)
        seen.add(start)
        stack = [start]
        while stack:
            node = stack.pop()
            order.append(node)
            kept[node] = []
            for child in children(node):
                if child.node is not None:
                    if child.node in seen:
                        continue
                    seen.add(child.node)
                    stack.append(child.node)
                kept[node].append(child)
    for node in reversed(order):
        shapes[node] = _shape(sizes[node][0] // 2, kept[node], shapes, gap, level_height)
    block = Block()
    left = 0
    for root in roots:
        start_x = left - min(low for low, _ in shapes[root].outline)
        _place(root, start_x, shapes, sizes, level_height, block)
        left = start_x + max(high for _, high in shapes[root].outline) + gap + 2
    return block.normalised(sizes)


def _roots(members: Sequence[ObjectId], children: Callable[[ObjectId], list[TreeChild]]) -> list[ObjectId]:
    below = {child.node for member in members for child in children(member)}
    return [member for member in members if member not in below]


def _shape(
    half: int, children: list[TreeChild], shapes: Mapping[ObjectId, _Shape], gap: int, level_height: int
) -> _Shape:
    merged: list[tuple[int, int]] = []
    centres: list[int] = []
    for child in children:
        if child.node is not None:
            outline = shapes[child.node].outline
        else:
            assert child.block is not None
            middle = child.block.width // 2
            levels = -(-child.block.height // level_height)
            outline = [(-middle, child.block.width - middle - 1)] * levels
        shift = max((m[1] - o[0] + gap + 1 for m, o in zip(merged, outline)), default=0)
        centres.append(shift)
        moved = [(low + shift, high + shift) for low, high in outline]
        joined = [(m[0], o[1]) for m, o in zip(merged, moved)]
        merged = joined + merged[len(joined) :] + moved[len(joined) :]
    if not children:
        return _Shape([(-half, half)], [])
    if len(children) == 1 and children[0].side >= 0:
        middle = half + 1 if children[0].side == 0 else -half - 1
    else:
        middle = (centres[0] + centres[-1]) // 2
    outline = [(-half, half), *((low - middle, high - middle) for low, high in merged)]
    return _Shape(outline, [(child, centre - middle) for child, centre in zip(children, centres)])


def _place(
    root: ObjectId,
    centre: int,
    shapes: Mapping[ObjectId, _Shape],
    sizes: Mapping[BoxKey, Size],
    level_height: int,
    block: Block,
) -> None:
    stack = [(root, centre, 0)]
    while stack:
        node, x, level = stack.pop()
        width, height = sizes[node]
        block.put(node, x - width // 2, level * level_height, width, height)
        for child, offset in shapes[node].children:
            if child.node is not None:
                stack.append((child.node, x + offset, level + 1))
            elif child.block is not None:
                left = x + offset - child.block.width // 2
                block.join(child.block, left, (level + 1) * level_height)
