"""New nodes that a function was called with and did not keep, as it says: its caller frees them then.

`if (insert(table, p)) update(table, p->key); else append(list, p);`, where `insert` gives back 1 because the
key is there already, and 0 where it has linked the node.  Who asks for that knows that the node is his yet.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from wolverine.core.expressions import Constant, Load, VariableReference, variables
from wolverine.core.parts import without_casts
from wolverine.core.patch import Candidate, Edit, NewCall
from wolverine.core.program import Assign, Branch, Call, Function, Gap, Program, is_result
from wolverine.core.trace import Problem
from wolverine.core.types import PointerType
from wolverine.repair.source.flow import behind, forward
from wolverine.repair.source.frees import may_clear, may_free
from wolverine.repair.source.walk import expressions_of
from wolverine.repair.special.leftover import Whole, without_these


def declined(
    problem: Problem, whole: Whole, by: tuple[str, int], nodes: Collection[int]
) -> Sequence[Candidate]:
    """What frees the nodes in the function of `by` (function, instruction) where a call has not kept them.

    Only that under which the program does the same besides.
    """
    program = problem.program
    function = program.functions[by[0]]
    made = (
        [Edit(gap, NewCall(name, (Load(variable),)))]
        for variable, branch in _asked(program, function)
        for gap in _gaps(program, function, branch, variable)
        for name in ("free", *_freeing(program, variable))
    )
    return without_these(problem, whole, made, nodes)


def _asked(program: Program, function: Function) -> Iterator[tuple[VariableReference, int]]:
    """The variables that calls are given, and the conditions that ask whether these have kept them."""
    code = function.code
    for index, step in enumerate(code):
        if not isinstance(step, Call) or step.result is None or step.function not in program.functions:
            continue
        result, called = Load(step.result), program.functions[step.function]
        held = {each.target: each.value for each in code[:index] if isinstance(each, Assign)}
        told = {step.result} | {
            each.target
            for each in code[index + 1 : index + 3]
            if isinstance(each, Assign) and without_casts(each.value) == result
        }
        names = frozenset(each.name for each in told if isinstance(each, VariableReference))
        for parameter, argument in zip(called.parameters, step.arguments, strict=False):
            given = held.get(argument.place, argument) if isinstance(argument, Load) else argument
            match without_casts(given):
                case Load(VariableReference(level="local") as variable) if says_whether_kept(
                    called, parameter
                ):
                    yield from (
                        (variable, at)
                        for at in sorted(behind(code, index))
                        if isinstance(asking := code[at], Branch) and names & variables(asking.condition)
                    )


def says_whether_kept(function: Function, parameter: VariableReference) -> bool:
    """Whether what a function returns tells if it has let anything lead to what the parameter leads to.

    It gives back other numbers on ways on which it may have done so than on the others.
    """
    code = function.code
    if not isinstance(parameter.type, PointerType):
        return False
    keeping = [at for at, step in enumerate(code) if _keeps(step, parameter)]
    kept = frozenset[int]().union(*(behind(code, at) for at in keeping))
    values: dict[bool, set[int]] = {True: set(), False: set()}
    for at, step in enumerate(code):
        if isinstance(step, Assign) and is_result(step.target):
            value = without_casts(step.value)
            if not isinstance(value, Constant):
                return False
            values[at in kept].add(value.value)
    return bool(values[True]) and bool(values[False]) and values[True].isdisjoint(values[False])


def _keeps(step: object, parameter: VariableReference) -> bool:
    """Whether a statement makes anything lead to what the parameter leads to, or hands it on."""
    if not isinstance(step, Assign) or not isinstance(step.value.type, PointerType):
        return False
    held = without_casts(step.value)
    read_of_it = isinstance(held, Load) and held.place != parameter
    return not read_of_it and parameter.name in variables(held)


def _gaps(program: Program, function: Function, branch: int, variable: VariableReference) -> Iterator[int]:
    """The first gap in each arm of a condition behind which the variable is read no more."""
    code = function.code
    step = code[branch]
    assert isinstance(step, Branch)
    arms = [forward(code, at) for at in (step.if_true, step.if_false)]
    uses = {
        at for at, each in enumerate(code) if any(variable.name in variables(e) for e in expressions_of(each))
    }
    for arm, other in (arms, reversed(arms)):
        for at in sorted(arm - other):
            gap = code[at]
            if type(gap) is Gap and gap.location >= 0 and uses.isdisjoint(behind(code, at)):
                yield gap.location
                break


def _freeing(program: Program, variable: VariableReference) -> Iterator[str]:
    """The functions that free one node like that to which the variable leads, and what it owns."""
    for name, function in program.functions.items():
        alike = [each.type for each in function.parameters] == [variable.type]
        if alike and may_free(program, name) and not may_clear(program, name):
            yield name
