"""What a tree's nodes say of their children: a flag that leaves have, `kind == NUMBER`, either none or both.

Heaps that are made anew keep what all nodes of a tree at the start of an execution keep.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wolverine.core.graph import MemoryGraph, NodeId, Place
from wolverine.core.types import IntType, StructReference
from wolverine.semantics.forms import Links
from wolverine.semantics.shape import Shape, target

Children = tuple[bool, ...]  # which of the forward pointers lead somewhere
Told = Mapping[int, Mapping[Children, int]]  # by the numbers' offsets

_NODES = 5  # of a tree, from which on it tells which children nodes have


def telling(start: MemoryGraph, shape: Shape) -> Told:
    """The numbers of a tree's nodes, by offset, that go with the children and are not the same for all."""
    if shape.form != "tree":
        return {}
    found: dict[int, Mapping[Children, int]] = {}
    for offset, scalar in start.types.scalars(StructReference(shape.tag)):
        values: dict[Children, int] = {}
        for node in shape.nodes if isinstance(scalar, IntType) else ():
            value = start.cells.get(Place(node, offset))
            if not isinstance(value, int) or values.setdefault(_children(start, shape, node), value) != value:
                break
        else:
            if len(set(values.values())) > 1 and len(values) < len(shape.nodes):
                found[offset] = values
    return found


def alike(start: MemoryGraph, shape: Shape, told: Told, forms: Sequence[Links]) -> Sequence[Links]:
    """The forms in which nodes have children as those of the tree do, where it is large and they tell of it.

    Where they do not, it is by chance that none has a single child, say.
    """
    if len(shape.nodes) < _NODES or not told:
        return forms
    seen = {_children(start, shape, node) for node in shape.nodes}
    return [form for form in forms if all(children_in(shape, form, at) in seen for at in range(form.size))]


def children_in(shape: Shape, form: Links, at: int) -> Children:
    """Which children a node of a form has, by its index."""
    return tuple(field.offset in form.pointers[at] for field in shape.forward)


def _children(start: MemoryGraph, shape: Shape, node: NodeId) -> Children:
    return tuple(target(start, node, field) is not None for field in shape.forward)
