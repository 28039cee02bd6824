"""Sentinels: places that are no nodes of a structure and to which its ends lead, or from which it hangs.

A ring closes in the head that lies in a variable or in another record; the leaves of a tree lead to one
node that stands for none (Cormen et al., Introduction to Algorithms, sections 10.2 and 13.1).
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from wolverine.core.expressions import AddressOf, Dereference, Load, LValue, Member, VariableReference
from wolverine.core.graph import UNINITIALISED, MemoryGraph, NodeId, Place, Pointer, Value, VariableId
from wolverine.core.program import Assign, Program
from wolverine.core.types import PointerType, StructReference
from wolverine.semantics.shape import Shape, is_node, self_pointers, shape_at


def sentinel(start: MemoryGraph, value: Value | None, tag: str) -> Pointer | None:
    """The value, if it is a pointer to a single struct `tag` outside of the nodes of that type.

    Its own links lead to such nodes, to itself or nowhere: variables that are linked with each other are
    nodes like others.
    """
    if not isinstance(value, Pointer) or is_node(start, value, tag):
        return None
    match value.object:
        case VariableId() as variable:
            if not any(v.id == variable and isinstance(v.type, StructReference) for v in start.variables()):
                return None
        case NodeId() as node:
            if start.nodes[node].count != 1 or start.nodes[node].array:
                return None
        case _:
            return None
    for place in link_places(start, value, tag):
        if start.cell_types.get(place) != PointerType(StructReference(tag)):
            return None
        leads = start.cells.get(place)
        if leads not in (None, value, UNINITIALISED) and not is_node(start, leads, tag):
            return None
    return value


def link_places(start: MemoryGraph, at: Pointer, tag: str) -> tuple[Place, ...]:
    """The links of the struct `tag` at an address."""
    return tuple(Place(at.object, at.offset + f.offset) for f in self_pointers(start.types, tag))


def ends(start: MemoryGraph, root: Place, shape: Shape) -> Mapping[int, Pointer]:
    """The sentinel to which links lead that lead to no node, by the links' offsets; none if that is null."""
    fields = (*shape.forward, *shape.back)
    if not shape.nodes:
        at = sentinel(start, start.cells.get(root), shape.tag)
        return {field.offset: at for field in fields} if at is not None else {}
    inside = set(shape.nodes)
    found: dict[int, Pointer | None] = {}
    for field in fields:
        values = [start.cells.get(Place(node, field.offset)) for node in shape.nodes]
        others = [v for v in values if not (isinstance(v, Pointer) and v.object in inside)]
        if others:
            first = sentinel(start, others[0], shape.tag)
            found[field.offset] = first if all(v == first for v in others) else None
    ahead = {found[f.offset] for f in shape.forward if f.offset in found}
    one = ahead.pop() if len(ahead) == 1 else None
    return {f.offset: end for f in fields if (end := found.get(f.offset, one)) is not None}


def home(start: MemoryGraph, place: Place, tag: str) -> Pointer | None:
    """The sentinel to which a pointer leads where the structure that hangs from it has no nodes."""
    shape = shape_at(start, place, tag)
    return where_empty(place, shape, ends(start, place, shape))


def where_empty(place: Place, shape: Shape, at: Mapping[int, Pointer]) -> Pointer | None:
    """To what a pointer into a structure with these `ends` leads where that has no nodes.

    Where some of its links lead nowhere at the end, as those of a chain do whose nodes are in a ring besides,
    only what lies in the sentinel leads to that.
    """
    leading = {at.get(field.offset) for field in shape.forward}
    end = onward(shape, at)
    if end is None or len(leading) == 1:
        return end
    return at.get(place.offset - end.offset) if place.object == end.object else None


def onward(shape: Shape, at: Mapping[int, Pointer]) -> Pointer | None:
    """The one of a structure's `ends` to which its forward links lead."""
    return next((at[field.offset] for field in shape.forward if field.offset in at), None)


def hanging(
    start: MemoryGraph, roots: Sequence[tuple[Place, str]], parameters: Container[Place]
) -> list[tuple[Place, str]]:
    """The pointers from which structures hang: not those in a sentinel at which others end, as leaves do."""
    left: set[Place] = set()
    for place, tag in roots:
        shape = shape_at(start, place, tag)
        at = ends(start, place, shape)
        if place not in parameters and (end := onward(shape, at)) is not None:
            links = link_places(start, end, tag)
            left.update(links if place not in links else ())
        for end in set(at.values()):
            links = link_places(start, end, tag)
            if place in links:  # the other ones lead nowhere, where they do not lead to the end itself
                left.update(p for p in links if start.cells.get(p) != end)
    return [(p, tag) for p, tag in roots if p not in left or is_node(start, start.cells.get(p), tag)]


def leads_back(start: MemoryGraph, place: Place, shape: Shape) -> bool:
    """Whether a pointer is a sentinel's back link."""
    end = onward(shape, ends(start, place, shape))
    if end is None or end.object != place.object:
        return False
    return any(place.offset - end.offset == field.offset for field in shape.back)


def is_moved(program: Program, place: Place, start: MemoryGraph) -> bool:
    """Whether the program sets such a place to more than addresses of variables and fields.

    What is set once to where the sentinel lies stays there.
    """
    for function in program.functions.values():
        for step in function.code:
            match step:
                case Assign(_, _, AddressOf()):
                    continue
                case Assign(_, target) if is_at(target, place, start):
                    return True
    return False


def is_cursor(program: Program, place: Place, start: MemoryGraph) -> bool:
    """Whether the program lets a pointer go on from node to node."""
    for function in program.functions.values():
        for step in function.code:
            match step:
                case Assign(_, one, Load(Member(Dereference(Load(same))))) if one == same:
                    if is_at(one, place, start):
                        return True
    return False


def is_at(target: LValue, place: Place, start: MemoryGraph) -> bool:
    """Whether what an lvalue of the program says may be that place."""
    if isinstance(target, VariableReference):
        return isinstance(place.object, VariableId) and (place.object.name, place.offset) == (target.name, 0)
    offset = 0
    while isinstance(target, Member):
        offset += target.offset
        target = target.base
    if isinstance(place.object, NodeId):
        kinds = {start.nodes[place.object].type}
    else:
        kinds = {v.type for v in start.variables() if v.id == place.object}
    return offset == place.offset and target.type in kinds
