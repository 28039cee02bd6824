"""What each round of a loop begins with: `sum = 0;` in front of the inner loop that adds to `sum`.

Where that is missing, the variable is set once, before both loops, and only the inner one changes it.
Or it is what the round before has left over, as `carry`: as long as there is some, there is another round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wolverine.core.expressions import (
    Constant,
    Expression,
    Load,
    Logical,
    LValue,
    VariableReference,
    text,
    variables,
)
from wolverine.core.parts import amount_added, conjuncts, null_test, parts
from wolverine.core.program import Assign, Branch, Declare, Function, Gap, Instruction
from wolverine.core.types import IntType
from wolverine.repair.source.blocks import arms_around
from wolverine.repair.source.flow import forward, loops_around
from wolverine.repair.source.walk import expressions_of, reads_through

_ANEW = -0.5
_AS_OTHERS = -0.4  # the same is done with another variable
_BESIDE = -0.02  # right beside
_SEARCH = -0.8  # two loops do the same, of which only the first finds it as it was declared


def begins_a_round(function: Function, index: int, target: LValue, value: Expression) -> float:
    """What speaks for setting the target in the gap `index` to what it is set to before all rounds.

    Only an inner loop sets it, to which each round comes by the gap, and something behind reads it.
    """
    code = function.code
    if not isinstance(target, VariableReference) or not isinstance(value, Constant):
        return 0.0
    around = _around(code, index)
    if around is None or target in function.parameters or not _begun(code, around, target, value):
        return 0.0
    sets = [*_sets(code, around, target)]
    inner = [loop for at in sets if (loop := _inner(code, around, at)) is not None]
    outside = [at for at in around if not any(at in each for each in inner)]
    if not sets or len(inner) < len(sets) or not any(_reads(code[at], target) for at in outside):
        return 0.0
    avoiding = set() if index == around.start else forward(code, around.start, index)
    if any(at in avoiding or at < index for at in sets):
        return 0.0
    others = [*_others(code, around, target, value)]
    between = (code[min(at, index) + 1 : max(at, index)] for at in others)
    beside = any(all(isinstance(each, Gap) for each in steps) for steps in between)
    return _ANEW + _AS_OTHERS * bool(others) + _BESIDE * beside


def begins_another_search(function: Function, index: int, target: LValue, value: Expression) -> float:
    """What speaks for setting the target in the gap `index` to what it was set to before a first search.

    `prev = NULL;` in front of a loop that lets it follow a walk, as another loop does before.  In front of
    the gap it is asked for what the first has found, behind the second loop for what that has: unless set
    anew, it is what the first has found where the second makes no step.
    """
    code = function.code
    if not isinstance(target, VariableReference) or not isinstance(value, Constant):
        return 0.0
    if target in function.parameters:
        return 0.0
    sets = [at for at in _sets(code, range(len(code)), target) if not _sets_to(code[at], value)]
    loops = [_outermost(code, at) for at in sets]
    first = max((loop for loop in loops if loop.stop <= index), key=lambda each: each.start, default=None)
    second = min((loop for loop in loops if loop.start > index), key=lambda each: each.start, default=None)
    if first is None or second is None or not all(loops):
        return 0.0
    before, between = range(first.stop, index), range(first.stop, second.start)
    asked = (before, range(second.stop, len(code)))
    if not all(any(_uses(code[at], target) for at in stretch) for stretch in asked):
        return 0.0
    if any(_uses(code[at], target) for stretch in (first, range(index, second.stop)) for at in stretch):
        return 0.0
    followed = _values(code, first, target)
    walks = any(
        text(Load(step.target)) in followed
        for step in code[between.start : between.stop]
        if isinstance(step, Assign)
    )
    if followed != _values(code, second, target) or not walks or any(_sets(code, between, target)):
        return 0.0
    aside = {*arms_around(code, index)} - {*arms_around(code, second.start)}
    return 0.0 if aside else _SEARCH


def _values(code: Sequence[Instruction], around: range, target: VariableReference) -> set[str]:
    """What the loop sets the variable to, as C has it."""
    steps = (code[at] for at in _sets(code, around, target))
    return {text(step.value) for step in steps if isinstance(step, Assign)}


def _sets_to(step: Instruction, value: Constant) -> bool:
    """Whether that is what an assignment sets something to."""
    return isinstance(step, Assign) and isinstance(step.value, Constant) and step.value.value == value.value


def _outermost(code: Sequence[Instruction], at: int) -> range:
    """The outermost loop around an instruction; nothing where it is in none."""
    return max(loops_around(code, at), key=len, default=range(0))


def left_over(function: Function, branch: int, scope: Sequence[VariableReference]) -> Iterator[Logical]:
    """The condition of a loop with what a round hands on to the next one: `while (a || carry)`.

    Where lists have ended, what their last elements have left over is to be dealt with as well.  That is a
    number variable which each round reads before it sets it to something else, no counter.
    """
    code, step = function.code, function.code[branch]
    around = next(loops_around(code, branch), None)
    if around is None or not isinstance(step, Branch):
        return
    numbers = dict.fromkeys(
        each.target
        for each in (code[at] for at in around)
        if isinstance(each, Assign)
        and isinstance(each.target, VariableReference)
        and isinstance(each.target.type, IntType)
    )
    for number in numbers:
        if number not in scope or number.name in variables(step.condition):
            continue
        if _computed(code, around, number) and _reads_first(code, around, number):
            yield Logical("||", step.condition, Load(number))


def goes_through_null(code: Sequence[Instruction], branch: int, condition: Expression) -> bool:
    """Whether a loop goes on only where a pointer is null through which the next round goes first of all.

    `while (p == NULL)` behind a step along a ring comes to its end, which says nothing for it.
    """
    step = code[branch]
    assert isinstance(step, Branch)
    for each in conjuncts(condition):
        match null_test(each):
            case place, "==":
                if _goes_through(code, step.if_true, place):
                    return True
    return False


def _goes_through(code: Sequence[Instruction], start: int, place: LValue) -> bool:
    """Whether the straight way from an instruction on goes through a pointer before that is set."""
    for step in code[start:]:
        read = [*expressions_of(step), *([Load(step.target)] if isinstance(step, Assign) else ())]
        if reads_through((part for each in read for part in parts(each)), text(Load(place))):
            return True
        if not isinstance(step, Assign | Gap | Declare) or (
            isinstance(step, Assign) and step.target == place
        ):
            return False
    return False


def _computed(code: Sequence[Instruction], around: range, target: VariableReference) -> bool:
    """Whether the loop sets the variable to what is neither fixed nor counted."""
    steps = [code[at] for at in _sets(code, around, target)]
    values = [step.value for step in steps if isinstance(step, Assign)]
    return any(not isinstance(v, Constant | None) and amount_added(target, v) is None for v in values)


def _reads_first(code: Sequence[Instruction], around: range, target: VariableReference) -> bool:
    """Whether what mentions the variable first in the loop reads it."""
    for at in around:
        if _reads(code[at], target):
            return True
        step = code[at]
        if isinstance(step, Assign) and step.target == target:
            return False
    return False


def _around(code: Sequence[Instruction], index: int) -> range | None:
    """The innermost loop around an instruction, up to the last of its jumps back."""
    loops = [*loops_around(code, index)]
    start = max((each.start for each in loops), default=-1)
    return max((each for each in loops if each.start == start), key=len, default=None)


def _inner(code: Sequence[Instruction], around: range, at: int) -> range | None:
    """The outermost loop around an instruction inside of another one."""
    within = [each for each in loops_around(code, at) if each.start > around.start]
    return within[-1] if within else None


def _begun(code: Sequence[Instruction], around: range, target: LValue, value: Constant) -> bool:
    """Whether the value is all that the target gets outside of the loop."""
    outside = [code[at] for at in range(len(code)) if at not in around]
    values = [step.value for step in outside if isinstance(step, Assign) and step.target == target]
    return bool(values) and all(isinstance(e, Constant) and e.value == value.value for e in values)


def _others(
    code: Sequence[Instruction], around: range, target: VariableReference, value: Constant
) -> Iterator[int]:
    """Where the loop gives that value to another variable, which an inner loop changes as well."""
    for at in around:
        match code[at]:
            case Assign(_, VariableReference() as other, Constant() as given) if (
                other != target and other.type == target.type and text(given) == text(value)
            ):
                again = (each for each in _sets(code, around, other) if each != at)
                if _inner(code, around, at) is None and any(_inner(code, around, each) for each in again):
                    yield at


def _sets(code: Sequence[Instruction], around: range, target: LValue) -> Iterator[int]:
    """The instructions of the loop that set the target."""
    for at in around:
        step = code[at]
        if isinstance(step, Assign) and step.target == target:
            yield at


def _uses(step: Instruction, target: VariableReference) -> bool:
    """Whether an instruction reads the variable, or sets what it leads to."""
    led = isinstance(step, Assign) and step.target != target and target.name in variables(step.target)
    return led or _reads(step, target)


def _reads(step: Instruction, target: VariableReference) -> bool:
    """Whether an instruction reads the variable."""
    return any(target.name in variables(each) for each in expressions_of(step))
