"""Statements that link two nodes to each other over one field: `n->next = p; p->next = n;`.

Where a loop has no end, that is where it goes round: one of the two was to be linked to something else.  So
it is with three, each linked to the next.  Up to the last of them there is a list, and that one closes it.
"""

from __future__ import annotations

from collections.abc import Sequence

from wolverine.core.expressions import Constant, Dereference, Expression, Load, Member, VariableReference
from wolverine.core.patch import NewAssignment, Patch
from wolverine.core.program import Assign, Declare, Gap, Instruction, Program
from wolverine.core.types import PointerType


def parts_mutual(program: Program, patch: Patch) -> bool:
    """Whether a patch does no more than link one of such nodes to something else."""
    return bool(_parted(program, patch))


def cuts_before_closing(program: Program, patch: Patch) -> bool:
    """Whether a patch ends the list at such a node, before the statement that closes the ring.

    What that one leads back from is cut off then.
    """
    match patch.edits:
        case (edit,):
            ends = isinstance(edit.replacement, NewAssignment) and isinstance(
                edit.replacement.value, Constant
            )
            index, *others = _parted(program, patch) or (0,)
            return ends and any(at > index for at in others)
    return False


def mutual(code: Sequence[Instruction], index: int) -> list[int]:
    """The assignments that link nodes in a ring, from the one at `index` on; nothing where that is in none.

    They stand in one stretch in which no variable changes.
    """
    mine = _link(code[index])
    if mine is None:
        return []
    first, last = index, index
    while first > 0 and _keeps_variables(code[first - 1]):
        first -= 1
    while last + 1 < len(code) and _keeps_variables(code[last + 1]):
        last += 1
    field, begun, node = mine
    found = {
        link[1]: (at, link[2])
        for at in range(first, last + 1)
        if (link := _link(code[at])) is not None and link[0] == field
    }
    ring = [index]
    while node != begun and node in found and found[node][0] not in ring:
        at, node = found[node]
        ring.append(at)
    return ring if node == begun and found[begun][0] == index and len(ring) > 1 else []


def _parted(program: Program, patch: Patch) -> list[int]:
    """The assignments of a ring, from the one on that a patch changes; nothing where it does more or less."""
    match patch.edits:
        case (edit,):
            pass
        case _:
            return []
    code = program.functions[program.location(edit.location).function].code
    index = next((at for at, step in enumerate(code) if step.location == edit.location), -1)
    match code[index], edit.replacement:
        case Assign(_, target, value), NewAssignment(other, new) if other == target and new != value:
            return mutual(code, index)
    return []


def _keeps_variables(step: Instruction) -> bool:
    """Whether an instruction leaves the variables that are pointers as they are, and goes on to the next."""
    match step:
        case Assign(_, VariableReference(type=PointerType())):
            return False
    return isinstance(step, Assign | Gap | Declare)


def _link(step: Instruction) -> tuple[str, Expression, Expression] | None:
    """The field that a statement sets, of which node, and to which one."""
    match step:
        case Assign(_, Member(Dereference(Load() as node), name), Load() as value) if value.type == node.type:
            return name, node, value
    return None
