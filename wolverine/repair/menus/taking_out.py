"""A link is led past a node only where it leads to it: `if (at->next == gone) at->next = gone->next;`.

So it is where a node that is taken out need not be behind all the places whose links are set: on the upper
levels of a skip list it may be missing, and of a parent's two children it is one.
"""

from __future__ import annotations

from collections.abc import Iterator

from wolverine.core.expressions import Binary, Expression, Load, LValue, VariableReference
from wolverine.core.parts import gone_through
from wolverine.core.patch import Guarded, NewAssignment, Replacement
from wolverine.core.types import INT, PointerType, StructReference


def where_it_leads(target: LValue, value: Expression) -> Iterator[Guarded]:
    """The assignment of a link under the test that the target leads to the node that has this link."""
    for node in _passed(target, value):
        yield Guarded(Binary("==", Load(target), Load(node), INT), NewAssignment(target, value))


def leads_past(made: Replacement) -> bool:
    """Whether an edit is one of these."""
    match made:
        case Guarded(_, NewAssignment(target, value), None):
            return made in where_it_leads(target, value)
    return False


def _passed(target: LValue, value: Expression) -> Iterator[LValue]:
    """The variable whose node an assignment leads past; none where it steps on, or sets a link of that."""
    match target.type, value:
        case PointerType(StructReference()), Load(link) if link.type == target.type:
            node = next(gone_through(link), None)
            if isinstance(node, VariableReference) and node.type == target.type:
                yield from (node,) if node not in (target, *gone_through(target)) else ()
