"""Arguments of a call in the wrong order; two assignments of which each sets what the other should.

Or of which each stands where the other should, as two calls of one function may.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from wolverine.core.expressions import Expression, Load, LValue, VariableReference, text, variables
from wolverine.core.parts import without_casts
from wolverine.core.patch import Edit, NewAssignment, NewValue
from wolverine.core.program import Assign, Branch, Call, Function, Gap, Jump, Program
from wolverine.repair.source.conversion import passed_as
from wolverine.repair.source.slips import arguments

_APART = 3  # statements from the one assignment to the other, at most


def exchanges(function: Function) -> Iterator[tuple[Edit, Edit]]:
    """The edits that exchange two arguments that can stand for each other, or what two assignments set.

    And two assignments one behind the other, of which only one is in a loop or under a test; and two calls of
    one function, one behind the other, that differ in one argument.
    """
    yield from _arguments(function)
    yield from in_other_order(function)
    yield from _assignments(function)
    yield from _across(function)


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


def _across(function: Function) -> Iterator[tuple[Edit, Edit]]:
    """Two assignments with the end of a loop's body or of an arm between: within a block one is moved."""
    before: Assign | None = None
    parted = False
    for step in function.code:
        match step:
            case Jump(location) if location < 0:
                parted = True
            case Assign(_, target, value) if not _temporary(step) and not _calls(step):
                if before is not None and parted and (before.target, before.value) != (target, value):
                    first = Edit(before.location, NewAssignment(target, value))
                    yield first, Edit(step.location, NewAssignment(before.target, before.value))
                before, parted = step, False
            case Gap():
                pass
            case _:
                before = None


def standing(function: Function, location: int) -> Iterator[NewAssignment]:
    """What stands there where the assignment at a location is exchanged with another one as a whole."""
    for edit in (each for pair in _across(function) for each in pair):
        if edit.location == location and isinstance(edit.replacement, NewAssignment):
            yield edit.replacement


def _calls(step: Assign) -> bool:
    """Whether it keeps what a call has returned."""
    return any(name.startswith("$") for name in variables(step.value))


def in_other_order(function: Function) -> Iterator[tuple[Edit, Edit]]:
    """The edits that set two calls in the other order that are neighbours and differ in one argument."""
    before: tuple[str, list[Assign]] | None = None
    given: list[Assign] = []
    for step in function.code:
        match step:
            case Gap():
                pass
            case Assign() if _temporary(step) and not _calls(step):
                given.append(step)
            case Call(_, called, passed, None) if len(given) == len(passed):
                if before is not None and before[0] == called:
                    pairs = zip(before[1], given, strict=False)
                    others = [(a, b) for a, b in pairs if text(a.value) != text(b.value)]
                    for one, other in others if len(others) == 1 else ():
                        yield (
                            Edit(one.location, NewValue(other.value)),
                            Edit(other.location, NewValue(one.value)),
                        )
                before, given = (called, given), []
            case _:
                before, given = None, []


def making_alike(function: Function) -> Mapping[int, Sequence[Expression]]:
    """By location of an argument, the values with which its call is the same as one beside it."""
    found: dict[int, list[Expression]] = {}
    for edit in (each for pair in in_other_order(function) for each in pair):
        if isinstance(edit.replacement, NewValue):
            found.setdefault(edit.location, []).append(edit.replacement.value)
    return found


def exchangeable(function: Function, index: int) -> Iterator[Expression]:
    """What the call for which the assignment `index` makes an argument is given in other places."""
    made = function.code[index]
    for given in arguments(function):
        if isinstance(made, Assign) and made in given:
            values = (passed_as(each.value, made.target.type) for each in given if each != made)
            yield from (value for value in values if value is not None)


def by_name(program: Program, one: Edit, other: Edit) -> bool:
    """Whether each of two arguments that are exchanged is a variable with the name of its parameter then.

    What a function hands on to itself it may have exchanged on purpose.
    """
    function = program.functions[program.location(one.location).function]
    named = {
        argument.place: parameter.name
        for step in function.code
        if isinstance(step, Call) and step.function in program.functions and step.function != function.name
        for argument, parameter in zip(step.arguments, program.functions[step.function].parameters)
        if isinstance(argument, Load) and isinstance(argument.place, VariableReference)
    }
    given = {
        step.location: named.get(step.target)
        for step in function.code
        if isinstance(step, Assign) and isinstance(step.target, VariableReference)
    }
    return all(_is_variable(each, given.get(each.location)) for each in (one, other))


def in_order(program: Program, one: Edit, other: Edit) -> bool:
    """Whether a recursion hands on its parameters in their order when two arguments are exchanged.

    As another one of the function does: `merge(a->next, b)` and `merge(b->next, a)`.  Who hands on both
    unchanged has exchanged them on purpose.
    """
    function = program.functions[program.location(one.location).function]
    at = {one.location, other.location}
    calls = [*_recursions(function)]
    here = [[each for each in call if each[1].location in at] for call in calls]
    if not any(_exchanged(pairs) for pairs in here):
        return False
    return any(not mine and _straight(call) for mine, call in zip(here, calls, strict=True))


def _recursions(function: Function) -> Iterator[list[tuple[VariableReference, Assign]]]:
    """What the function hands on to itself, by call: the parameters, and what makes their arguments."""
    made: dict[LValue, Assign] = {}
    for step in function.code:
        match step:
            case Assign(_, VariableReference() as target):
                made[target] = step
            case Call(_, called, passed) if called == function.name:
                pairs = zip(function.parameters, passed, strict=False)
                yield [(p, made[a.place]) for p, a in pairs if isinstance(a, Load) and a.place in made]


def _exchanged(call: Sequence[tuple[VariableReference, Assign]]) -> bool:
    """Whether two parameters stand for each other, one of them not as it was given."""
    match call:
        case ((one, first), (other, second)):
            crossed = variables(first.value) == {other.name} and variables(second.value) == {one.name}
            return crossed and not (_is_given(first, other.name) and _is_given(second, one.name))
    return False


def _is_given(step: Assign, name: str) -> bool:
    match without_casts(step.value):
        case Load(VariableReference(named)):
            return named == name
    return False


def _straight(call: Sequence[tuple[VariableReference, Assign]]) -> bool:
    """Whether parameters, more than one of them, stand for themselves, one of them not as it was given."""
    own = [(p, step) for p, step in call if variables(step.value) == {p.name}]
    return len(own) > 1 and not all(_is_given(step, p.name) for p, step in own)


def _is_variable(edit: Edit, name: str | None) -> bool:
    """Whether the new value is the variable of that name."""
    match edit.replacement:
        case NewValue(value):
            match without_casts(value):
                case Load(VariableReference(named)):
                    return named == name
    return False


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
