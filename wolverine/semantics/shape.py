"""What kinds of structures a memory graph holds: lists, rings, trees, DAGs.

Only pointers between nodes of one struct type count; a field that always leads back over another one
(`prev` over `next`, `parent` over `left`) is a back pointer and not part of the forward structure.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import Literal, TypeVar

from wolverine.core.graph import MemoryGraph, NodeId, Place, Pointer, Value
from wolverine.core.types import ArrayType, CType, Field, PointerType, StructReference, Types

T = TypeVar("T")
_Edges = Mapping[NodeId, Mapping[str, NodeId]]
Form = Literal["empty", "list", "ring", "tree", "dag", "other"]


@dataclass(frozen=True, slots=True)
class Shape:
    """A structure of `struct tag` nodes: its form, forward and back pointer fields, nodes in walk order.

    A list with back pointers is doubly linked.  `closed` are the back fields over which the first node of a
    list leads to its last one, which leads to none.  Over pairs in `apart` of a forward and a back field,
    by offset, no node leads back to the one that leads to it: so it is with the first of a list of children.
    Over those `beside` it leads back to where that one does: siblings to their parent.  Of those of a pair
    in `spanning` the one leads to the first node of such a list and the other to its last one.
    """

    tag: str
    form: Form
    forward: tuple[Field, ...]
    back: tuple[Field, ...]
    nodes: tuple[NodeId, ...]
    closed: tuple[Field, ...] = ()
    apart: frozenset[tuple[int, int]] = frozenset()
    beside: frozenset[tuple[int, int]] = frozenset()
    spanning: frozenset[tuple[int, int]] = frozenset()


def self_pointers(types: Types, tag: str) -> tuple[Field, ...]:
    """The places of a struct that point to structs of its own type, in source order.

    Those of structs inside count too (`link.next`), and those of a pair (`child[0]`, `child[1]`); what has
    more is a table.
    """
    return tuple(_pointers(types, StructReference(tag), PointerType(StructReference(tag)), "", 0))


def _pointers(types: Types, ctype: CType, wanted: PointerType, name: str, offset: int) -> Iterator[Field]:
    match ctype:
        case PointerType() if ctype == wanted:
            yield Field(name, offset, ctype)
        case StructReference(tag) if tag in types.structs:
            for each in types.structs[tag].fields:
                path = f"{name}.{each.name}" if name else each.name
                yield from _pointers(types, each.type, wanted, path, offset + each.offset)
        case ArrayType(element, 2):
            for index in range(2):
                at = offset + index * types.size(element)
                yield from _pointers(types, element, wanted, f"{name}[{index}]", at)


def shape_at(graph: MemoryGraph, root: Place, tag: str) -> Shape:
    """The shape of what the pointer in `root` leads to, seen as structs of type `tag`."""
    fields = self_pointers(graph.types, tag)
    first = _node(graph, graph.cells.get(root), tag)
    if first is None:
        return Shape(tag, "empty", *_split(graph.types, tag, (), {}), ())
    nodes = _reached(graph, first, fields)
    edges = {n: {f.name: t for f in fields if (t := target(graph, n, f)) is not None} for n in nodes}
    forward, back = _split(graph.types, tag, nodes, edges)
    if back:  # the nodes that forward pointers reach, unless the root stands in their middle
        ahead = _reached(graph, first, forward)
        nodes = ahead if len(ahead) > 1 or len(nodes) == 1 else nodes
    form = _form(nodes, edges, forward)
    if form in ("list", "ring"):  # what the nodes are linked by comes before what none of them has
        forward = tuple(sorted(forward, key=lambda f: not any(f.name in edges[n] for n in nodes)))
    closed = tuple(f for f in back if form == "list" and _closes(edges, first, f.name, forward[0].name))
    apart, beside = _apart(nodes, edges, forward, back)
    spanning = _spanning(edges, forward, {ahead for ahead, _ in beside})
    return Shape(tag, form, forward, back, nodes, closed, apart, beside, spanning)


def along(graph: MemoryGraph, root: Place, shape: Shape, field: Field) -> Form:
    """The form that a shape's nodes have over one of its links alone; "other" where it does not reach all."""
    first = _node(graph, graph.cells.get(root), shape.tag)
    if first is None:
        return "empty"
    nodes = _reached(graph, first, (field,))
    edges = {n: {field.name: to} for n in nodes if (to := target(graph, n, field)) is not None}
    return _form(nodes, edges, (field,)) if set(nodes) == set(shape.nodes) else "other"


