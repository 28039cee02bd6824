"""What the structures of a graph look like: which fields lead forward, which back; list, tree or else.

Roles are told per struct type from the pointers that are there (every `prev` that undoes a `next` leads
back), not from names; names only break ties.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from wolverine.core.graph import MemoryGraph, NodeId, ObjectId, links
from wolverine.core.types import ArrayType, CType, PointerType, StructReference
from wolverine.draw.threads import sentinels, tops

Kind = Literal["list", "tree", "graph", "single"]

_SAMPLE = 600
_BACKWARD = ("pre", "back", "parent", "father", "up")
_ONWARD = ("next", "succ", "nxt", "forw")
_SIDES = ("left", "right"), ("l", "r"), ("lo", "hi"), ("0", "1"), ("1", "2"), ("a", "b")
_MANY_FIELDS = 64
_OF_SHARED = 4  # nodes with a way in for each that has one more, in what is nearly a tree


@dataclass(frozen=True, slots=True)
class Role:
    """How nodes of one struct type hang together: `forward` are the offsets of the fields to follow.

    A tree's `tops` are its roots where pointers lead back up to them, `ends` its sentinels.
    """

    kind: Kind
    forward: tuple[int, ...] = ()
    tops: tuple[NodeId, ...] = ()
    ends: frozenset[NodeId] = frozenset()


class Survey:
    """One pass over a graph: its pointers between objects, and what can be reached.

    `edges[o]` holds (offset, target) for every pointer of object `o` to a node, in address order.
    """

    def __init__(self, graph: MemoryGraph) -> None:
        self.graph = graph
        found = links(graph)
        nodes = graph.nodes
        self.edges: Mapping[ObjectId, tuple[tuple[int, NodeId], ...]] = found.edges
        self.tags = {
            node: entry.type.tag
            if isinstance(entry.type, StructReference) and entry.count == 1 and not entry.array
            else ""
            for node, entry in nodes.items()
        }
        self.pointed = self._pointed()
        """The nodes that variables point to: innermost frame first, then globals, then outer frames."""
        self.is_pointed = frozenset(self.pointed)
        self.reached = found.reached

    def out(self, source: ObjectId) -> tuple[tuple[int, NodeId], ...]:
        """The pointers of an object, in address order."""
        return self.edges.get(source, ())

    def kind(self, key: object) -> str:
        """The struct tag of such an allocation; another one, and a variable, is of a kind of its own."""
        return (self.tag(key) if isinstance(key, NodeId) else "") or f"{key}"

    def tag(self, node: NodeId) -> str:
        """The struct tag of a single struct's allocation, "" for anything else."""
        return self.tags[node]

    def _pointed(self) -> tuple[NodeId, ...]:
        graph = self.graph
        groups = [frame.variables for frame in graph.frames]
        ordered = [*groups[:1], graph.globals, *groups[1:]]
        found = (t for group in ordered for v in group for _, t in self.out(v.id))
        return tuple(dict.fromkeys(found))


def roles(survey: Survey, nodes: Iterable[NodeId]) -> dict[str, Role]:
    """The role of every struct type that occurs among `nodes` (a sample of each type is looked at).

    What freed nodes still hold says nothing of a structure that goes on without them.
    """
    members: dict[str, list[NodeId]] = {}
    known = list(nodes)
    there = [node for node in known if survey.graph.nodes[node].state != "freed"]
    for node in there or known:
        tag = survey.tags[node]
        if tag:
            group = members.setdefault(tag, [])
            if len(group) < _SAMPLE:
                group.append(node)
    return {tag: _role(survey, tag, group) for tag, group in members.items()}


def _role(survey: Survey, tag: str, group: list[NodeId]) -> Role:
    sample = set(group)
    edges: dict[int, dict[NodeId, NodeId]] = {offset: {} for offset in _declared(survey.graph, tag)}
    for node in group:
        for offset, target in survey.out(node):
            if target in sample:
                edges.setdefault(offset, {})[node] = target
    backward = _backward(survey, tag, edges)
    forward = tuple(sorted(offset for offset in edges if offset not in backward))
    if not forward:
        return Role("single")
    if len(forward) == 1:
        return Role("list", forward)
    for offset in forward:
        onward = _name(survey, tag, offset).startswith(_ONWARD)
        doubly = onward and any(_undoes(edges[other], edges[offset]) for other in backward)
        if doubly and _is_path_cover(edges[offset], len(group)):
            return Role("list", (offset,))
    filled = [offset for offset in forward if edges[offset]]
    if len(filled) == 1 and _leads_on(survey, tag, filled[0], edges[filled[0]]):
        return Role("list", (filled[0],))  # what else nodes may lead to (`random`) is still empty
    if _is_forest(edges[offset] for offset in forward):
        return Role("tree", forward)
    for offset in forward:
        if _is_path_cover(edges[offset], len(group)):
            return Role("list", (offset,))
    if threaded := _tree_with_threads(survey, tag, group, edges):
        return threaded
    sides = any(_are_sides(_name(survey, tag, a), _name(survey, tag, b)) for a, b in pairwise(forward))
    if sides and backward and _is_nearly_forest([edges[offset] for offset in forward]):
        return Role("tree", forward)  # as while it is being turned
    return Role("graph", forward)


