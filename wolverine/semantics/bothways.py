"""Links that a program sets both ways: `n->next = head; head->prev = n;`."""

from __future__ import annotations

from wolverine.core.expressions import Dereference, Load, Member, text
from wolverine.core.parts import without_casts
from wolverine.core.program import Assign, Program
from wolverine.core.types import StructReference
from wolverine.semantics.shape import self_pointers

_BOTH = 2
_Link = tuple[str, str, int, str]  # the struct, the node that is linked, at which offset, and to what


def linked_both_ways(program: Program) -> frozenset[tuple[str, int, int]]:
    """The pairs of links, as struct and offsets, over which a function links two nodes, each to the other.

    Of structs with two links: the parent of a tree's node leads back to it over one of several.
    """
    found = set[tuple[str, int, int]]()
    for function in program.functions.values():
        links = {link for step in function.code if isinstance(step, Assign) and (link := _link(step))}
        for tag, node, one, to in links:
            found.update(
                (tag, one, two)
                for kind, other, two, back in links
                if (kind, other, back) == (tag, to, node) and one != two
            )
    return frozenset(each for each in found if len(self_pointers(program.types, each[0])) == _BOTH)


def _link(step: Assign) -> _Link | None:
    match step.target, without_casts(step.value):
        case Member(Dereference(node, StructReference(tag)), _, offset), Load() as to:
            return tag, text(node), offset, text(to)
    return None
