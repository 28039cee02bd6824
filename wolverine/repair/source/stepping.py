"""The links over which loops lead a variable on from one node to the next: `p = p->left`."""

from __future__ import annotations

from wolverine.core.expressions import Dereference, Load, Member, VariableReference
from wolverine.core.program import Assign, Function
from wolverine.core.types import CType
from wolverine.repair.source.flow import behind


def stepped_over(function: Function) -> frozenset[tuple[CType, int]]:
    """These links, by the struct and where in it they lie."""
    code, found = function.code, set[tuple[CType, int]]()
    for index, step in enumerate(code):
        match step:
            case Assign(
                _, VariableReference(name), Load(Member(Dereference(Load(VariableReference(of)), to), _, at))
            ) if name == of and index in behind(code, index):
                found.add((to, at))
    return frozenset(found)
