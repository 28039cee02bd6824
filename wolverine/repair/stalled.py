"""Loops that make no progress in what they test: `while (fast && fast->next) slow = slow->next;`.

What a loop's condition tests is hardly ever the same in every round: a step was forgotten, steps something
else, or the condition tests something else.  A repair that leaves it so mends a symptom.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from wolverine.core.expressions import (
    AddressOf,
    Expression,
    Load,
    Logical,
    LValue,
    VariableReference,
    variables,
)
from wolverine.core.parts import parts
from wolverine.core.patch import Edit, Guarded, NewAssignment, NewCall, NewNode, NewValue, Patch
from wolverine.core.program import (
    Assign,
    Branch,
    Call,
    Concrete,
    Function,
    Library,
    Program,
    Return,
    successors,
)
from wolverine.repair.walk import expressions_of

_STALLED = 0.6  # it goes on to test what is the same in every round
_STEPPING = -0.2  # what it tests goes on from where it is: `p = p->next`


@dataclass(frozen=True)
class Stalled:
    """A loop of a function, from its first instruction to the jump back, and the tests that stay the same."""

    function: str
    first: int
    last: int
    location: int  # of the condition
    tests: tuple[Expression, ...]

    @property
    def tested(self) -> frozenset[str]:
        """The names of the variables that are tested and never set."""
        return frozenset().union(*map(variables, self.tests))


def stalled(program: Program, functions: Collection[str]) -> list[Stalled]:
    """The loops of these functions in which a test of the condition comes to the same in every round."""
    return [loop for name in sorted(functions) for loop in _loops(program.functions[name])]


def unmoved(program: Program, loops: Collection[Stalled], patch: Patch) -> float:
    """What speaks against a patch in which of these loops it leaves as they are, and how it changes them."""
    return sum(_unmoved(program, loop, patch) for loop in loops)


def _unmoved(program: Program, loop: Stalled, patch: Patch) -> float:
    function = program.functions[loop.function]
    inside = {step.location for step in function.code[loop.first : loop.last + 1]}
    for edit in patch.edits:
        if edit.location == loop.location:
            made = edit.replacement
            if not (isinstance(made, NewValue) and any(_same(function, loop.first, loop.last, made.value))):
                return 0.0
        elif edit.location in inside and (moved := loop.tested & _sets(edit)):
            return _STEPPING * (not moved.isdisjoint(_reads(edit)))
    return _STALLED


def _loops(function: Function) -> Iterator[Stalled]:
    code = function.code
    for index, step in enumerate(code):
        if not isinstance(step, Branch) or step.location < 0:
            continue
        for last in range(index, len(code)):
            first = min(successors(code[last], last), default=last)
            if first > index or (not isinstance(code[last], Branch) and first >= last):
                continue
            if _only_exit(function, first, last, index):
                tests = tuple(_same(function, first, last, step.condition))
                if tests:
                    yield Stalled(function.name, first, last, step.location, tests)
            break


def _only_exit(function: Function, first: int, last: int, index: int) -> bool:
    """Whether a loop is left by this branch, and by nothing else."""
    leaving = {
        at
        for at in range(first, last + 1)
        if isinstance(function.code[at], Return)
        or any(not first <= to <= last for to in successors(function.code[at], at))
    }
    return leaving == {index}


def _same(function: Function, first: int, last: int, condition: Expression) -> Iterator[Expression]:
    """The tests of a condition that nothing in the loop has an influence on."""
    if isinstance(condition, Logical):
        yield from _same(function, first, last, condition.left)
        yield from _same(function, first, last, condition.right)
        return
    names = variables(condition)
    if not names or any(name.startswith("$") for name in names):
        return
    loads = [part.place for part in parts(condition) if isinstance(part, Load)]
    own = {each.name for each in (*function.locals, *function.parameters)} - _addressed(function)
    within = all(isinstance(place, VariableReference) and place.name in own for place in loads)
    for step in function.code[first : last + 1]:
        match step:
            case Assign(_, VariableReference(name)):
                if name in names:
                    return
            case Assign(_, target):
                if not within and any(_alike(target, place) for place in loads):
                    return
            case Call() | Library() | Concrete():
                if not within:
                    return
    yield condition


def _alike(target: LValue, place: LValue) -> bool:
    return not isinstance(place, VariableReference) and target.type == place.type


def _addressed(function: Function) -> set[str]:
    """The variables whose address is taken."""
    return {
        name
        for step in function.code
        for expression in expressions_of(step)
        for part in parts(expression)
        if isinstance(part, AddressOf)
        for name in variables(part)
    }


def _sets(edit: Edit) -> frozenset[str]:
    """The variables that an edit sets, or what lies behind them."""
    made = edit.replacement
    if isinstance(made, Guarded):
        made = made.statement
    match made:
        case NewAssignment(target):
            return variables(target)
        case NewNode(target):
            return variables(target)
        case NewCall(target=target) if target is not None:
            return variables(target)
    return frozenset()


def _reads(edit: Edit) -> frozenset[str]:
    """The variables that an edit computes a value from."""
    made = edit.replacement
    if isinstance(made, Guarded):
        made = made.statement
    match made:
        case NewAssignment(_, value):
            return variables(value)
        case NewCall(_, arguments):
            return frozenset().union(*map(variables, arguments))
    return frozenset()
