"""What is set anew in each round of a loop, though nothing reads it there: `while (...) { ...; first = m; }`.

Once behind the loop is enough, and is what people write.
"""

from __future__ import annotations

from wolverine.core.expressions import Load, VariableReference, lvalue_text
from wolverine.core.parts import step_parts
from wolverine.core.patch import Edit, NewAssignment, Patch
from wolverine.core.program import Assign, Call, Program
from wolverine.repair.source.flow import behind, loops_around
from wolverine.repair.source.walk import located


def sets_once(program: Program, patch: Patch, other: Patch) -> bool:
    """Whether the other patch sets behind a loop what the patch sets anew in each round of it, in vain.

    Not where something in the loop may read it, calls included.
    """
    one, instead = set(patch.edits) - set(other.edits), set(other.edits) - set(patch.edits)
    if len(one) != 1 or len(instead) != 1:
        return False
    [edit], [later] = one, instead
    if (found := _in_vain(program, edit)) is None:
        return False
    name, text, end = found
    return (
        program.location(later.location).function == name
        and _sets(later) == text
        and _index(program, later) >= end
    )


def _in_vain(program: Program, edit: Edit) -> tuple[str, str, int] | None:
    """The function, the place that the edit sets in a loop that never reads it, and where the loop ends."""
    location = program.location(edit.location)
    text = _sets(edit)
    if location.kind != "gap" or text is None:
        return None
    code = program.functions[location.function].code
    index = _index(program, edit)
    loops = [*loops_around(code, index)] if index in behind(code, index) else []  # else it leaves them
    if not loops:
        return None
    outermost = max(loops, key=len)
    for step in (code[at] for at in outermost):
        if isinstance(step, Call) and step.function in program.functions:
            return None
        if any(isinstance(each, Load) and lvalue_text(each.place) == text for each in step_parts(step)):
            return None
        if isinstance(step, Assign) and lvalue_text(step.target) == text:
            return None
    return location.function, text, outermost.stop


def _sets(edit: Edit) -> str | None:
    """The variable that an edit sets, in every case."""
    match edit.replacement:
        case NewAssignment(VariableReference() as target):
            return lvalue_text(target)
    return None


def _index(program: Program, edit: Edit) -> int:
    """The instruction at which the edit stands."""
    return located(program.functions[program.location(edit.location).function], edit.location)
