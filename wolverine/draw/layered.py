"""Structures that are neither list nor tree, in layers (Sugiyama et al. 1981, as igraph computes it)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wolverine.core.graph import ObjectId
from wolverine.draw.blocks import Block, Size, wrapped
from wolverine.draw.picture import BoxKey


def layers(
    members: Sequence[ObjectId],
    edges: Sequence[tuple[ObjectId, ObjectId]],
    sizes: Mapping[BoxKey, Size],
    room: int,
    gap: int,
    band: int,
) -> Block:
    """Layers from top to bottom; one that is wider than `room` columns is wrapped."""
    index = {member: number for number, member in enumerate(members)}
    links = [(index[a], index[b]) for a, b in edges if a != b]
    # Imported here: few heaps need it, and the prompt should not wait for it.
    import igraph

    graph = igraph.Graph(len(members), links, directed=True)  # type: ignore[no-untyped-call]
    coordinates = graph.layout_sugiyama(maxiter=40).coords[: len(members)]  # type: ignore[no-untyped-call]
    pitch = max(sizes[member][0] for member in members) + gap
    rows: dict[int, list[tuple[float, int]]] = {}
    for number, (x, y) in enumerate(coordinates):
        rows.setdefault(round(y), []).append((x, number))
    if all(len(row) == 1 for row in rows.values()) and len(rows) > 1:
        return wrapped([members[row[0][1]] for _, row in sorted(rows.items())], sizes, room, gap, band)
    block = Block()
    for _, row in sorted(rows.items()):
        row.sort()
        top = block.height + band if block.at else 0
        placed = _spread([(round(x * pitch), members[number]) for x, number in row], sizes, gap)
        if placed and placed[-1][0] + sizes[placed[-1][1]][0] - placed[0][0] > room:
            block.join(wrapped([member for _, member in placed], sizes, room, gap, band), 0, top)
            continue
        for x, member in placed:
            block.put(member, x, top, *sizes[member])
    block = block.normalised(sizes)
    if block.width > room:
        order = [member for _, row in sorted(rows.items()) for member in (members[n] for _, n in sorted(row))]
        return wrapped(order, sizes, room, gap, band)
    return block


def _spread(
    row: list[tuple[int, ObjectId]], sizes: Mapping[BoxKey, Size], gap: int
) -> list[tuple[int, ObjectId]]:
    placed: list[tuple[int, ObjectId]] = []
    free: int | None = None
    for x, member in row:
        left = x if free is None else max(x, free)
        placed.append((left, member))
        free = left + sizes[member][0] + gap
    return placed
