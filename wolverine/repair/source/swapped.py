"""Arguments of a call in the wrong order, and two assignments of which each sets what the other should."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from wolverine.core.expressions import Expression, text, variables
from wolverine.core.patch import Edit, NewAssignment, NewValue
from wolverine.core.program import Assign, Branch, Function, Jump
from wolverine.repair.source.conversion import passed_as
from wolverine.repair.source.slips import arguments

_APART = 3  # statements from the one assignment to the other, at most


def exchanges(function: Function) -> Iterator[tuple[Edit, Edit]]:
    """The edits that exchange two arguments that can stand for each other, or what two assignments set."""
    yield from _arguments(function)
    yield from _assignments(function)


def _assignments(function: Function) -> Iterator[tuple[Edit, Edit]]:
    """The places that two assignments near each other set, of one type."""
    near: list[Assign] = []
    for step in function.code:
        if isinstance(step, (Branch, Jump)):
            near = []
        if not isinstance(step, Assign) or _temporary(step):
            continue
        for other in near[-_APART:]:
            if other.target.type == step.target.type and other.target != step.target:
                one, two = (other.target, step.value), (step.target, other.value)
                if any(name.startswith("$") for name in variables(step.value) | variables(other.value)):
                    one, two = (step.target, other.value), (other.target, step.value)  # a call stays
                first = Edit(other.location, NewAssignment(*one))
                yield first, Edit(step.location, NewAssignment(*two))
        near.append(step)


def exchangeable(function: Function, index: int) -> Iterator[Expression]:
    """What the call for which the assignment `index` makes an argument is given in other places."""
    made = function.code[index]
    for given in arguments(function):
        if isinstance(made, Assign) and made in given:
            values = (passed_as(each.value, made.target.type) for each in given if each != made)
            yield from (value for value in values if value is not None)


def stored(edit: Edit) -> bool:
    """Whether it is an edit of an assignment, not of an argument."""
    return isinstance(edit.replacement, NewAssignment)


def _temporary(step: Assign) -> bool:
    return any(name.startswith("$") for name in variables(step.target))


def _arguments(function: Function) -> Iterator[tuple[Edit, Edit]]:
    for given in arguments(function):
        for one, other in combinations(given, 2):
            first, second = passed_as(other.value, one.target.type), passed_as(one.value, other.target.type)
            if first is not None and second is not None and text(one.value) != text(other.value):
                yield Edit(one.location, NewValue(first)), Edit(other.location, NewValue(second))
