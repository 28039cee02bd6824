"""The next picture of a moving heap: what was there stays, what is new finds room near its kin."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from wolverine.core.graph import NodeId, ObjectId
from wolverine.draw.arrange import BAND, GAP
from wolverine.draw.blocks import Block, Size
from wolverine.draw.picture import Box, BoxKey, Picture, Run
from wolverine.draw.shape import Role, Survey
from wolverine.draw.trees import LEVEL

Positions = dict[BoxKey, tuple[int, int]]
_BEHIND = 60  # how much farther a place is that lies left of the box that leads there
_ABOVE = 20  # and one that lies above where it would like to stand


@dataclass(frozen=True)
class Anchor:
    """Where a block of new boxes would like to stand, and how much air it wants around it."""

    x: int
    y: int
    air: int
    leftmost: int | None = None  # what leads there stands at this column: better not left of it


class Settler:
    """Places the boxes of `sizes`, those of `previous` exactly where they stand there."""

    def __init__(
        self,
        previous: Picture,
        survey: Survey,
        found: Mapping[str, Role],
        sizes: Mapping[BoxKey, Size],
        width: int,
    ) -> None:
        self.survey = survey
        self.roles = found
        self.sizes = sizes
        self.width = width
        old = {key: previous.boxes[key] for key in sizes if key in previous.boxes}
        self.at: Positions = {key: (box.x, box.y) for key, box in old.items()}
        self._make_room(old)

    def settle(self, arrange: Callable[[Iterable[ObjectId]], Block]) -> Positions | None:
        """Positions for all boxes, or None when they cannot be had without moving one.

        `arrange` makes a tidy block of some boxes; groups of new boxes enter as such blocks.
        """
        for group in self._groups():
            block = arrange(group)
            anchor = self._anchor(group, block)
            place = self._free_place(block, anchor)
            if place is None:
                return None
            for key, (x, y) in block.at.items():
                self.at[key] = (place[0] + x, place[1] + y)
        if set(self.at) != set(self.sizes) or self._crowded():
            return None
        return self.at

    def _make_room(self, old: Mapping[BoxKey, Box]) -> None:
        """Where a box has grown towards another to which its arrows lead, what is right of it moves on."""
        at = dict(self.at)
        for key in sorted(
            (key for key, box in old.items() if self.sizes[key][0] > box.width), key=at.__getitem__
        ):
            targets = () if isinstance(key, Run) else (target for _, target in self.survey.out(key))
            for target in dict.fromkeys(each for each in targets if each in old):
                gap = at[target][0] - at[key][0] - self.sizes[key][0]
                missing = min(old[target].x - old[key].right - 1, GAP) - gap
                level = old[target].y <= old[key].bottom and old[key].y <= old[target].bottom
                if level and missing > 0 and old[target].x > old[key].right and not self._alike(key, target):
                    first = at[target][0]
                    at = {each: (x + missing if x >= first else x, y) for each, (x, y) in at.items()}
        if self._extent(at) <= self.width:
            self.at = at

    def _alike(self, one: BoxKey, two: NodeId) -> bool:
        """Whether two boxes are of one type: those keep their columns as long as there is any room."""
        return isinstance(one, NodeId) and self.survey.tag(one) == self.survey.tag(two) != ""

    def _extent(self, at: Positions) -> int:
        """Columns from the first box to the last."""
        right = max((x + self.sizes[key][0] for key, (x, _) in at.items()), default=0)
        return right - min((x for x, _ in at.values()), default=0)

    def _groups(self) -> list[list[ObjectId]]:
        """The new boxes: those of one type that hang together, each time with what only they lead to.

        What boxes that stand already lead to finds its own place beside those.
        """
        fresh: list[ObjectId] = [k for k in self.sizes if k not in self.at and not isinstance(k, Run)]
        families = self._families(fresh)
        outside = [
            target
            for owner in self.at
            if not isinstance(owner, Run)
            for offset, target in self.survey.out(owner)
            if target in families and not self._leads_back(owner, offset, target)
        ]
        within = {
            target
            for key in fresh
            for _, target in self.survey.out(key)
            if target in families and families[target] is not families[key]
        }
        first = [key for key in fresh if all(member not in within for member in families[key])]
        groups: list[list[ObjectId]] = []
        claimed: set[ObjectId] = set()
        seeds = [families[key] for key in (*outside, *first, *fresh)]
        own = {id(family) for family in seeds[: len(outside) + len(first)]}
        for family in seeds:
            if family[0] in claimed:
                continue
            claimed.update(family)
            group = list(family)
            for member in group:
                for _, target in self.survey.out(member):
                    other = families.get(target, [])
                    if other and other[0] not in claimed and id(other) not in own:
                        claimed.update(other)
                        group += other
            groups.append(sorted(group, key=fresh.index))
        return groups

    def _families(self, fresh: list[ObjectId]) -> dict[ObjectId, list[ObjectId]]:
        """For each new box those of its type that hang together with it, itself included."""
        families = {key: [key] for key in fresh}
        for key in fresh:
            for _, target in self.survey.out(key):
                if target not in families or not self._alike(key, target):
                    continue
                one, two = families[key], families[target]
                if one is not two:
                    one += two
                    families.update(dict.fromkeys(two, one))
        return families

    def _anchor(self, group: list[ObjectId], block: Block) -> Anchor:
        owner = self._owner(group, block, back=False)
        if owner is not None and not self._alike(owner[0], owner[2]):
            front = self._in_front(group, block, self.at[owner[0]][0])
            if front is not None:
                return front
        if owner is not None:
            return self._by_owner(*owner, block)
        for back in (False, True):
            for member in group:
                for offset, target in self.survey.out(member):
                    if target in self.at and self._leads_back(member, offset, target) == back:
                        x, y = self.at[target]
                        return Anchor(
                            x + self.sizes[target][0] + GAP if back else x - GAP - block.width, y, 2
                        )
        owner = self._owner(group, block, back=True)
        if owner is not None:
            return self._by_owner(*owner, block)
        newest = max((key for key in self.at if isinstance(key, NodeId)), default=None)
        if newest is None:
            return Anchor(0, self._bottom() + 1 + BAND, 2)
        x, y = self.at[newest]
        return Anchor(x + self.sizes[newest][0] + GAP, y, 2)

    def _in_front(self, group: list[ObjectId], block: Block, leftmost: int) -> Anchor | None:
        """Left of the first box of a list, for what is put in front of it; right where that is taken."""
        for member in group:
            role = self._role_of(member)
            for offset, target in self.survey.out(member):
                if role is None or role.kind != "list" or offset not in role.forward or target not in self.at:
                    continue
                x, y = self.at[target]
                left = x - GAP - block.width
                if left >= leftmost and self._is_free(block, left, y, 1):
                    return Anchor(left, y, 1)
                return Anchor(x + self.sizes[target][0] + GAP, y, 1, leftmost)
        return None

    def _owner(self, group: list[ObjectId], block: Block, back: bool) -> tuple[ObjectId, int, NodeId] | None:
        """The box that leads to the group: box, offset, target; by a `prev` or `parent` only if `back`."""
        members = set(group)
        for owner in self.at:
            if isinstance(owner, Run):
                continue
            for offset, target in self.survey.out(owner):
                if (
                    target in members
                    and target in block.at
                    and self._leads_back(owner, offset, target) == back
                ):
                    return owner, offset, target
        return None

    def _leads_back(self, source: ObjectId, offset: int, target: NodeId) -> bool:
        """Whether a pointer within a type is one of those that undo others."""
        role = self._role_of(source)
        if role is None or role.kind == "single" or not isinstance(source, NodeId):
            return False
        return offset not in role.forward and self.survey.tag(source) == self.survey.tag(target)

    def _by_owner(self, owner: ObjectId, offset: int, target: NodeId, block: Block) -> Anchor:
        x, y = self.at[owner]
        width, height = self.sizes[owner]
        inner_x, inner_y = block.at[target]
        role = self._role_of(owner)
        if role is not None and role.kind == "tree" and offset in role.forward and len(role.forward) == 2:
            own = self.sizes[target][0]
            centre = x + width // 2 + (-1 if offset == role.forward[0] else 1) * (own // 2 + 1)
            return Anchor(centre - own // 2 - inner_x, y + height + LEVEL - inner_y, 1)
        behind = [t for _, t in self.survey.out(target) if t in self.at and t != owner]
        if behind and self.at[behind[0]][1] == y and isinstance(owner, NodeId):
            return Anchor((x + self.at[behind[0]][0]) // 2 - inner_x, y - inner_y, 2)
        left = None if self._alike(owner, target) else x
        return Anchor(x + width + GAP - inner_x, y - inner_y, 2, left)

    def _role_of(self, owner: BoxKey) -> Role | None:
        return self.roles.get(self.survey.tag(owner)) if isinstance(owner, NodeId) else None

    def _bottom(self) -> int:
        return max((y + self.sizes[key][1] - 1 for key, (_, y) in self.at.items()), default=-1 - BAND)

    def _free_place(self, block: Block, anchor: Anchor) -> tuple[int, int] | None:
        """The free place nearest to the anchor that keeps the whole picture within the width."""
        rows = {anchor.y, self._bottom() + 1 + BAND}
        columns = {anchor.x}
        for key, (x, y) in self.at.items():
            rows |= {y, y + self.sizes[key][1] + BAND, y - BAND - block.height}
            columns |= {x, x + self.sizes[key][0] + GAP, x - GAP - block.width}
        candidates = sorted((_distance(anchor, x, y), y, x) for y in rows for x in columns)
        left = min((x for x, _ in self.at.values()), default=0)
        right = max((x + self.sizes[key][0] for key, (x, _) in self.at.items()), default=0)
        for _, y, x in candidates:
            fits = max(right, x + block.width) - min(left, x) <= self.width
            if fits and self._is_free(block, x, y, anchor.air):
                return x, y
        return None

    def _is_free(self, block: Block, left: int, top: int, air: int) -> bool:
        for key, (x, y) in self.at.items():
            width, height = self.sizes[key]
            if x - air >= left + block.width or x + width + air <= left:
                continue
            if y - air >= top + block.height or y + height + air <= top:
                continue
            return False
        return True

    def _crowded(self) -> bool:
        """Whether a box has grown into another."""
        spots = sorted((x, y, *self.sizes[key]) for key, (x, y) in self.at.items())
        for index, (x, y, width, height) in enumerate(spots):
            for other in spots[index + 1 :]:
                if other[0] >= x + width + 1:
                    break
                if other[1] < y + height and y < other[1] + other[3]:
                    return True
        return self._extent(self.at) > self.width


def _distance(anchor: Anchor, x: int, y: int) -> int:
    far = abs(x - anchor.x) + 3 * abs(y - anchor.y) + (y < anchor.y)
    if anchor.leftmost is None:
        return far
    return far + _BEHIND * (x < anchor.leftmost) + _ABOVE * (y < anchor.y)
