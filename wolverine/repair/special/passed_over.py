"""Nodes that a loop goes past in one case without linking them anywhere: they are freed there.

Who takes nodes from two lists into one links each node, and goes on; where both have the same, one is passed
over: `b = b->next;` alone.  Until a link is set anew in a later round nothing shows that it is lost.  Where
it is passed over it was to be dropped: the other cases say what is to be kept.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from wolverine.core.expressions import Dereference, Load, Member, VariableReference, variables
from wolverine.core.parts import without_casts
from wolverine.core.patch import Candidate, Edit, NewAssignment, NewCall
from wolverine.core.program import Assign, Before, Branch, Function, Gap, Jump
from wolverine.core.trace import Problem
from wolverine.core.types import PointerType, StructReference
from wolverine.repair.source.blocks import arms_around, led_to
from wolverine.repair.source.flow import loops_around
from wolverine.repair.special.leftover import Whole, without_these


def passed_over(
    problem: Problem, whole: Whole, by: tuple[str, int], nodes: Collection[int]
) -> Sequence[Candidate]:
    """What frees nodes where the function of `by` (function, instruction) goes past them, these among them.

    Only that under which the program does the same besides.
    """
    function = problem.program.functions[by[0]]
    made = (_freed_behind(function, index) for index in _passing(function))
    return without_these(problem, whole, (each for each in made if each), nodes)


def _passing(function: Function) -> Iterator[int]:
    """The steps `b = b->next;` that a loop makes in one case alone, where in another it links `b` first."""
    code = function.code
    steps = {index: variable for index, step in enumerate(code) if (variable := _stepping(step)) is not None}
    linked = {index for index, variable in steps.items() if _links(function, index, variable)}
    for index, variable in steps.items():
        loop = next(loops_around(code, index), None)
        if index in linked or loop is None:
            continue
        in_one_case = any(at in loop for at, _ in arms_around(code, index))
        if in_one_case and any(at in loop and steps[at] == variable for at in linked):
            yield index


def _stepping(step: object) -> VariableReference | None:
    """The local variable that the assignment leads to the next node."""
    match step:
        case Assign(location, VariableReference(level="local") as target, value) if location >= 0:
            match without_casts(value):
                case Load(Member(Dereference(Load(node)))) if node == target and _of_struct(target):
                    return target
    return None


def _of_struct(variable: VariableReference) -> bool:
    return isinstance(variable.type, PointerType) and isinstance(variable.type.target, StructReference)


def _links(function: Function, index: int, variable: VariableReference) -> bool:
    """Whether what is executed in one go before the step makes something else lead to the node, or from it.

    To free it counts as well, and whatever is called with it.
    """
    code, labels = function.code, led_to(function.code)
    at = index
    while at not in labels and at:
        at -= 1
        step = code[at]
        if isinstance(step, Branch | Jump | Before):
            break
        match step:
            case Assign(_, target, value) if variable.name in variables(value) | variables(target):
                if isinstance(target.type, PointerType):
                    return True
    return False


def _freed_behind(function: Function, index: int) -> list[Edit]:
    """The node is kept in a variable more before the step, and freed behind it; nothing without gaps."""
    code = function.code
    step = code[index]
    assert isinstance(step, Assign) and isinstance(step.target, VariableReference)
    spare = next((each for each in function.spares if each.type == step.target.type), None)
    before, after = code[index - 1] if index else None, code[index + 1]
    gaps = [each.location for each in (before, after) if type(each) is Gap and each.location >= 0]
    if spare is None or len(gaps) < 2:
        return []
    return [
        Edit(gaps[0], NewAssignment(spare, Load(step.target))),
        Edit(gaps[1], NewCall("free", (Load(spare),))),
    ]
