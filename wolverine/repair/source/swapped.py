"""Arguments of a call in the wrong order, and two assignments of which each sets what the other should."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from wolverine.core.expressions import variables
from wolverine.core.patch import Edit, NewAssignment, NewValue
from wolverine.core.program import Assign, Branch, Function, Jump
from wolverine.repair.source.slips import arguments

_APART = 3  # statements from the one assignment to the other, at most


def exchanges(function: Function) -> Iterator[tuple[Edit, Edit]]:
    """The edits that exchange two arguments of one type, or what two assignments set, for each pair."""
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


def stored(edit: Edit) -> bool:
    """Whether it is an edit of an assignment, not of an argument."""
    return isinstance(edit.replacement, NewAssignment)


def _temporary(step: Assign) -> bool:
    return any(name.startswith("$") for name in variables(step.target))


def _arguments(function: Function) -> Iterator[tuple[Edit, Edit]]:
    for given in arguments(function):
        for one, other in combinations(given, 2):
            if one.target.type == other.target.type and one.value != other.value:
                yield Edit(one.location, NewValue(other.value)), Edit(other.location, NewValue(one.value))
