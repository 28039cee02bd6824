"""Which nodes are drawn when there are too many: a list's first, its last and what variables point to.

Everything else is hidden and counted: in runs (the middle of a list) or without a place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from heapq import nsmallest
from itertools import pairwise

from wolverine.core.graph import NodeId
from wolverine.draw.picture import Run
from wolverine.draw.shape import Role, Survey, chains

_FIRST, _LAST, _POINTED, _SHORT = 3, 2, 8, 8


@dataclass(frozen=True)
class Selection:
    """The nodes to draw, in the order in which the variables lead to them.

    `runs[r]` is how many nodes the run stands for and the drawn node behind it (None at the end).
    """

    nodes: tuple[NodeId, ...]
    runs: Mapping[Run, tuple[int, NodeId | None]] = field(default_factory=dict)


def select(
    survey: Survey, allowed: list[NodeId], starts: list[NodeId], found: dict[str, Role], limit: int
) -> Selection:
    """At most `limit` of the `allowed` nodes; all of them if they are not more."""
    if len(allowed) <= limit:
        return Selection(tuple(_walk(survey, allowed, starts, {}, {}, limit)))
    permitted = set(allowed)
    following = follow(survey, permitted, found)
    pointed = set(starts)
    kept: dict[NodeId, list[NodeId]] = {}
    behind: dict[NodeId, NodeId] = {}
    runs: dict[Run, tuple[int, NodeId | None]] = {}
    members = dict.fromkeys(starts) | dict.fromkeys(sorted(following)) | dict.fromkeys(following.values())
    for chain in chains(members, following):
        shown = _kept(chain, pointed)
        for node in shown:
            kept[node] = shown
        positions = {node: index for index, node in enumerate(chain)} if len(shown) < len(chain) else {}
        for left_node, right_node in pairwise(shown):
            missing = positions[right_node] - positions[left_node] - 1 if positions else 0
            if missing:
                runs[Run(left_node)] = (missing, right_node)
                for node in chain[positions[left_node] + 1 : positions[right_node]]:
                    behind[node] = right_node
    nodes = tuple(_walk(survey, allowed, starts, kept, behind, limit))
    visible = set(nodes)
    return Selection(nodes, {run: runs[run] for run in runs if run.after in visible})


def follow(survey: Survey, permitted: set[NodeId], found: dict[str, Role]) -> dict[NodeId, NodeId]:
    """The next node of every node of a list, along its type's forward field."""
    lists = {tag: role.forward[0] for tag, role in found.items() if role.kind == "list"}
    if not lists:
        return {}
    tags, everything = survey.tags, len(permitted) == len(survey.tags)
    following: dict[NodeId, NodeId] = {}
    for source, out in survey.edges.items():
        if not isinstance(source, NodeId):
            continue
        tag = tags.get(source, "")
        if tag in lists and (everything or source in permitted):
            wanted = lists[tag]
            for offset, target in out:
                if offset == wanted and tags[target] == tag and (everything or target in permitted):
                    following[source] = target
    return following


def _kept(chain: list[NodeId], pointed: set[NodeId]) -> list[NodeId]:
    if len(chain) <= _SHORT:
        return chain
    keep = set(chain[:_FIRST]) | set(chain[-_LAST:])
    room = _POINTED
    for node in chain:
        if node in pointed and node not in keep and room:
            keep.add(node)
            room -= 1
    shown = [node for node in chain if node in keep]
    gaps: list[NodeId] = []
    previous = -1
    for index, node in enumerate(chain):
        if node in keep:
            if index - previous == 2:
                gaps.append(chain[index - 1])
            previous = index
    if not gaps:
        return shown
    keep.update(gaps)
    return [node for node in chain if node in keep]


def _walk(
    survey: Survey,
    allowed: list[NodeId],
    starts: list[NodeId],
    kept: dict[NodeId, list[NodeId]],
    behind: dict[NodeId, NodeId],
    limit: int,
) -> list[NodeId]:
    """The first `limit` nodes in breadth-first order from `starts`, whole chains at a time."""
    permitted = set(allowed)
    order: dict[NodeId, None] = {}
    unreached = len(permitted - survey.reached)
    room = limit - min(4, unreached)

    def visit(first: list[NodeId], bound: int) -> None:
        queue = [node for node in first if node in permitted]
        for node in queue:
            if len(order) >= bound:
                return
            for member in kept.get(node, (node,)):
                if member in order or len(order) >= bound:
                    continue
                order[member] = None
                for _, target in survey.out(member):
                    if target in permitted:
                        queue.append(behind.get(target, target))

    visit(starts, room)
    lost = permitted - survey.reached
    visit(nsmallest(limit, (n for n in lost if n not in order and n not in behind)), limit)
    if len(order) < limit:
        visit([node for node in allowed if node not in order and node not in behind], limit)
    return list(order)
