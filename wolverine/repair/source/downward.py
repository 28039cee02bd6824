"""Recursions that go down a tree, and from child to child: `for (c = n->child; c; c = c->next) walk(c);`.

What is below a child is for the call, so the loop goes on over another link than the one that it began with.
"""

from __future__ import annotations

from wolverine.core.expressions import Dereference, Expression, Load, LValue, Member, VariableReference
from wolverine.core.parts import without_casts
from wolverine.core.program import Assign, Call, Function


def goes_down_twice(function: Function, target: LValue, value: Expression) -> bool:
    """Whether a variable goes on over the link into which the function calls itself with that variable."""
    link = _link(value)
    return (
        link is not None
        and isinstance(target, VariableReference)
        and _from(link) == target
        and target not in function.parameters
        and _begins_with(function, target, link)
        and _is_handed_on(function, target)
    )


def _link(value: Expression) -> Member | None:
    """The field of a node from which a value is read."""
    match without_casts(value):
        case Load(Member(Dereference()) as link):
            return link
    return None


def _from(link: Member) -> LValue | None:
    """The place of the pointer to its node."""
    match link.base:
        case Dereference(Load(place)):
            return place
    return None


def _begins_with(function: Function, target: VariableReference, link: Member) -> bool:
    """Whether the variable is set to that link of what the function was given."""
    for step in function.code:
        if isinstance(step, Assign) and step.target == target and (first := _link(step.value)) is not None:
            alike = (first.base.type, first.offset) == (link.base.type, link.offset)
            if alike and _from(first) in function.parameters:
                return True
    return False


def _is_handed_on(function: Function, target: VariableReference) -> bool:
    """Whether the function calls itself with the variable."""
    given = {
        step.target
        for step in function.code
        if isinstance(step, Assign) and without_casts(step.value) == Load(target)
    }
    calls = (step for step in function.code if isinstance(step, Call) and step.function == function.name)
    return any(isinstance(each, Load) and each.place in given for call in calls for each in call.arguments)
