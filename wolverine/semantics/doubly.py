"""Doubly linked lists that an execution does not show as such: what the source links both ways.

It shows one node at most, or links back that a fault of the program has set wrongly.

`n->next = head; head->prev = n;`: such links lead back over each other, whatever their names are.  Threaded
trees are linked like that as well, but are gone down.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from wolverine.core.expressions import Dereference, Load, LValue, Member, VariableReference
from wolverine.core.graph import MemoryGraph, Place
from wolverine.core.program import Assign, Program
from wolverine.core.types import StructReference
from wolverine.semantics.branching import goes_down
from wolverine.semantics.compiled import compile_program
from wolverine.semantics.sentinels import is_at
from wolverine.semantics.shape import Shape, along


def as_list(program: Program, start: MemoryGraph, root: Place, shape: Shape) -> Shape:
    """The shape as a list or ring, where its two links are set to lead back.

    It has one node at most, or one of the links leads through all nodes and the other one does not lead back.
    """
    if shape.back or len(shape.forward) != 2 or shape.form in ("list", "ring"):
        return shape
    one, two = shape.forward
    if (shape.tag, one.offset, two.offset) not in compile_program(program).linked_both_ways:
        return shape
    few = len(shape.nodes) <= 1 and shape.form != "other"
    through = {field: along(start, root, shape, field) for field in shape.forward}
    fitting = [field for field, form in through.items() if few or form in ("list", "ring")]
    if not fitting:
        return shape
    if any(goes_down(f, shape.tag, {one.name, two.name}) for f in program.functions.values()):
        return shape
    said = _ahead(program, start, root, shape.tag)
    ahead = max(fitting, key=lambda field: (said[field.name], field is two))
    form = shape.form if not shape.nodes else "list" if few else through[ahead]
    return replace(shape, form=form, forward=(ahead,), back=tuple(f for f in (one, two) if f is not ahead))


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
