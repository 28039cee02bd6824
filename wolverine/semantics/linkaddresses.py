"""Addresses of links: nodes may hold that of the one that leads to them, lists that of their last one.

`*n->pprev == n` for each node, and `*queue->end == NULL`: heaps that are made anew keep both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from wolverine.core.expressions import AddressOf, Dereference, Member
from wolverine.core.graph import MemoryGraph, NodeId, Place, Pointer, VariableId
from wolverine.core.parts import without_casts
from wolverine.core.program import Assign, Program
from wolverine.core.types import ArrayType, PointerType, StructReference
from wolverine.semantics.forms import Links
from wolverine.semantics.shape import Shape


def leading_back(start: MemoryGraph, tag: str) -> frozenset[int]:
    """Where a struct's nodes hold the address of what leads to them, by offset: none tells otherwise."""
    struct = StructReference(tag)
    wanted = PointerType(PointerType(struct))
    found = [offset for offset, scalar in start.types.scalars(struct) if scalar == wanted]
    nodes = [n for n, each in start.nodes.items() if each.type == struct and each.state == "live"]
    return frozenset(offset for offset in found if all(_leads_back(start, each, offset) for each in nodes))


def _leads_back(start: MemoryGraph, node: NodeId, offset: int) -> bool:
    """Whether what is at the address leads to the node; where there is none, only variables of calls may."""
    value = start.cells.get(Place(node, offset))
    if isinstance(value, Pointer):
        return start.cells.get(Place(value.object, value.offset)) == Pointer(node)
    return all(_is_local(start, place) for place, led in start.cells.items() if led == Pointer(node))


def ends_of_own_lists(program: Program) -> Mapping[str, Mapping[int, int]]:
    """The fields that lead to a link of their own node where nothing hangs on that, by struct and offset.

    `item->end = &item->parts` says so in the source: that is how a node with an empty list is made.
    """
    found: dict[str, dict[int, int]] = {}
    for function in program.functions.values():
        for step in function.code:
            match step:
                case Assign(
                    _,
                    Member(Dereference(holder, StructReference(tag)), _, end),
                    value,
                ):
                    match without_casts(value):
                        case AddressOf(Member(Dereference(same), _, link) as place) if (
                            same == holder and isinstance(place.type, PointerType)
                        ):
                            found.setdefault(tag, {})[end] = link
    return found


def entering(shape: Shape, form: Links, made: Sequence[NodeId]) -> Iterator[tuple[NodeId, Place]]:
    """The new nodes to which others lead, with the link that does."""
    links = [field.offset for field in shape.forward]
    for at, pointers in enumerate(form.pointers):
        for offset in links:
            if offset in pointers:
                yield made[pointers[offset]], Place(made[at], offset)


def ends_of(start: MemoryGraph, root: Place, shape: Shape) -> Iterator[Place]:
    """What holds the address of a list's last link, beside its root: where there is no node, of the root.

    What leads to the first row of a table leads to the table, whether there are nodes in that row or not.
    """
    if len(shape.forward) != 1 or shape.form not in ("empty", "list"):
        return
    last = Place(shape.nodes[-1], shape.forward[0].offset) if shape.nodes else root
    wanted = PointerType(PointerType(StructReference(shape.tag)))
    of_table = last == root and _begins_table(start, root)
    for place, scalar in start.cell_types.items():
        held = scalar == wanted and start.cells.get(place) == Pointer(last.object, last.offset)
        if not held or place.object in shape.nodes or _is_local(start, place):
            continue
        following = Place(place.object, place.offset + wanted.size)
        if not of_table or start.cell_types.get(following) == wanted:  # each row has an end
            yield place


def _begins_table(start: MemoryGraph, place: Place) -> bool:
    """Whether a place is the first of several pointers in an array."""
    if place.offset:
        return False
    if isinstance(place.object, NodeId):
        node = start.nodes.get(place.object)
        return node is not None and node.count > 1 and isinstance(node.type, PointerType)
    return any(v.id == place.object and isinstance(v.type, ArrayType) for v in start.variables())


def _is_local(start: MemoryGraph, place: Place) -> bool:
    """Whether a place is a variable of a call by itself, which may lead anywhere."""
    holder = place.object
    if not isinstance(holder, VariableId) or holder.depth < 0:
        return False
    return not any(v.id == holder and isinstance(v.type, StructReference) for v in start.variables())
