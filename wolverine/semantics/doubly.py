"""Doubly linked lists of which an execution shows one node at most: what the source links both ways.

`n->next = head; head->prev = n;`: such links lead back over each other, whatever their names are.  Threaded
trees are linked like that as well, but are gone down.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from wolverine.core.expressions import Dereference, Load, LValue, Member, VariableReference, text
from wolverine.core.graph import MemoryGraph, Place
from wolverine.core.parts import without_casts
from wolverine.core.program import Assign, Function, Program
from wolverine.core.types import StructReference
from wolverine.semantics.branching import goes_down
from wolverine.semantics.sentinels import is_at
from wolverine.semantics.shape import Shape

_Link = tuple[str, str, str]  # the node that is linked, its field, what it is linked to


def as_list(program: Program, start: MemoryGraph, root: Place, shape: Shape) -> Shape:
    """The shape as a list, where it has no more than one node, and its two links are set to lead back."""
    if shape.form not in ("empty", "tree") or len(shape.nodes) > 1 or shape.back or len(shape.forward) != 2:
        return shape
    one, two = shape.forward
    functions = program.functions.values()
    if not any(_both_ways(f, shape.tag, one.name, two.name) for f in functions):
        return shape
    if any(goes_down(f, shape.tag, {one.name, two.name}) for f in functions):
        return shape
    ahead = _ahead(program, start, root, shape.tag)
    if ahead[one.name] > ahead[two.name]:
        one, two = two, one
    form = "list" if shape.nodes else shape.form
    return replace(shape, form=form, forward=(two,), back=(one,))


def _both_ways(function: Function, tag: str, one: str, two: str) -> bool:
    """Whether the function links two nodes over these fields, each to the other."""
    links = {link for step in function.code if isinstance(step, Assign) and (link := _link(step, tag))}
    return any((to, two, node) in links for node, field, to in links if field == one)


def _link(step: Assign, tag: str) -> _Link | None:
    match step.target, without_casts(step.value):
        case Member(Dereference(node, StructReference(found)), field), Load() as to if found == tag:
            return text(node), field, text(to)
    return None


def _ahead(program: Program, start: MemoryGraph, root: Place, tag: str) -> Counter[str]:
    """How often the program says of each link that the list goes on there from what hangs at the root.

    A new node is linked to what hangs there (`n->next = head`), the root is moved on (`head = p->next`).
    """
    found: Counter[str] = Counter()
    for function in program.functions.values():
        for step in function.code:
            match step:
                case Assign(_, Member(Dereference(_, StructReference(kind)), field), Load(place)):
                    found[field] += kind == tag and _hangs(place, root, start)
                case Assign(_, place, Load(Member(Dereference(_, StructReference(kind)), field))):
                    found[field] += kind == tag and _hangs(place, root, start)
    return found


def _hangs(place: LValue, root: Place, start: MemoryGraph) -> bool:
    return isinstance(place, VariableReference | Dereference | Member) and is_at(place, root, start)
