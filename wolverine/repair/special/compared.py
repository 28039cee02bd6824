"""`=` for `==` in a condition, where nodes are lost: `if (a->kind = TEXT) free(a->text);`.

A condition that stores a constant always goes the same way, which nobody means: what it should have
decided to free, or to keep, is lost then.  That is likelier than that a statement is missing, and it is
tried by itself.  Where something else is stored, `while (p = next(p))` may well be meant: the program has
to do the same besides, and free more: what it no longer walks along is not lost, but not used either.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wolverine.core.expressions import Constant
from wolverine.core.parts import without_casts
from wolverine.core.patch import Candidate, Deletion, Edit, NewValue
from wolverine.core.program import Assign, Function
from wolverine.core.trace import Problem
from wolverine.repair.source.equality import meant
from wolverine.repair.special.leftover import Whole, together

_Comparison = tuple[Edit, Edit]  # the assignment goes, and the condition compares


def compared(problem: Problem, whole: Whole) -> Sequence[Candidate]:
    """What compares where the program assigns, under which less is left and the program does not fail.

    What leaves least comes first.
    """
    program, before = problem.program, whole.before
    found: list[tuple[tuple[int, int], Candidate]] = []
    for function in program.functions.values() if before is not None else ():
        for constant, edits in _comparisons(function):
            if (made := together(problem, whole, edits)) is None or before is None:
                continue
            patch, left = made
            less, fewer = left.lost < before.lost, left.live < before.live
            sound = not left.ruins(before) if constant else left.same(before) and fewer
            if sound and (less or fewer) and left.lost <= before.lost and left.live <= before.live:
                one = problem.accepted.size + 1  # one character is missing
                found.append(((left.lost, left.live), Candidate(patch, one, float(one))))
    found.sort(key=lambda entry: entry[0])
    return [candidate for _, candidate in found]


def _comparisons(function: Function) -> Iterator[tuple[bool, _Comparison]]:
    """The two edits for each assignment that a condition asks for, and whether it stores a constant."""
    for index, step in enumerate(function.code):
        if not isinstance(step, Assign) or step.location < 0 or (found := meant(function, index)) is None:
            continue
        branch, comparison = found
        asked = function.code[branch].location
        if asked >= 0:
            edits = Edit(step.location, Deletion()), Edit(asked, NewValue(comparison))
            yield isinstance(without_casts(step.value), Constant), edits
