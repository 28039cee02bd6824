"""How far the boxes of a picture stand from where one looks for them: children above, lists in zigzag.

And whether a structure is one that has such an order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Literal

from wolverine.core.graph import NodeId
from wolverine.draw.picture import Box, Picture
from wolverine.draw.shape import Role, Survey

_Way = Literal["left", "right", "up", "down"]


def disorder(picture: Picture, roles: Mapping[str, Role], within: Collection[NodeId] | None = None) -> int:
    """The arrows to children that do not lead down, and those along lists that lead against the others.

    A list that leads left as a whole is as good as one that leads right; rows follow each other downwards.
    With `within` only arrows from these nodes count.
    """
    found, ways = 0, dict[str, Counter[_Way]]()
    for arrow in picture.arrows:
        source, target = picture.boxes[arrow.source], picture.boxes[arrow.target]
        role = roles.get(source.kind)
        if arrow.implied or role is None or source.kind != target.kind or source is target:
            continue
        if not (isinstance(arrow.source, NodeId) and isinstance(arrow.target, NodeId)):
            continue
        if within is not None and arrow.source not in within:
            continue
        if role.kind == "tree":
            found += target.y <= source.bottom
        elif role.kind == "list":
            ways.setdefault(source.kind, Counter())[_way(source, target)] += 1
    return found + sum(each["up"] + min(each["left"], each["right"]) for each in ways.values())


def whole(
    survey: Survey, roles: Mapping[str, Role], shown: Collection[NodeId], node: NodeId
) -> frozenset[NodeId]:
    """The `shown` nodes that hang together with a node, where they are one list, ring or tree; else none."""
    role = roles.get(survey.tags.get(node, ""))
    if role is None or role.kind not in ("list", "tree"):
        return frozenset()
    ways_in = Counter[NodeId]()
    beside: dict[NodeId, list[NodeId]] = {}
    for source in shown:
        if survey.graph.nodes[source].state == "freed":
            continue  # what it still holds is no part of the structure
        for offset, target in survey.out(source) if survey.tags[source] == survey.tags[node] else ():
            if offset in role.forward and target in shown:
                ways_in[target] += 1
                beside.setdefault(source, []).append(target)
                beside.setdefault(target, []).append(source)
    together = {node: None}
    for each in (queue := [node]):
        new = [other for other in beside.get(each, ()) if other not in together]
        together.update(dict.fromkeys(new))
        queue += new
    entries = [ways_in[each] for each in together]
    return frozenset(together) if max(entries) == 1 and entries.count(0) <= 1 else frozenset()


def _way(source: Box, target: Box) -> _Way:
    if target.x > source.right:
        return "right"
    if target.right < source.x:
        return "left" if target.y <= source.bottom else "down"
    return "down" if target.y > source.bottom else "up"
