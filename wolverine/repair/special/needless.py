"""Nodes that are made for nothing: `struct node *p = malloc(sizeof *p); p = head;` loses one nobody used.

A beginner's variable gets room of its own before it is led to what is there.  Not to make the node is the
repair then, rather than to free it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wolverine.core.expressions import Cast, Load, VariableReference, variables
from wolverine.core.patch import Candidate, Deletion, Edit
from wolverine.core.program import Assign, Call, Concrete, Function, Instruction, Program
from wolverine.core.trace import Problem
from wolverine.repair.source.flow import behind
from wolverine.repair.source.walk import expressions_of
from wolverine.repair.special.leftover import Whole, together
from wolverine.semantics.allocation import MAKING


def needless(problem: Problem, whole: Whole, by: tuple[str, int]) -> Sequence[Candidate]:
    """What does not make the node that the assignment at `by` (function, instruction) loses, if it is unused.

    Only that under which the program does the same besides, and loses less.
    """
    before, program = whole.before, problem.program
    found: list[Candidate] = []
    for made in _unused(program, program.functions[by[0]], by[1]) if before is not None else ():
        if (tried := together(problem, whole, made)) is None or before is None:
            continue
        patch, left = tried
        if left.fails or left.silent or left.printed != before.printed:
            continue
        if left.lost < before.lost and left.made < before.made:
            one = problem.accepted.size + 1  # one statement goes
            found.append(Candidate(patch, one, float(one)))
    return found


def _unused(program: Program, function: Function, index: int) -> Iterator[tuple[Edit, Edit]]:
    """The deletions of what made a node for the variable that is assigned anew at an instruction."""
    code = function.code
    step = code[index]
    if not isinstance(step, Assign) or not isinstance(step.target, VariableReference):
        return
    variable = step.target
    for at in range(1, len(code)):
        assigned, call = code[at], code[at - 1]
        if not (isinstance(assigned, Assign) and isinstance(call, Call) and assigned.target == variable):
            continue
        value = assigned.value.operand if isinstance(assigned.value, Cast) else assigned.value
        if call.function not in MAKING or call.result is None or value != Load(call.result):
            continue
        if min(assigned.location, call.location) < 0 or index not in behind(code, at):
            continue
        between = (*(behind(code, at, index) - {index, at}), index)
        if not any(_uses(program, code[each], variable) for each in between):
            yield Edit(assigned.location, Deletion()), Edit(call.location, Deletion())


def _uses(program: Program, step: Instruction, variable: VariableReference) -> bool:
    """Whether an instruction reads the variable, or what it leads to."""
    if isinstance(step, Concrete):
        return step.location < 0 or variable.name in program.location(step.location).text
    named = [*expressions_of(step)]
    if isinstance(step, Assign) and step.target != variable:
        named.append(Load(step.target))
    return any(variable.name in variables(each) for each in named)
