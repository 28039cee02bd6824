"""An `if` that frees a node and then goes on to the next one: as a `while` it frees them all.

`if (p) { next = p->next; free(p); p = next; }` sets for nothing what it tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wolverine.core.expressions import variables
from wolverine.core.patch import Candidate, Edit, NewJump
from wolverine.core.program import Assign, Branch, Call, Function, Gap, Program
from wolverine.core.trace import Problem
from wolverine.repair.source.frees import may_free
from wolverine.repair.special.leftover import Whole, together


def unrolled(problem: Problem, whole: Whole) -> Sequence[Candidate]:
    """What makes such an `if` a `while`, under which less is lost and the program does the same besides."""
    before, program = whole.before, problem.program
    found: list[Candidate] = []
    for function in program.functions.values() if before is not None else ():
        for gap in _ends(program, function):
            if (tried := together(problem, whole, (Edit(gap, NewJump("while")),))) is None or before is None:
                continue
            patch, left = tried
            if left.lost < before.lost and left.same(before):
                found.append(Candidate(patch, patch.size, float(patch.size)))
    return found


def _ends(program: Program, function: Function) -> Iterator[int]:
    """The gaps at the ends of what such tests lead to, by their locations."""
    for index, step in enumerate(function.code):
        if not isinstance(step, Gap) or step.repeats < 0:
            continue
        arm = function.code[step.repeats : index]
        tested = {name for each in arm if isinstance(each, Branch) for name in variables(each.condition)}
        goes_on = any(isinstance(each, Assign) and variables(each.target) & tested for each in arm)
        if goes_on and any(isinstance(each, Call) and may_free(program, each.function) for each in arm):
            yield step.location