def _leads_on(survey: Survey, tag: str, offset: int, field: Mapping[NodeId, NodeId]) -> bool:
    """Whether a field has the name of one that leads along lists, and no node two ways in by it."""
    onward = _name(survey, tag, offset).startswith(_ONWARD)
    return onward and len(set(field.values())) == len(field)


def _tree_with_threads(
    survey: Survey, tag: str, group: list[NodeId], edges: Mapping[int, Mapping[NodeId, NodeId]]
) -> Role | None:
    """A tree but for pointers that lead back up or to a sentinel; only where all of it is in the sample."""
    if len(group) >= _SAMPLE:
        return None
    ends = sentinels({node: [e[node] for e in edges.values() if node in e] for node in group})
    inner = [node for node in group if node not in ends]
    kept = {o: {a: b for a, b in e.items() if not {a, b} & ends} for o, e in edges.items()}
    backward = _backward(survey, tag, kept)
    forward = tuple(sorted(offset for offset in kept if offset not in backward))
    targets = {node: [kept[o][node] for o in forward if node in kept[o]] for node in inner}
    entered = [node for node in survey.pointed if node in targets]
    for source, out in survey.edges.items():
        if not isinstance(source, NodeId) or survey.tags.get(source) != tag:
            entered += [target for _, target in out if target in targets]
    found = tops(inner, targets, entered)
    return None if found is None else Role("tree", forward, found, ends)


def _declared(graph: MemoryGraph, tag: str) -> list[int]:
    """Offsets of the fields whose type is a pointer to the struct itself, arrays of them included."""
    struct = graph.types.structs.get(tag)
    if struct is None:
        return []
    found: list[int] = []
    for field in struct.fields:
        ctype: CType = field.type
        count, step = 1, 0
        if isinstance(ctype, ArrayType):
            count, step, ctype = (
                min(ctype.length, _MANY_FIELDS),
                graph.types.size(ctype.element),
                ctype.element,
            )
        if ctype == PointerType(StructReference(tag)):
            found += [field.offset + i * step for i in range(count)]
    return found


def _backward(survey: Survey, tag: str, edges: dict[int, dict[NodeId, NodeId]]) -> set[int]:
    """The fields that undo others: `prev` of a doubly linked list, `parent` of a tree."""
    partners: dict[int, set[int]] = defaultdict(set)
    offsets = sorted(edges)
    names = {offset: _name(survey, tag, offset) for offset in offsets}
    twins = {frozenset((a, b)) for a in offsets for b in offsets if a < b and _are_sides(names[a], names[b])}
    undone: dict[int, set[NodeId]] = defaultdict(set)
    matching = {
        (first, second): [a for a, b in edges[first].items() if edges[second].get(b) == a and a != b]
        for i, first in enumerate(offsets)
        for second in offsets[i + 1 :]
    }
    for first, second in sorted(matching, key=lambda pair: (-len(matching[pair]), pair)):
        one, two = edges[first], edges[second]
        # A link undoes one other: where a hash chain runs against a list, the list's own links are a pair.
        matches = [a for a in matching[first, second] if not (a in undone[first] or one[a] in undone[second])]
        needed = (min(len(one), len(two)) + 1) // 2
        if frozenset((first, second)) in twins:
            # The threads of a tree undo some of its children, a list's left undoes every right.
            needed = max(len(one), len(two))
        if matches and len(matches) >= needed:
            partners[first].add(second)
            partners[second].add(first)
            undone[first].update(matches)
            undone[second].update(one[a] for a in matches)
    hinted = {offset for offset in offsets if names[offset].startswith(_BACKWARD)}
    paired = frozenset[int]().union(*twins)
    backward: set[int] = set()
    for offset in sorted(partners, key=lambda o: (-len(partners[o]), o not in hinted, o)):
        others = partners[offset] - backward
        if offset in backward or not others:
            continue
        if len(others) > 1 or offset in hinted:
            backward.add(offset)
        elif not others & hinted:
            other = next(iter(others))
            if (offset in paired) != (other in paired):
                # Of a child's link there is one for the other side, of that to the parent there is not.
                backward.add(other if offset in paired else offset)
            else:
                backward.add(_later_end(survey, edges, offset, other))
    if not partners and len(offsets) > len(hinted) and not any(edges[offset] for offset in hinted):
        backward |= hinted
    return backward


