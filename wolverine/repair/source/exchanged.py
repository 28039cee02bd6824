"""Nodes that are freed when they have changed places: `t = a->one; a->one = a->two; a->two = t; free(t);`.

What was exchanged with the help of `t` is needed yet, so that it is the `free` that is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

from wolverine.core.expressions import Element, Load, LValue, Member, VariableReference
from wolverine.core.parts import without_casts
from wolverine.core.patch import Deletion, Patch
from wolverine.core.program import Assign, Branch, Call, Function, Gap, Jump, Program
from wolverine.repair.source.retained import passed_to
from wolverine.semantics.allocation import FREEING


def keeps_exchanged(program: Program, patch: Patch) -> bool:
    """Whether a repair does no more than leave out the `free` of a node that has just changed places."""
    if len(patch.edits) != 1 or not isinstance(patch.edits[0].replacement, Deletion):
        return False
    [edit] = patch.edits
    function = program.functions[program.location(edit.location).function]
    return any(
        isinstance(step, Call)
        and step.location == edit.location
        and step.function in FREEING
        and _exchanged(function, index, step)
        for index, step in enumerate(function.code)
    )


def _exchanged(function: Function, index: int, call: Call) -> bool:
    """Whether what is freed there was taken from one link, which was set anew, and stored in another one."""
    freed = without_casts(passed_to(function.code[:index], call.arguments[0]))
    if not (isinstance(freed, Load) and isinstance(freed.place, VariableReference)):
        return False
    taken: LValue | None = None
    set_anew = stored = False
    for step in _in_front(function, index):
        value = without_casts(step.value)
        if step.target == freed.place:
            taken = value.place if isinstance(value, Load) else None
            set_anew = stored = False
        elif step.target == taken and isinstance(taken, Member | Element):
            set_anew = value != freed
        elif value == freed and set_anew and isinstance(step.target, Member | Element):
            stored = True
    return stored


def _in_front(function: Function, index: int) -> Iterator[Assign]:
    """The assignments that are executed right in front of an instruction, always all of them, in order."""
    code, found = function.code, list[Assign]()
    joined = {step.target for step in code if isinstance(step, Jump)}
    joined |= {at for step in code if isinstance(step, Branch) for at in (step.if_true, step.if_false)}
    while index > 0 and index not in joined and isinstance(code[index - 1], Assign | Gap):
        index -= 1
        step = code[index]
        if isinstance(step, Assign):
            found.append(step)
    yield from reversed(found)
