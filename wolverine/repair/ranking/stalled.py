"""Loops that make no progress in what they test: `while (fast && fast->next) slow = slow->next;`.

What a loop's condition tests is hardly ever the same in every round: a step was forgotten, steps something
else, or the condition tests something else.  A repair that leaves it so mends a symptom.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

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
from wolverine.core.patch import (
    NewAssignment,
    NewCall,
    NewJump,
    NewNode,
    NewReturn,
    NewValue,
    Patch,
    Replacement,
    Several,
    unguarded,
)
from wolverine.core.program import (
    Assign,
    Branch,
    Call,
    Concrete,
    Function,
    Instruction,
    Library,
    Program,
    Return,
    successors,
)
from wolverine.core.trace import Trace
from wolverine.repair.execution.followed import last_round
from wolverine.repair.source.flow import loops_around
from wolverine.repair.source.walk import expressions_of

_STALLED = 0.6  # it goes on to test what is the same in every round
_SETTING = Assign | Call | Library | Concrete
_EVADING = 1.0  # which is known to have no end
_STEPPING = -0.2  # what it tests goes on from where it is: `p = p->next`


@dataclass(frozen=True)
class Stalled:
    """A loop of a function with what it executes, and the tests of its condition that stay the same.

    `own` are the variables of the function that nothing else can set.  One that goes `round` for ever may
    lack a way out of it.
    """

    function: str
    location: int  # of the condition
    steps: tuple[Instruction, ...]
    own: frozenset[str]
    tests: tuple[Expression, ...]
    round: bool = False

    @cached_property
    def inside(self) -> frozenset[int]:
        """The locations in the loop."""
        return frozenset(step.location for step in self.steps)

    @cached_property
    def idle(self) -> frozenset[int]:
        """The locations in it at which something is assigned to itself, as nobody means to: `p = p`."""
        return frozenset(step.location for step in self.steps if _to_itself(step))

    @cached_property
    def tested(self) -> frozenset[str]:
        """The names of the variables that are tested and never set."""
        return frozenset().union(*map(variables, self.tests))


def stalled(program: Program, functions: Collection[str]) -> list[Stalled]:
    """The loops of these functions in which a test of the condition comes to the same in every round."""
    return [loop for name in sorted(functions) for loop in _loops(program.functions[name])]


def endless(program: Program, trace: Trace) -> list[Stalled]:
    """The loop in which an execution goes round for ever, by what it executes in a round."""
    if trace.crash is None or not trace.endless:
        return []
    function = program.functions[trace.crash.position.function]
    code, executed = function.code, last_round(program, trace)
    around = next(loops_around(code, trace.crash.position.instruction), range(0))
    own, found = _own(function), []
    steps = tuple(code[at] for at in around if at in executed or not isinstance(code[at], _SETTING))
    for at in sorted(executed.intersection(around)):
        step = code[at]
        if isinstance(step, Branch) and step.location >= 0 and _leaves(code, at, around):
            tests = tuple(_same(steps, own, step.condition))
            if tests:
                found.append(Stalled(function.name, step.location, steps, own, tests, round=True))
    return found


def unmoved(loops: Collection[Stalled], patch: Patch) -> float:
    """What speaks against a patch in which of these loops it leaves as they are, and how it changes them."""
    return sum(_unmoved(loop, patch) for loop in loops)


def _unmoved(loop: Stalled, patch: Patch) -> float:
    if loop.idle and loop.idle.isdisjoint(edit.location for edit in patch.edits):
        return _EVADING
    for edit in patch.edits:
        made = unguarded(edit.replacement)
        if edit.location == loop.location:
            if not (isinstance(made, NewValue) and any(_same(loop.steps, loop.own, made.value))):
                return 0.0
        elif loop.round and edit.location in loop.inside and isinstance(made, NewReturn | NewJump):
            return 0.0
        elif edit.location in loop.inside and (moved := loop.tested & _sets(made)):
            if loop.round and not _sets_tested(loop, made):
                continue
            return _STEPPING * (not moved.isdisjoint(_reads(made)))
    return _EVADING if loop.round else _STALLED


def _loops(function: Function) -> Iterator[Stalled]:
    own = _own(function)
    for index, step in enumerate(function.code):
        if isinstance(step, Branch) and step.location >= 0:
            steps = _left_by(function.code, index)
            tests = tuple(_same(steps, own, step.condition)) if steps else ()
            if tests:
                yield Stalled(function.name, step.location, steps, own, tests)


def _own(function: Function) -> frozenset[str]:
    return frozenset(v.name for v in (*function.locals, *function.parameters)) - _addressed(function)


def _left_by(code: Sequence[Instruction], index: int) -> tuple[Instruction, ...]:
    """The innermost loop around a branch, if it is left by that and by nothing else; else nothing."""
    loop = next(loops_around(code, index), range(0))
    leaving = [at for at in loop if _leaves(code, at, loop)]
    return tuple(code[loop.start : loop.stop]) if leaving == [index] else ()


def _leaves(code: Sequence[Instruction], at: int, stretch: range) -> bool:
    """Whether an instruction leads out of a stretch."""
    return isinstance(code[at], Return) or any(to not in stretch for to in successors(code[at], at))


def _same(steps: Sequence[Instruction], own: Collection[str], condition: Expression) -> Iterator[Expression]:
    """The tests of a condition that nothing in the loop has an influence on."""
    if isinstance(condition, Logical):
        yield from _same(steps, own, condition.left)
        yield from _same(steps, own, condition.right)
        return
    names = variables(condition)
    if not names or any(name.startswith("$") for name in names):
        return
    loads = [part.place for part in parts(condition) if isinstance(part, Load)]
    within = all(isinstance(place, VariableReference) and place.name in own for place in loads)
    for step in steps:
        match step:
            case Assign() if _to_itself(step):
                pass
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


def _to_itself(step: Instruction) -> bool:
    return isinstance(step, Assign) and step.value == Load(step.target)


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


def _sets(made: Replacement) -> frozenset[str]:
    """The variables that a statement sets, or what lies behind them."""
    match made:
        case NewAssignment(target) | NewNode(target):
            return variables(target)
        case NewCall(target=target) if target is not None:
            return variables(target)
        case Several(statements):
            return frozenset().union(*map(_sets, statements))
    return frozenset()


def _sets_tested(loop: Stalled, made: Replacement) -> bool:
    """Whether it may set what is tested itself, rather than what a tested pointer leads to."""
    if isinstance(made, Several):
        return any(_sets_tested(loop, each) for each in made.statements)
    target = made.target if isinstance(made, NewAssignment | NewNode | NewCall) else None
    loads = (part.place for test in loop.tests for part in parts(test) if isinstance(part, Load))
    return target is not None and any(target == each or _alike(target, each) for each in loads)


def _reads(made: Replacement) -> frozenset[str]:
    """The variables that a statement computes a value from."""
    match made:
        case NewAssignment(_, value):
            return variables(value)
        case NewCall(_, arguments):
            return frozenset().union(*map(variables, arguments))
        case Several(statements):
            return frozenset().union(*map(_reads, statements))
    return frozenset()
