"""A tidy place for every box, as in a textbook.

Boxes of one struct type that hang together form a family: a list stands in a row (wrapped when longer
than the width), a tree top-down, anything else in layers.  A family to which only another leads is drawn
beside or below its owner: the chains of a hash table to the right of the array, a node's record under it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from operator import itemgetter

from wolverine.core.graph import NodeId, ObjectId, VariableId
from wolverine.core.types import PointerType, StructReference
from wolverine.draw.blocks import Block, Size, beside, shelve
from wolverine.draw.cut import Selection
from wolverine.draw.layered import layers
from wolverine.draw.picture import BoxKey, Run
from wolverine.draw.shape import Kind, Role, Survey, chains
from wolverine.draw.trees import TreeChild, tree_block

GAP = 4  # columns between neighbours of a list: room for an arrow and its mirror image
BAND = 3  # rows between the rows of a list: a lane for arrows, a label and its arrow
_BELOW = 2
_SIDE = 2  # columns beside a chain that goes downwards, for its arrows


@dataclass
class Family:
    """Boxes that are arranged together; `members` in order of discovery."""

    kind: Kind
    tag: str
    members: list[ObjectId]
    forward: tuple[int, ...] = ()
    number: int = 0
    owned: list[tuple[ObjectId, int, Family]] = field(default_factory=list)


class Arranger:
    """Arranges the boxes `keys` of a selection within `width` columns."""

    def __init__(
        self,
        survey: Survey,
        selection: Selection,
        found: Mapping[str, Role],
        sizes: Mapping[BoxKey, Size],
        width: int,
        sibling_gap: int = 3,
        stacked: bool = False,
    ) -> None:
        self.survey = survey
        self.selection = selection
        self.roles = found
        self.sizes = sizes
        self.width = width
        self.sibling_gap = sibling_gap
        self.stacked = stacked
        self.wide_trees: set[str] = set()
        self.has_chains = False
        self._types = {variable.id: variable.type for variable in survey.graph.variables()}
        self._family: dict[ObjectId, Family] = {}
        self._claimed: set[int] = set()

    def arrange(self, keys: Iterable[ObjectId]) -> Block:
        """One block of all the boxes (and the runs of hidden nodes between them).

        What is no part of the structures stands in no row above them, if that takes no more rows.
        """
        members = list(keys)
        families = self._families(members)
        owned = {self._family[target].number for member in members for _, target in self._owning(member)}
        tops = [family for family in families if family.number not in owned]
        blocks: list[tuple[bool, Block]] = []
        for family in [*tops, *families]:
            if family.number not in self._claimed:
                self._claim(family)
                blocks.append((self._is_aside(family), self._block(family, self.width)))
        shelved = shelve([block for _, block in blocks], self.width, BAND)
        if len({aside for aside, _ in blocks}) < 2:
            return shelved
        behind = shelve([block for _, block in sorted(blocks, key=itemgetter(0))], self.width, BAND)
        first = next(block for aside, block in blocks if not aside)
        above = min(shelved.at[key][1] for key in first.at) > 0
        return behind if above and behind.height <= shelved.height else shelved

    def _is_aside(self, family: Family) -> bool:
        """Whether boxes stand beside or below others: arrays that lead to no node and cannot, lost nodes."""
        return all(
            member not in self.survey.reached if isinstance(member, NodeId) else self._is_idle(member)
            for member in family.members
        )

    def _is_idle(self, variable: VariableId) -> bool:
        graph = self.survey.graph
        if variable not in self._types or any(True for _ in self.survey.out(variable)):
            return False
        kinds = (kind for _, kind in graph.types.scalars(self._types[variable]))
        return not any(isinstance(k, PointerType) and isinstance(k.target, StructReference) for k in kinds)

    def _out(self, key: ObjectId) -> Iterator[tuple[int, NodeId]]:
        for offset, target in self.survey.out(key):
            if target in self._family:
                yield offset, target

    def _owning(self, key: ObjectId) -> Iterator[tuple[int, NodeId]]:
        """The pointers by which other families hang on a box: none back up a tree, none from what is lost."""
        tag = self.survey.tag(key) if isinstance(key, NodeId) else ""
        role = self.roles.get(tag, Role("single"))
        lost = isinstance(key, NodeId) and key not in self.survey.reached
        for offset, target in self._out(key):
            back = role.kind == "tree" and offset not in role.forward and self.survey.tag(target) == tag
            back = back and target not in role.ends
            found = lost and target in self.survey.reached
            if not (back or found) and self._family[target] is not self._family[key]:
                yield offset, target

    def _families(self, members: list[ObjectId]) -> list[Family]:
        """Group the members along the forward pointers of their own type."""
        parent: dict[ObjectId, ObjectId] = {member: member for member in members}

        def find(key: ObjectId) -> ObjectId:
            while parent[key] != key:
                parent[key] = parent[parent[key]]
                key = parent[key]
            return key

        for member in members:
            for target in self._forward(member):
                if target in parent:
                    parent[find(target)] = find(member)
        grouped: dict[ObjectId, Family] = {}
        for member in members:
            root = find(member)
            if root not in grouped:
                tag = self.survey.tag(member) if isinstance(member, NodeId) else ""
                role = self.roles.get(tag, Role("single"))
                grouped[root] = Family(role.kind, tag, [], role.forward, len(grouped))
            grouped[root].members.append(member)
            self._family[member] = grouped[root]
        return list(grouped.values())

    def _forward(self, member: ObjectId) -> Iterator[NodeId]:
        """Where the forward fields lead within the type; over a run to the node behind it."""
        if not isinstance(member, NodeId):
            return
        tag = self.survey.tag(member)
        role = self.roles.get(tag)
        if role is None or role.kind == "single" or member in role.ends:
            return
        run = self.selection.runs.get(Run(member))
        if run is not None and run[1] is not None:
            yield run[1]
        for offset, target in self.survey.out(member):
            if offset in role.forward and self.survey.tag(target) == tag and target not in role.ends:
                yield target

    def _claim(self, family: Family) -> None:
        """Give every family that is found from here to the box that leads to it first."""
        self._claimed.add(family.number)
        queue = [family]
        for owner in queue:
            for member in owner.members:
                for offset, target in self._owning(member):
                    other = self._family[target]
                    if other.number not in self._claimed:
                        self._claimed.add(other.number)
                        other.members.remove(target)
                        other.members.insert(0, target)
                        owner.owned.append((member, offset, other))
                        queue.append(other)

    def _block(self, family: Family, room: int) -> Block:
        match family.kind:
            case "list":
                return self._list(family, room)
            case "tree":
                return self._tree(family, room)
            case "graph":
                return self._graph(family, room)
            case "single":
                return self._single(family, room)

    def _single(self, family: Family, room: int) -> Block:
        block = Block.of(family.members[0], self.sizes)
        for other in family.members[1:]:
            block.join(Block.of(other, self.sizes), 0, block.height + BAND)
        return self._beside(block, [child for _, _, child in family.owned], room)

    def _beside(self, block: Block, children: list[Family], room: int) -> Block:
        gap = min(GAP + max(0, len(children) - 1), 9)
        left = room - block.width - gap
        parts = [self._block(child, max(left, 20)) for child in children]
        crowded = any(self._is_pointed(part) for part in parts)
        return beside(block, parts, gap, 2 if crowded else 1, room, BAND)

    def _is_pointed(self, block: Block) -> bool:
        return any(key in self.survey.is_pointed for key in block.at)

    def _list(self, family: Family, room: int) -> Block:
        nodes = [member for member in family.members if isinstance(member, NodeId)]
        following: dict[NodeId, NodeId] = {}
        inside = set(nodes)
        for node in nodes:
            target = next((t for t in self._forward(node) if t in inside), None)
            if target is not None:
                following[node] = target
        rows = chains(nodes, following)
        children = {node: [f for member, _, f in family.owned if member == node] for node in nodes}
        if any(children.values()):
            parts = {n: [self._block(f, room) for f in children[n]] for n in nodes}
            owned = [f for found in children.values() for f in found]
            chained = any(f.kind == "list" and len(f.members) > 1 for f in owned)
            if chained or any(len(part.at) > 2 for found in parts.values() for part in found):
                return self._column(nodes, rows, children, room)
            return self._row_with_records(rows, parts, room)
        return self._rows(rows, following, room)

    def _rows(self, rows: list[list[NodeId]], following: Mapping[NodeId, NodeId], room: int) -> Block:
        """Chains one below the other; one that joins another ends left of the node that they share."""
        block = Block()
        for chain in rows:
            row = self._row(self._with_runs(chain), room)
            joined = following.get(chain[-1])
            if joined in chain and joined is not None and row.height > self.sizes[joined][1]:
                items = self._with_runs(chain)
                row = self._loop(items, items.index(joined), room) or row
            x = 0
            if joined is not None and joined in block.at and row.height < 12:
                x = max(0, block.at[joined][0] - GAP - row.width)
            block.join(row, x, block.height + BAND if block.at else 0)
        return block

    def _with_runs(self, chain: list[NodeId]) -> list[BoxKey]:
        items: list[BoxKey] = []
        for node in chain:
            items.append(node)
            if Run(node) in self.selection.runs:
                items.append(Run(node))
        return items

    def _row(self, items: list[BoxKey], room: int) -> Block:
        row = Block()
        x = y = 0
        for item in items:
            width, height = self.sizes[item]
            if x and x + width > room:
                x, y = 0, row.height + BAND
            row.put(item, x, y, width, height)
            x += width + GAP
        return row

    def _loop(self, items: list[BoxKey], entry: int, room: int) -> Block | None:
        """A ring that is too long for a row: there in the upper row, back in the lower one.

        What comes before the ring's first node, at index `entry`, stands in the upper row.
        """
        half = entry + -(-(len(items) - entry) // 2)
        upper = self._row(items[:half], room)
        lower = self._row(items[: half - 1 : -1], room)
        if len({y for block in (upper, lower) for _, y in block.at.values()}) > 1:
            return None
        upper.join(lower, max(0, upper.width - lower.width), upper.height + BAND)
        return upper

    def _row_with_records(
        self, rows: list[list[NodeId]], parts: Mapping[NodeId, list[Block]], room: int
    ) -> Block:
        """A list whose nodes lead to small records of their own: the records stand below."""
        block = Block()
        for chain in rows:
            x, y = 0, block.height + BAND if block.at else 0
            for item in self._with_runs(chain):
                column = Block.of(item, self.sizes)
                for part in parts.get(item, ()) if isinstance(item, NodeId) else ():
                    column.join(part, 0, column.height + _BELOW)
                if x and x + column.width > room:
                    x, y = 0, block.height + BAND
                block.join(column, x, y)
                x += column.width + GAP
        return block

    def _column(
        self,
        nodes: list[NodeId],
        rows: list[list[NodeId]],
        children: Mapping[NodeId, list[Family]],
        room: int,
    ) -> Block:
        """A list of lists: the outer one downwards, the inner ones to the right."""
        block = Block()
        for chain in rows:
            for item in self._with_runs(chain):
                part = Block.of(item, self.sizes)
                owned = children.get(item, []) if isinstance(item, NodeId) else []
                part = self._beside(part, owned, room)
                block.join(part, 0, block.height + _BELOW if block.at else 0)
        return block

    def _tree(self, family: Family, room: int) -> Block:
        def children(node: ObjectId) -> list[TreeChild]:
            found: list[TreeChild] = [
                TreeChild(
                    offset, target, None, family.forward.index(offset) if len(family.forward) == 2 else -1
                )
                for offset, target in self._out(node)
                if offset in family.forward and self._family[target] is family
            ]
            for member, offset, child in family.owned:
                if member == node:
                    found.append(TreeChild(offset, None, self._hanging(child, room), -1))
            return sorted(found, key=lambda child: child.offset)

        tops = self.roles[family.tag].tops if family.tag in self.roles else ()
        first = [member for member in family.members if member in tops]
        block = tree_block(family.members, children, self.sizes, self.sibling_gap, first)
        if block.width > room:
            self.wide_trees.add(family.tag)
        return block

    def _hanging(self, family: Family, room: int) -> Block:
        """What hangs off a tree's node; with `stacked` a chain goes downwards, to be no wider than a box."""
        chain = family.kind == "list" and not family.owned and len(family.members) > 1
        self.has_chains = self.has_chains or chain
        if not (chain and self.stacked):
            return self._block(family, room)
        block = Block()
        for item in self._with_runs([member for member in family.members if isinstance(member, NodeId)]):
            block.join(Block.of(item, self.sizes), 0, block.height + _BELOW if block.at else 0)
        block.width += _SIDE
        return block

    def _graph(self, family: Family, room: int) -> Block:
        edges = [
            (member, target)
            for member in family.members
            for offset, target in self._out(member)
            if offset in family.forward and self._family[target] is family
        ]
        block = layers(family.members, edges, self.sizes, room, GAP, BAND)
        for _, _, child in family.owned:
            block.join(self._block(child, room), 0, block.height + BAND)
        return block
