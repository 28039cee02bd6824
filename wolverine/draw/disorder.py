"""How far the boxes of a picture stand from where one looks for them: children above, lists in zigzag.

And whether a structure is one that has such an order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from itertools import pairwise
from typing import Literal

from wolverine.core.graph import NodeId
from wolverine.draw.picture import Box, Picture
from wolverine.draw.shape import Role, Survey
from wolverine.draw.shape import roles as told

_Way = Literal["left", "right", "up", "down"]


def disorder(picture: Picture, roles: Mapping[str, Role], within: Collection[NodeId] | None = None) -> int:
    """The arrows to children that do not lead down, and those along lists that lead against the others.

    And children that stand in another order than their parent has them, and arrows between boxes of two types
    that lead left or up, be it to the right as well.  A list that leads left as a whole is as good as one
    that leads right, unless boxes left of it lead to it; rows follow each other downwards.  With `within`
    only arrows from these nodes to their like count.
    """
    found, ways = 0, dict[str, Counter[_Way]]()
    children: dict[NodeId, list[tuple[int, int]]] = {}  # of a node: its line for each, and where that stands
    entered = Counter[str]()
    for arrow in picture.arrows:
        source, target = picture.boxes[arrow.source], picture.boxes[arrow.target]
        if arrow.implied or source is target:
            continue
        if within is not None and arrow.source not in within:
            continue
        if source.kind != target.kind:
            if within is not None or "run" in (source.state, target.state):
                continue
            way = _way(source, target)
            found += way in ("left", "up") or target.bottom < source.y
            entered[target.kind] += (way == "right") - (way == "left")
            continue
        role = roles.get(source.kind)
        if role is None or not (isinstance(arrow.source, NodeId) and isinstance(arrow.target, NodeId)):
            continue
        if role.kind == "tree":
            found += target.y <= source.bottom
            children.setdefault(arrow.source, []).append((arrow.line, target.x + target.right))
        elif role.kind == "list":
            ways.setdefault(source.kind, Counter())[_way(source, target)] += 1
    for kind, each in ways.items():
        found += each["up"] + (each["left"] if entered[kind] > 0 else min(each["left"], each["right"]))
    standing = ([x for _, x in sorted(each)] for each in children.values())
    return found + sum(left > right for columns in standing for left, right in pairwise(columns))


def roles_of(picture: Picture) -> dict[str, Role]:
    """The roles by which a picture was laid out."""
    return told(Survey(picture.request.graph), (key for key in picture.boxes if isinstance(key, NodeId)))


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
