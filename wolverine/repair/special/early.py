"""A value that is read before something spoils it, into a variable that is declared for it.

`next = p->next; free(p); p = next;`: the statement that assigned the value still does, only that the value
is an older one.  That is one change, though it takes two edits.
"""

from __future__ import annotations

from collections.abc import Iterator

from wolverine.core.expressions import Expression, Load, VariableReference
from wolverine.core.parts import unconverted
from wolverine.core.patch import Edit, NewAssignment, NewValue, Patch
from wolverine.core.program import Assign, Call, Program
from wolverine.repair.source.flow import behind
from wolverine.repair.source.frees import may_free

CLOSEST_EARLY = 1.22  # before the node is freed: what needs no variable comes first
_OVERWRITTEN = 1.8  # or before the value is overwritten
FARTHEST_EARLY = 3.0  # where one thing more speaks against it: what was printed before is not, say
FARTHEST_LOST = 6.0  # where nodes are lost, and none is in the end if the value is read early


def read_early(program: Program, patch: Patch) -> Iterator[tuple[Edit, Edit]]:
    """The pairs of edits that do so: what keeps the value, and what assigns it then."""
    kept = [(edit, *found) for edit in patch.edits if (found := _kept(program, edit)) is not None]
    for edit in patch.edits if kept else ():
        location = program.location(edit.location)
        code = program.functions[location.function].code
        step = next((s for s in code if s.location == edit.location), None)
        if not isinstance(step, Assign):
            continue
        made = _assigned(step, edit)
        yield from (
            (keeping, edit)
            for keeping, variable, value in kept
            if made is not None and unconverted(made) == Load(variable) and value == unconverted(step.value)
        )


def early_distance(program: Program, keeping: Edit, assigning: Edit) -> float:
    """How far such a pair is from the source: less where what the value lies in may be freed in between.

    Then nothing but that is right: the value is what it was, only that the process may read it.
    """
    function = program.functions[program.location(keeping.location).function]
    at = {step.location: index for index, step in enumerate(function.code)}
    between = behind(function.code, at[keeping.location], at[assigning.location])
    called = (step.function for index in between if isinstance(step := function.code[index], Call))
    return CLOSEST_EARLY if any(may_free(program, name) for name in called) else _OVERWRITTEN


def _kept(program: Program, edit: Edit) -> tuple[VariableReference, Expression] | None:
    """The variable that a patch declares and a new statement sets, and its value."""
    location = program.location(edit.location)
    match edit.replacement:
        case NewAssignment(VariableReference() as variable, value) if location.kind == "gap":
            return (variable, value) if variable in program.functions[location.function].spares else None
    return None


def _assigned(step: Assign, edit: Edit) -> Expression | None:
    """What the edited statement assigns to the place that it assigned to before."""
    match edit.replacement:
        case NewAssignment(target, value) if target == step.target:
            return value
        case NewValue(value):
            return value
    return None
