"""Jumps that are made in every case, in front of statements that are never executed: `return; p->n = 0;`.

Nobody writes what is never executed: the jump was to stand under a test that is missing, or is cut off from
it (`if (p == NULL); return;`, or an `if` without braces around two statements).  So the gaps beside it take
it under any test.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from wolverine.core.patch import Deletion, Edit, Guarded, NewJump, NewReturn, Patch
from wolverine.core.program import Assign, Function, Gap, Jump, Program
from wolverine.core.types import VoidType
from wolverine.repair.menus.guards import Product
from wolverine.repair.menus.jumps import removable
from wolverine.repair.menus.menu import Menu
from wolverine.repair.source.flow import behind
from wolverine.repair.source.walk import located
from wolverine.semantics.replacing import returned


def unasked(function: Function, index: int) -> NewReturn | NewJump | None:
    """What an instruction is as a new statement, if it is such a jump, and may stand under a test."""
    code = function.code
    step = code[index]
    if not isinstance(step, Jump) or step.location < 0 or not removable(function, index):
        return None
    stored = [*returned(code, index)]
    if index - _first(function, index) != len(stored):
        return None  # what it returns is reckoned by more than one instruction
    without = list(code)
    without[index] = Gap(step.location)
    dead = {0, *behind(without, 0)} - {0, *behind(code, 0)}
    if not any(code[at].location >= 0 and type(code[at]) is not Gap for at in dead):
        return None
    for at in stored:
        value = code[at]
        assert isinstance(value, Assign)
        return NewReturn(value.value)
    if step.target == function.end:
        return NewReturn() if isinstance(function.result, VoidType) else None
    around = next((each for each in code[index:] if type(each) is Gap), None)
    if around is None or step.target not in (around.leaves, around.again):
        return None
    return NewJump("break" if step.target == around.leaves else "continue")


def gaps_beside(function: Function, index: int) -> Iterator[int]:
    """The locations of the gaps in front of a jump and behind it.

    A `break` in front of one is none that means anything.
    """
    for at in (_first(function, index) - 1, index + 1):
        if 0 <= at < len(function.code) and type(step := function.code[at]) is Gap:
            yield step.location


def _first(function: Function, index: int) -> int:
    """The first instruction of its statement; itself in functions that are not told by statements."""
    return function.units[function.unit_of[index]].first if function.units else index


def under_tests(function: Function, index: int, menu: Menu) -> int:
    """The choices of a gap's menu that are such a jump beside it, under one of its tests."""
    choices = menu.choices
    assert isinstance(choices, Product)
    statements, found = choices.statements, 0
    for at in (index - 1, index + 1, index + 2):  # with what is returned in front
        if not 0 <= at < len(function.code) or not isinstance(function.code[at], Jump):
            continue
        made = unasked(function, at) if menu.location in gaps_beside(function, at) else None
        returning = enumerate(statements.returns, len(statements.menu.choices))
        jumping = ((number, each.replacement) for number, each in statements.menu.others)
        number = next((number for number, each in chain(returning, jumping) if each == made), None)
        if made is not None and number is not None:
            blocks = range(1, len(choices.tests) + 1)
            found |= sum(1 << block * choices.width + number for block in blocks)
    return found


def puts_under_a_test(program: Program, patch: Patch) -> Edit | None:
    """The edit by which a jump goes that a patch puts under a test; None where it puts none."""
    for edit in patch.edits:
        if isinstance(edit.replacement, Deletion) and program.location(edit.location).kind == "jump":
            function = program.functions[program.location(edit.location).function]
            index = located(function, edit.location)
            jump, gaps = unasked(function, index), [*gaps_beside(function, index)]
            for other in patch.edits:
                match other.replacement:
                    case Guarded(_, statement) if other.location in gaps and statement == jump:
                        return edit
    return None
