"""Two statements that link two nodes to each other over one field: `n->next = p; p->next = n;`.

Where a loop has no end, that is where it goes round: one of the two was to be linked to something else.
"""

from __future__ import annotations

from collections.abc import Sequence

from wolverine.core.expressions import Dereference, Expression, Load, Member
from wolverine.core.patch import NewAssignment, Patch
from wolverine.core.program import Assign, Gap, Instruction, Program


def parts_mutual(program: Program, patch: Patch) -> bool:
    """Whether a patch does no more than link one of two such nodes to something else."""
    match patch.edits:
        case (edit,):
            pass
        case _:
            return False
    code = program.functions[program.location(edit.location).function].code
    index = next((at for at, step in enumerate(code) if step.location == edit.location), -1)
    match code[index], edit.replacement:
        case Assign(_, target, value), NewAssignment(other, new):
            return other == target and new != value and mutual(code, index)
    return False


def mutual(code: Sequence[Instruction], index: int) -> bool:
    """Whether an assignment and the one before or behind it link two nodes to each other."""
    mine = _link(code[index])
    others = (_link(each) for each in (_next(code[index + 1 :]), _next(code[:index][::-1])))
    return mine is not None and any(other == (mine[0], mine[2], mine[1]) for other in others)


def _next(steps: Sequence[Instruction]) -> Instruction | None:
    return next((step for step in steps if not isinstance(step, Gap)), None)


def _link(step: Instruction | None) -> tuple[str, Expression, Expression] | None:
    """The field that a statement sets, of which node, and to which one."""
    match step:
        case Assign(_, Member(Dereference(Load() as node), name), Load() as value) if value.type == node.type:
            return name, node, value
    return None
