"""Nodes that are freed by themselves, with more hanging on them: a function of the program frees that first.

`free(t->child[i])` loses what the child holds, `destroy(t->child[i])` does not.
"""

from __future__ import annotations

from collections.abc import Sequence

from wolverine.core.patch import Candidate, Edit, OtherFunction
from wolverine.core.program import Call
from wolverine.core.trace import Problem
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.wording import describe
from wolverine.repair.special.leftover import Whole, together
from wolverine.semantics.allocation import FREEING


def freed_deeper(problem: Problem, whole: Whole, by: tuple[str, int]) -> Sequence[Candidate]:
    """What calls such a function where the statement at `by` (function, instruction) frees a node.

    Under it fewer nodes are lost in the end, and the program does the same besides.
    """
    function, before = problem.program.functions[by[0]], whole.before
    unit = function.unit_of[by[1]]
    found: list[tuple[int, Candidate]] = []
    menus = Menus(problem.program, calls=True)
    for index, step in enumerate(function.code) if before is not None else ():
        if not isinstance(step, Call) or step.function not in FREEING or function.unit_of[index] != unit:
            continue
        menu = menus.menu(step.location)
        for each in menu.choices if menu is not None else ():
            if not isinstance(each.replacement, OtherFunction):
                continue
            if (
                tried := together(problem, whole, (Edit(step.location, each.replacement),))
            ) is None or before is None:
                continue
            patch, left = tried
            if left.lost < before.lost and left.same(before):
                found.append((left.lost, Candidate(patch, patch.size, float(patch.size))))
    found.sort(key=lambda entry: (entry[0], describe(problem.program, entry[1].patch)))
    return [each for _, each in found]
