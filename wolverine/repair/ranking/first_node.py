"""A node that has become the first one and is put in once more behind that: `if (!head) head = n; ...`.

It is linked to itself then, and who walks through the list comes to no end.  What is forgotten is a `return`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wolverine.core.expressions import Load, LValue, VariableReference
from wolverine.core.parts import gone_through, null_test, without_casts
from wolverine.core.patch import Edit, NewReturn, Patch
from wolverine.core.program import Assign, Branch, Instruction, Program
from wolverine.core.types import PointerType
from wolverine.repair.source.blocks import arms_around
from wolverine.repair.source.flow import behind
from wolverine.repair.source.walk import located


def leaves_with_first(program: Program, patch: Patch) -> bool:
    """Whether a patch does no more than return where a node has become the first one."""
    match patch.edits:
        case (Edit(location, NewReturn(_, None)),):
            code = (function := program.functions[program.location(location).function]).code
            index = located(function, location)
            return any(_links(code, index, node) for node in _become_first(code, index))
    return False


def _become_first(code: Sequence[Instruction], index: int) -> Iterator[VariableReference]:
    """The variables to which a place was set that was null, in the arm that ends at `index`."""
    for at, _ in arms_around(code, index):
        step = code[at]
        tested = null_test(step.condition) if isinstance(step, Branch) else None
        if not isinstance(step, Branch) or tested is None:
            continue
        place, operator = tested
        first = step.if_true if operator == "==" else step.if_false
        for each in code[first:index]:
            match each:
                case Assign(_, target, value) if target == place:
                    match without_casts(value):
                        case Load(VariableReference() as node):
                            yield node


def _links(code: Sequence[Instruction], index: int, node: VariableReference) -> bool:
    """Whether a link is set to the node behind `index`, or one of its own."""
    steps = (code[at] for at in behind(code, index))
    linked = (
        step for step in steps if isinstance(step, Assign) and isinstance(step.target.type, PointerType)
    )
    return any(_leads(step.target) and _is_about(step, node) for step in linked)


def _leads(target: LValue) -> bool:
    return any(gone_through(target))


def _is_about(step: Assign, node: VariableReference) -> bool:
    return without_casts(step.value) == Load(node) or node in gone_through(step.target)