def held_below(graph: MemoryGraph, value: Value | None, tag: str) -> tuple[int, ...]:
    """The links, as offsets, over which the node that a value leads to holds lists of nodes of its own kind.

    It has no neighbours itself over the links of such a list, to and fro, which do not lead back to it.
    """
    node = _node(graph, value, tag)
    fields = self_pointers(graph.types, tag)
    if node is None or len(fields) < 3:
        return ()
    return tuple(field.offset for field in fields if _holds_list(graph, node, field, tag))


def _holds_list(graph: MemoryGraph, node: NodeId, field: Field, tag: str) -> bool:
    if target(graph, node, field) is None:
        return False
    shape = shape_at(graph, Place(node, field.offset), tag)
    if shape.form not in ("list", "ring") or not shape.back or node in shape.nodes:
        return False
    ahead = shape.forward[0]
    return (
        field not in (ahead, *shape.back)
        and target(graph, node, ahead) in (None, node)
        and all(target(graph, node, back) in (None, node) for back in shape.back)
        and all(target(graph, shape.nodes[0], back) != node for back in shape.back)
    )


def target(graph: MemoryGraph, node: NodeId, field: Field) -> NodeId | None:
    """The node to which a node's field points, if it is the start of one."""
    kind = field.type.target if isinstance(field.type, PointerType) else None
    if not isinstance(kind, StructReference):
        return None
    return _node(graph, graph.cells.get(Place(node, field.offset)), kind.tag)


def is_node(graph: MemoryGraph, value: Value | None, tag: str) -> bool:
    """Whether a value leads to the start of a node of `struct tag`, or of a type that nothing tells."""
    return _node(graph, value, tag) is not None


def _node(graph: MemoryGraph, value: Value | None, tag: str) -> NodeId | None:
    if not isinstance(value, Pointer) or not isinstance(value.object, NodeId) or value.offset:
        return None
    node = graph.nodes.get(value.object)
    other = node is not None and isinstance(node.type, StructReference) and node.type.tag != tag
    return None if other else value.object


def roots(graph: MemoryGraph) -> Iterable[tuple[Place, str]]:
    """The pointers to structs that variables hold, with the struct's tag: globals first, then by frame."""
    for variable in graph.variables():
        for offset, scalar in graph.types.scalars(variable.type):
            match scalar:
                case PointerType(StructReference(tag)):
                    yield Place(variable.id, offset), tag


def _reached(graph: MemoryGraph, root: NodeId, fields: Sequence[Field]) -> tuple[NodeId, ...]:
    seen = {root: None}
    work = [root]
    while work:
        node = work.pop()
        for field in reversed(fields):
            found = target(graph, node, field)
            if found is not None and found not in seen:
                seen[found] = None
                work.append(found)
    return tuple(seen)


def _split(
    types: Types, tag: str, nodes: Sequence[NodeId], edges: dict[NodeId, dict[str, NodeId]]
) -> tuple[tuple[Field, ...], tuple[Field, ...]]:
    """Forward and back fields: a back field leads from a node to one that leads to it by a forward field.

    Where the heap is too small to tell, names that say "back" decide.
    """
    fields = self_pointers(types, tag)
    if len(fields) < 2:
        return fields, ()
    back: list[Field] = []

    def led(node: NodeId, name: str) -> NodeId | None:
        return edges.get(node, {}).get(name)

    leading = edges.get(nodes[0], {}) if nodes else {}
    # of two fields that lead back over each other the one is back that sounds so, or that the root lacks
    order = sorted(fields, key=lambda f: (not _sounds_back(f.name), f.name in leading, -f.offset))
    for field in order:
        others = [f.name for f in fields if f is not field and f not in back]
        steps = [(n, edges[n][field.name]) for n in nodes if field.name in edges.get(n, {})]
        if not others:
            continue
        if steps:
            over = all(
                stands_under(n, t, led, others) or any(_closes(edges, n, field.name, o) for o in others)
                for n, t in steps
            )
            ahead = [(n, edges[n][o]) for n in nodes for o in others if o in edges.get(n, {})]
            mutual = all(edges.get(t, {}).get(field.name) == n for n, t in ahead)
            if over and (_sounds_back(field.name) or (mutual and len(nodes) > 1)):
                back.append(field)
        elif _sounds_back(field.name):
            back.append(field)
    return tuple(f for f in fields if f not in back), tuple(f for f in fields if f in back)


