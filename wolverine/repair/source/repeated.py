"""What is done twice: a step in the header of a `for` and at the end of its body, a sum where it was found.

Who looks for a place by a loop and reckons there leaves the loop by `break`; behind it the same test tells
whether the place was found, and the same sum is made once more.
"""

from __future__ import annotations

from wolverine.core.expressions import (
    Binary,
    Constant,
    Expression,
    Load,
    VariableReference,
    text,
    variables,
)
from wolverine.core.parts import parts
from wolverine.core.patch import Deletion, Patch
from wolverine.core.program import Assign, Branch, Declare, Function, Gap, Jump, Program
from wolverine.repair.source.flow import loops_around, tests_around
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


def reckoned_again(function: Function, index: int) -> bool:
    """Whether what the step `index` adds to a place is added again on the only way on from there.

    That may lead over a test under which the step stands itself; the step changes nothing of it.
    """
    code, step = function.code, function.code[index]
    if not isinstance(step, Assign) or not _reckons(step):
        return False
    tests = (each.condition for each in tests_around(code, index))
    held = {text(each) for each in tests if not _mentions(each, step)}
    at = index + 1
    while at < len(code):
        following = code[at]
        match following:
            case Gap() | Declare():
                at += 1
            case Jump(_, target) if target > at:
                at = target
            case Branch(_, condition, if_true) if text(condition) in held and if_true > at:
                at = if_true
            case Assign(_, target, value) if following.location != step.location:
                return (text(Load(target)), text(value)) == (text(Load(step.target)), text(step.value))
            case _:
                return False
    return False


def _reckons(step: Assign) -> bool:
    """Whether a place is set to what is reckoned from what it holds and more than a number: `x = x + y`."""
    match step.value:
        case Binary(_, left, right):
            own = text(Load(step.target))
            return own in (text(left), text(right)) and not {type(left), type(right)} & {Constant}
    return False


def _mentions(condition: Expression, step: Assign) -> bool:
    wanted = text(Load(step.target))
    return any(text(part) == wanted for part in parts(condition))


def deletes_repeated(program: Program, patch: Patch) -> bool:
    """Whether an edit deletes a step that the loop makes again right behind."""
    for edit in patch.edits:
        if isinstance(edit.replacement, Deletion):
            function = program.functions[program.location(edit.location).function]
            steps = (i for i, step in enumerate(function.code) if step.location == edit.location)
            if any(made_again(function, index) for index in steps):
                return True
    return False