def _are_sides(one: str, two: str) -> bool:
    """Whether two names say the same of two sides (`lchild` and `rchild`), or are of one array."""
    if one == two:
        return bool(one)
    for sides in _SIDES:
        for first, second in (sides, sides[::-1]):
            if any(
                one[:at] + second + one[at + len(first) :] == two
                for at in range(len(one))
                if one.startswith(first, at)
            ):
                return True
    return False


def _name(survey: Survey, tag: str, offset: int) -> str:
    """The name, in small letters, of the field to which a byte belongs."""
    types = survey.graph.types
    struct = types.structs.get(tag)
    fields = struct.fields if struct is not None else ()
    held = (f.name for f in fields if f.offset <= offset < f.offset + max(1, types.size(f.type)))
    return next(held, "").lower().strip("_")


def _later_end(survey: Survey, edges: dict[int, dict[NodeId, NodeId]], one: int, two: int) -> int:
    """Of two fields that undo each other, the one that leads back: to where fewer variables point."""
    score = {}
    for offset, other in ((one, two), (two, one)):
        targets = set(edges[offset].values())
        starts = [node for node in edges[offset] if node not in targets]
        score[offset] = sum(1 for node in starts if node in survey.is_pointed) - (offset > other) * 0.5
    return min(score, key=lambda offset: score[offset])


def _is_forest(fields: Iterable[dict[NodeId, NodeId]]) -> bool:
    """No node has two ways in, and there is no cycle."""
    parent: dict[NodeId, NodeId] = {}
    for field in fields:
        for source, target in field.items():
            if target in parent:
                return False
            parent[target] = source
    done: set[NodeId] = set()
    for start in parent:
        path: set[NodeId] = set()
        node: NodeId | None = start
        while node is not None and node not in done:
            if node in path:
                return False
            path.add(node)
            node = parent.get(node)
        done |= path
    return True


def _is_nearly_forest(fields: Sequence[Mapping[NodeId, NodeId]]) -> bool:
    """Whether few nodes have two ways in, and there is no cycle."""
    ways_in = Counter(target for field in fields for target in field.values())
    if _OF_SHARED * sum(ways - 1 for ways in ways_in.values()) > len(ways_in):
        return False
    left = [node for node in {source for field in fields for source in field} if not ways_in[node]]
    done = 0
    for node in left:
        for target in (field[node] for field in fields if node in field):
            done += 1
            ways_in[target] -= 1
            if not ways_in[target]:
                left.append(target)
    return done == sum(len(field) for field in fields)


def _undoes(one: Mapping[NodeId, NodeId], other: Mapping[NodeId, NodeId]) -> bool:
    """Whether one field leads back along all of another, which leads somewhere."""
    return bool(other) and all(one.get(target) == source for source, target in other.items())


def _is_path_cover(field: dict[NodeId, NodeId], count: int) -> bool:
    """Whether the field alone strings nearly all nodes together without joining them."""
    ways_in = Counter(field.values())
    return len(field) >= 0.9 * (count - 1) and all(n == 1 for n in ways_in.values())


def chains(order: Iterable[NodeId], following: Mapping[NodeId, NodeId]) -> list[list[NodeId]]:
    """Cut the nodes of a list family into chains, each node in exactly one; the longest comes first.

    A chain ends at null, at itself (a ring) or at a node of an earlier chain (a shared tail).  `order`
    tells which of several starts, and which node of a ring, comes first.
    """
    nodes = list(order)
    targets = set(following.values())
    starts = [node for node in nodes if node not in targets]
    if len(starts) > 1:
        lengths = _lengths(starts, following)
        starts.sort(key=lambda start: -lengths[start])
    done: set[NodeId] = set()
    result: list[list[NodeId]] = []
    for start in [*starts, *nodes]:
        chain: list[NodeId] = []
        node: NodeId | None = start
        while node is not None and node not in done:
            done.add(node)
            chain.append(node)
            node = following.get(node)
        if chain:
            result.append(chain)
    return result


def _lengths(starts: list[NodeId], following: Mapping[NodeId, NodeId]) -> dict[NodeId, int]:
    """How many different nodes each start leads through (those on a ring count once per entry)."""
    known: dict[NodeId, int] = {}
    for start in starts:
        path: dict[NodeId, int] = {}
        node: NodeId | None = start
        while node is not None and node not in known and node not in path:
            path[node] = len(path)
            node = following.get(node)
        behind = 0 if node is None else known.get(node, len(path) - path.get(node, 0))
        ring = path.get(node, len(path)) if node is not None else len(path)
        for member, index in path.items():
            known[member] = behind if index >= ring else behind + ring - index
    return known
