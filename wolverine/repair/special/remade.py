"""Nodes that are made for a place that holds one: `t->child[i] = node();` loses what hangs there.

It is made where the place holds none: `if (t->child[i] == NULL)`.
"""

from __future__ import annotations

from collections.abc import Sequence

from wolverine.core.expressions import Load, VariableReference
from wolverine.core.parts import against_zero, without_casts
from wolverine.core.patch import Candidate, Edit, Guarded, NewSkip
from wolverine.core.program import Assign, Call, Function, Gap
from wolverine.core.trace import Problem
from wolverine.core.types import CType, PointerType, StructReference, Types
from wolverine.repair.menus.skips import passed_over
from wolverine.repair.special.leftover import Whole, together

TESTED = 1.5  # what the test costs: as much as one that is inserted


def remade(problem: Problem, whole: Whole, by: tuple[str, int]) -> Sequence[Candidate]:
    """The test of the place that the statement at `by` (function, instruction) sets to what it has made.

    None where that is a variable, or leads to nodes by themselves, or as many nodes are lost in the end.
    """
    program, before = problem.program, whole.before
    function = program.functions[by[0]]
    step, gap = function.code[by[1]], _gap(function, by[1])
    if before is None or gap is None or not isinstance(step, Assign) or not _made(function, by[1]):
        return ()
    place, where = step.target, program.location(function.code[gap].location)
    passed = next(iter(passed_over(program, function, gap)), None)
    if isinstance(place, VariableReference) or passed is None or where.gap != "before":
        return ()
    if not _hangs_together(place.type, program.types):
        return ()
    held = against_zero("!=", place)
    tried = together(problem, whole, (Edit(where.id, Guarded(held, NewSkip(passed.until, passed.last))),))
    if tried is None or tried[1].fails or tried[1].lost >= before.lost:
        return ()
    patch, _ = tried
    return (Candidate(patch, patch.size, TESTED, against=TESTED),)


def _made(function: Function, index: int) -> bool:
    """Whether the assignment at an instruction stores the pointer that a call in its statement gives."""
    step, unit = function.code[index], function.unit_of[index]
    if not isinstance(step, Assign) or not isinstance(step.target.type, PointerType):
        return False
    value = without_casts(step.value)
    return any(
        isinstance(call, Call) and call.result is not None and value == Load(call.result)
        for call, of in zip(function.code, function.unit_of, strict=True)
        if of == unit
    )


def _hangs_together(ctype: CType, types: Types) -> bool:
    """Whether a pointer leads to nodes that lead to their like; what stands by itself is rather replaced."""
    match ctype:
        case PointerType(StructReference() as struct):
            return any(scalar == ctype for _, scalar in types.scalars(struct))
    return False


def _gap(function: Function, index: int) -> int | None:
    """The gap in front of the statement of an instruction."""
    unit = function.unit_of[index]
    before = range(function.unit_of.index(unit) - 1, -1, -1) if unit >= 0 else ()
    gap = next((at for at in before if type(function.code[at]) is Gap), None)
    return gap if gap is not None and function.code[gap].location >= 0 else None
