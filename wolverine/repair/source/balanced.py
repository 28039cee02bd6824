"""Calls that a statement makes for two fields of one node alike: `rank(t->left) < rank(t->right)`."""

from __future__ import annotations

from wolverine.core.expressions import Expression, Load, LValue, Member, VariableReference, text
from wolverine.core.parts import without_casts
from wolverine.core.program import Assign, Call, Function


def balanced(function: Function, index: int, value: Expression) -> bool:
    """Whether a value that assignment `index` passes is a field of the node of which another one is passed.

    That other one is passed to the same function, as the same parameter, by the same statement.
    """
    node = _node(value)
    return node is not None and any(_node(each) == node for each in _beside(function, index, value))


def _beside(function: Function, index: int, value: Expression) -> list[Expression]:
    """The other values that the statement passes to the function to which assignment `index` passes one."""
    called = _passing(function, index)
    if called is None:
        return []
    return [
        step.value
        for at, step in enumerate(function.code)
        if at != index
        and isinstance(step, Assign)
        and function.unit_of[at] == function.unit_of[index]
        and _passing(function, at) == called
        and text(step.value) != text(value)
    ]


def _passing(function: Function, index: int) -> tuple[str, int] | None:
    """The function to which an assignment passes its value, and the number of the parameter."""
    step = function.code[index]
    if not isinstance(step, Assign) or not isinstance(step.target, VariableReference):
        return None
    passed = Load(step.target)
    for call in function.code[index:]:
        if isinstance(call, Call) and passed in call.arguments:
            return call.function, call.arguments.index(passed)
    return None


def _node(value: Expression) -> LValue | None:
    match without_casts(value):
        case Load(Member(base)):
            return base
    return None