def _closes(edges: _Edges, first: NodeId, back: str, ahead: str) -> bool:
    """Whether a node that no other leads `ahead` to leads back to the last one that lies ahead of it."""
    if any(leading.get(ahead) == first for leading in edges.values()):
        return False
    last = _last(edges, first, ahead)
    return last is not None and edges.get(first, {}).get(back) == last


def _apart(
    nodes: Sequence[NodeId], edges: _Edges, forward: Sequence[Field], back: Sequence[Field]
) -> tuple[frozenset[tuple[int, int]], frozenset[tuple[int, int]]]:
    """The forward with the back fields that never lead back over them, and that lead where the others do."""
    apart, beside = set[tuple[int, int]](), set[tuple[int, int]]()
    for ahead in forward if len(forward) > 1 else ():
        led = [(node, edges[node][ahead.name]) for node in nodes if ahead.name in edges[node]]
        for each in back if led else ():
            behind = [(edges[node].get(each.name), edges.get(to, {}).get(each.name)) for node, to in led]
            if any(found == node for (_, found), (node, _) in zip(behind, led, strict=True)):
                continue
            alike = all(one == two for one, two in behind) and any(one for one, _ in behind)
            (beside if alike else apart).add((ahead.offset, each.offset))
    return frozenset(apart), frozenset(beside)


def _spanning(
    edges: _Edges, forward: Sequence[Field], siblings: Collection[int]
) -> frozenset[tuple[int, int]]:
    """The fields that lead to the first and the last of a node's children, some of which have two or more."""
    along = [field for field in forward if field.offset in siblings]
    if len(along) != 1 or len(forward) <= 2:
        return frozenset()
    [sideways] = along
    found = set()
    for first, last in permutations([field for field in forward if field is not sideways], 2):
        pairs = [(led.get(first.name), led.get(last.name)) for led in edges.values()]
        if any(one != two for one, two in pairs) and all(
            two == _last(edges, one, sideways.name) for one, two in pairs
        ):
            found.add((first.offset, last.offset))
    return frozenset(found)


def _last(edges: _Edges, first: NodeId | None, ahead: str) -> NodeId | None:
    """What lies ahead of a node last."""
    last, passed = first, {first}
    while last is not None and (following := edges.get(last, {}).get(ahead)) is not None:
        if following in passed:
            return None
        last = following
        passed.add(last)
    return last


def stands_under(
    node: NodeId, above: NodeId, led: Callable[[NodeId, str], NodeId | None], names: Collection[str]
) -> bool:
    """Whether a node is one to which another one leads, or is in the list of its children behind that."""
    for first, onward in product(names, names):
        at, passed = led(above, first), set[NodeId]()
        while at is not None and at not in passed:
            if at == node:
                return True
            passed.add(at)
            at = led(at, onward) if onward != first else None
    return False


def _sounds_back(name: str) -> bool:
    return any(part in name.lower() for part in ("prev", "back", "parent", "pred", "up"))


def _form(nodes: Sequence[NodeId], edges: dict[NodeId, dict[str, NodeId]], forward: Sequence[Field]) -> Form:
    names = [f.name for f in forward]
    targets = {n: [edges.get(n, {})[f] for f in names if f in edges.get(n, {})] for n in nodes}
    entering: dict[NodeId, int] = {}
    for node in nodes:
        for found in targets[node]:
            entering[found] = entering.get(found, 0) + 1
    root = nodes[0]
    used = {f for n in nodes for f in names if f in edges.get(n, {})}
    if all(len(found) <= 1 for found in targets.values()) and (len(used) <= 1 or root in entering):
        if root in entering:
            return "ring" if all(entering.get(n, 0) == 1 for n in nodes) else "other"
        if len(names) <= 1 or len(nodes) > 2:
            return "list" if all(count <= 1 for count in entering.values()) else "other"
    if root in entering or cyclic(nodes, targets):
        return "other"
    return "tree" if all(count <= 1 for count in entering.values()) else "dag"


def cyclic(nodes: Collection[T], targets: Mapping[T, Sequence[T]]) -> bool:
    """Whether one of the nodes leads back to itself."""
    entering = dict.fromkeys(nodes, 0)
    for node in nodes:
        for found in targets[node]:
            entering[found] = entering.get(found, 0) + 1
    work = [n for n, count in entering.items() if count == 0]
    left = len(entering)
    while work:
        left -= 1
        for found in targets.get(work.pop(), ()):
            entering[found] -= 1
            if entering[found] == 0:
                work.append(found)
    return left > 0
