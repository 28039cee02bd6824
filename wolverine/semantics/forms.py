"""Small structures of a given shape: who points to whom, by node index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wolverine.core.types import Field, Types
from wolverine.semantics.shape import Form, Shape, self_pointers

# Trees by their number of nodes, as (child slots of node 0, of node 1, ...); walk order is preorder.
_TREES: dict[int, tuple[tuple[tuple[int, ...], ...], ...]] = {
    0: ((),),
    1: (((),),),
    2: (((1,), ()), ((-1, 1), ())),
    3: (((1, 2), (), ()), ((1,), (2,), ()), ((-1, 1), (-1, 2), ()), ((1,), (-1, 2), ()), ((-1, 1), (2,), ())),
    5: (((1, 4), (2, 3), (), (), ()), ((1, 2), (), (3, 4), (), ())),
}
# Those of a node with a list of children: (first child, next sibling); the topmost has no siblings.
_FAMILIES: dict[int, tuple[tuple[tuple[int, ...], ...], ...]] = {
    0: _TREES[0],
    1: _TREES[1],
    2: (((1,), ()),),
    3: (((1,), (-1, 2), ()), ((1,), (2,), ())),
    5: (((1,), (-1, 2), (-1, 3), (-1, 4), ()), ((1,), (2, 4), (-1, 3), (), ())),
}


@dataclass(frozen=True)
class Links:
    """One structure: for each node its pointers as {byte offset: node index}; missing ones are null.

    `inorder` lists the nodes in the order in which a search tree holds ascending values.
    """

    pointers: tuple[dict[int, int], ...]
    inorder: tuple[int, ...]

    @property
    def size(self) -> int:
        """The number of nodes."""
        return len(self.pointers)


def links(types: Types, shape: Shape, size: int) -> tuple[Links, ...]:
    """The structures of `size` nodes that have the shape; none where the size is not offered."""
    forward, back, form = shape.forward, shape.back, shape.form
    if form == "empty":
        form = _usual_form(forward)
    if form in ("tree", "dag") and len(forward) >= 2:
        family = _family(shape)
        forms = _TREES if family is None else _FAMILIES
        return tuple(_tree(slots, shape, family or forward) for slots in forms.get(size, ()))
    if not forward:
        return (Links(tuple({} for _ in range(size)), tuple(range(size))),) if size <= 1 else ()
    chain = _chain(size, forward[0], back, ring=form == "ring")
    for field in shape.closed if size else ():
        chain.pointers[0][field.offset] = size - 1
    return (chain,)


def _usual_form(forward: Sequence[Field]) -> Form:
    return "tree" if len(forward) >= 2 else "list"


def _chain(size: int, forward: Field, back: Sequence[Field], *, ring: bool) -> Links:
    pointers: list[dict[int, int]] = [{} for _ in range(size)]
    for index in range(size):
        following = index + 1 if index + 1 < size else 0 if ring else None
        if following is None:
            continue
        pointers[index][forward.offset] = following
        for field in back:
            pointers[following][field.offset] = index
    return Links(tuple(pointers), tuple(range(size)))


def _family(shape: Shape) -> tuple[Field, Field] | None:
    """The links to the first child and to the next sibling, if that is how the nodes hang together."""
    sideways = {ahead for ahead, _ in shape.beside}
    lasts = {last for _, last in shape.spanning}
    leading = [field for field in shape.forward if field.offset not in lasts]
    match sorted(leading, key=lambda field: field.offset in sideways):
        case [child, sibling] if sideways == {sibling.offset}:
            return child, sibling
    return None


def _tree(slots: Sequence[Sequence[int]], shape: Shape, forward: Sequence[Field]) -> Links:
    pointers: list[dict[int, int]] = [{} for _ in slots]
    for index, children in enumerate(slots):
        for field, child in zip(forward, children, strict=False):
            if child > 0:
                pointers[index][field.offset] = child
                for upward in shape.back:
                    pair = (field.offset, upward.offset)
                    above = pointers[index].get(upward.offset) if pair in shape.beside else index
                    if above is not None and pair not in shape.apart:
                        pointers[child][upward.offset] = above
    for node in pointers:
        node.update(
            {last: _last(pointers, node[first], forward) for first, last in shape.spanning if first in node}
        )
    return Links(tuple(pointers), tuple(_inorder(slots, 0)) if slots else ())


def _last(pointers: Sequence[Mapping[int, int]], first: int, forward: Sequence[Field]) -> int:
    """The last of a node's children, of which this is the first."""
    last, sideways = first, forward[1].offset
    while sideways in pointers[last]:
        last = pointers[last][sideways]
    return last


def _inorder(slots: Sequence[Sequence[int]], node: int) -> list[int]:
    children = [*slots[node], -1, -1]
    left = _inorder(slots, children[0]) if children[0] > 0 else []
    right = [n for child in children[1:] if child > 0 for n in _inorder(slots, child)]
    return [*left, node, *right]


def has_structure(types: Types, tag: str) -> bool:
    """Whether structs of that type point to their own kind."""
    return bool(self_pointers(types, tag))
