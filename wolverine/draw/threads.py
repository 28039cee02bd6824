"""Trees whose empty fields lead back up: threaded trees, trees that end in a shared sentinel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from wolverine.core.graph import NodeId

Fields = Mapping[NodeId, Sequence[NodeId]]

_MOST_STARTS = 12
_MOST_TREES = 16
_SHARED = 3  # ways into a node without ways out, from which on it is taken for a sentinel


def sentinels(targets: Fields) -> frozenset[NodeId]:
    """The nodes at which many fields end: they lead nowhere but to themselves."""
    ways_in: dict[NodeId, int] = {}
    for source, reached in targets.items():
        for target in reached:
            if target != source:
                ways_in[target] = ways_in.get(target, 0) + 1
    return frozenset(
        node
        for node, count in ways_in.items()
        if count >= _SHARED and all(target == node for target in targets.get(node, ()))
    )


def tops(nodes: Sequence[NodeId], targets: Fields, entered: Iterable[NodeId]) -> tuple[NodeId, ...] | None:
    """The roots when `targets` are trees in which other pointers lead only to ancestors, else None.

    `entered` are the nodes that are pointed to from elsewhere: of several possible roots the one with
    the flattest tree is taken.
    """
    left = dict.fromkeys(nodes)
    below = {target for source, reached in targets.items() for target in reached if target != source}
    free = [node for node in nodes if node not in below]
    starts = list(dict.fromkeys([*free, *entered]))[:_MOST_STARTS] or list(nodes[:1])
    found: list[NodeId] = []
    branching = False
    while left and len(found) < _MOST_TREES:
        candidates = [node for node in starts if node in left] or [next(iter(left))]
        trees = [(node, _breadth_first(node, targets, left)) for node in candidates]
        root, parents = max(trees, key=lambda tree: (len(tree[1]), -_depth(tree[1])))
        children: dict[NodeId, int] = {}
        for node, parent in parents.items():
            if parent is not None:
                children[parent] = children.get(parent, 0) + 1
            above = _ancestors(node, parents)
            for target in targets.get(node, ()):
                if parents.get(target) != node and target not in above:
                    return None
        branching = branching or any(count > 1 for count in children.values())
        found.append(root)
        for node in parents:
            left.pop(node)
    return tuple(found) if branching and not left else None


def _breadth_first(
    root: NodeId, targets: Fields, allowed: Mapping[NodeId, None]
) -> dict[NodeId, NodeId | None]:
    """Every node that the root leads to, with the one from which it is reached first."""
    parents: dict[NodeId, NodeId | None] = {root: None}
    for node in (queue := [root]):
        for target in targets.get(node, ()):
            if target in allowed and target not in parents:
                parents[target] = node
                queue.append(target)
    return parents


def _depth(parents: Mapping[NodeId, NodeId | None]) -> int:
    depths: dict[NodeId, int] = {}
    for node, parent in parents.items():
        depths[node] = 0 if parent is None else depths[parent] + 1
    return max(depths.values())


def _ancestors(node: NodeId, parents: Mapping[NodeId, NodeId | None]) -> set[NodeId]:
    """The node and all above it."""
    found = {node}
    parent = parents[node]
    while parent is not None:
        found.add(parent)
        parent = parents[parent]
    return found
