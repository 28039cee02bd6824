"""What is freed only where something else is there: behind the `if` it is freed in any case.

`if (next) { next->prev = NULL; free(first); }` leaves the last node, which has none behind it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from wolverine.core.expressions import Load, text
from wolverine.core.parts import null_test, parts
from wolverine.core.patch import Candidate, Deletion, Edit, NewCall
from wolverine.core.program import Branch, Call, Function, Gap, Program
from wolverine.core.trace import Problem
from wolverine.repair.source.blocks import arms_around, plain_call
from wolverine.repair.source.frees import may_free
from wolverine.repair.special.leftover import Whole, together

_Move = tuple[Edit, Edit]  # what goes, and what is put behind


def uncovered(problem: Problem, whole: Whole) -> Sequence[Candidate]:
    """What moves such calls out, under which less is left and the program does the same besides.

    Where several help, all of them come first: it is one slip.
    """
    program, before = problem.program, whole.before
    if before is None:
        return ()
    moves = [move for function in program.functions.values() for move in _moves(program, function)]
    found: list[tuple[int, Candidate]] = []
    helpful: list[_Move] = []

    def tried(edits: Sequence[Edit]) -> bool:
        made = together(problem, whole, edits)
        if made is None or not made[1].same(before):
            return False
        patch, left = made
        if left.live >= before.live or left.lost > before.lost:
            return False
        found.append((left.live, Candidate(patch, patch.size, float(patch.size))))
        return True

    for move in moves:
        if tried(move):
            helpful.append(move)
    if len(helpful) > 1:
        tried([*chain.from_iterable(helpful)])
    found.sort(key=lambda entry: entry[0])
    return [candidate for _, candidate in found]


def _moves(program: Program, function: Function) -> Iterator[_Move]:
    """The calls under a test for null of what they do not ask for, each with the gap behind the `if`."""
    code = function.code
    for index, step in enumerate(code):
        if not isinstance(step, Call) or step.location < 0 or not may_free(program, step.function):
            continue
        made = plain_call(function, index) if program.location(step.location).kind == "call" else None
        behind = _behind_the_test(function, index, made) if made is not None else None
        if made is not None and behind is not None:
            yield Edit(step.location, Deletion()), Edit(behind, made)


def _behind_the_test(function: Function, index: int, made: NewCall) -> int | None:
    """The gap behind the innermost `if` around a call, where that asks whether another pointer leads on."""
    code = function.code
    around = [*arms_around(code, index)]
    if not around:
        return None
    at, behind = max(around)
    step, gap = code[at], code[behind]
    if not isinstance(step, Branch) or not step.if_true <= index < step.if_false or not isinstance(gap, Gap):
        return None
    asked = null_test(step.condition)
    if asked is None or asked[1] != "!=":
        return None
    named = {text(part) for value in made.arguments for part in parts(value)}
    return None if text(Load(asked[0])) in named else gap.location
