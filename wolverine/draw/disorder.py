"""How far the boxes of a picture stand from where one looks for them: children above, lists in zigzag."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Literal

from wolverine.core.graph import NodeId
from wolverine.draw.picture import Box, Picture
from wolverine.draw.shape import Role

_Way = Literal["left", "right", "up", "down"]


def disorder(picture: Picture, roles: Mapping[str, Role]) -> int:
    """The arrows to children that do not lead down, and those along lists that lead against the others.

    A list that leads left as a whole is as good as one that leads right; rows follow each other downwards.
    """
    found, ways = 0, dict[str, Counter[_Way]]()
    for arrow in picture.arrows:
        source, target = picture.boxes[arrow.source], picture.boxes[arrow.target]
        role = roles.get(source.kind)
        if arrow.implied or role is None or source.kind != target.kind or source is target:
            continue
        if not (isinstance(arrow.source, NodeId) and isinstance(arrow.target, NodeId)):
            continue
        if role.kind == "tree":
            found += target.y <= source.bottom
        elif role.kind == "list":
            ways.setdefault(source.kind, Counter())[_way(source, target)] += 1
    return found + sum(each["up"] + min(each["left"], each["right"]) for each in ways.values())


def _way(source: Box, target: Box) -> _Way:
    if target.x > source.right:
        return "right"
    if target.right < source.x:
        return "left" if target.y <= source.bottom else "down"
    return "down" if target.y > source.bottom else "up"
