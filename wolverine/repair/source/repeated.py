"""A step that a loop makes twice in each round: in the header of a `for`, and at the end of its body."""

from __future__ import annotations

from wolverine.core.expressions import VariableReference, text, variables
from wolverine.core.parts import parts
from wolverine.core.patch import Deletion, Patch
from wolverine.core.program import Assign, Declare, Function, Gap, Program
from wolverine.repair.source.flow import loops_around
from wolverine.repair.source.walk import expressions_of


def made_again(function: Function, index: int) -> bool:
    """Whether the loop around the step `index` makes the same step right behind it.

    Where the loop looks at what the step leads to, it may well mean to go two by two.
    """
    code, step = function.code, function.code[index]
    if not isinstance(step, Assign) or not isinstance(step.target, VariableReference):
        return False
    loop = next(loops_around(code, index), None)
    if step.target.name not in variables(step.value) or loop is None:
        return False
    behind = range(index + 1, loop.stop)
    again = next((at for at in behind if not isinstance(code[at], Gap | Declare)), index)
    other = code[again]
    if again == index or not isinstance(other, Assign):
        return False
    if (other.target, other.value) != (step.target, step.value):
        return False
    wanted = text(step.value)
    rest = (code[at] for at in loop if at not in (index, again))
    return not any(
        text(part) == wanted
        for each in rest
        for expression in expressions_of(each)
        for part in parts(expression)
    )


def deletes_repeated(program: Program, patch: Patch) -> bool:
    """Whether an edit deletes a step that the loop makes again right behind."""
    for edit in patch.edits:
        if isinstance(edit.replacement, Deletion):
            function = program.functions[program.location(edit.location).function]
            steps = (i for i, step in enumerate(function.code) if step.location == edit.location)
            if any(made_again(function, index) for index in steps):
                return True
    return False
