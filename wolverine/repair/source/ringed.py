"""Walks round a ring: their loops end where they have come round, `while (p->next != first)`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wolverine.core.expressions import (
    Binary,
    Dereference,
    Expression,
    Load,
    Logical,
    LValue,
    Member,
    VariableReference,
    lvalue_text,
    text,
)
from wolverine.core.parts import parts
from wolverine.core.program import Assign, Branch, Declare, Function, Gap, Instruction
from wolverine.core.types import INT
from wolverine.repair.source.flow import loops_around

_STARTS = 4


def come_round(function: Function, branch: int, scope: Sequence[VariableReference]) -> Iterator[Expression]:
    """What ends the loop of that branch in front of where its walk began, alone or besides its condition.

    A walk is a variable that a round sets to a link of its own node.
    """
    code, step = function.code, function.code[branch]
    if not isinstance(step, Branch):
        return
    for walk, link in _walks(code, branch):
        if walk not in scope:
            continue
        for start in _starts(code, branch, walk, scope):
            test = Binary("!=", Load(link), Load(start), INT)
            if text(test) != text(step.condition):
                yield Logical("&&", step.condition, test)
                yield test


def comes_round(function: Function, branch: int, endless: int, new: Expression) -> bool:
    """Whether the new condition only asks besides whether a walk has come round to where it began.

    The location `endless` is one in the loop.
    """
    code, step = function.code, function.code[branch]
    match step, new:
        case Branch(condition=same), Logical("&&", left, Binary("!=", Load(Member() as link), Load(start))):
            around = next(loops_around(code, branch), range(0))
            if left == same and any(code[at].location == endless for at in around):
                walks = _walks(code, branch)
                return any(link == way and start == _beginning(code, branch, walk) for walk, way in walks)
    return False


def comes_back(code: Sequence[Instruction], branch: int, condition: Expression) -> bool:
    """Whether a `do` loop is over where a variable is again what it was in front of it.

    So a walk round a ring is: `p = first; do p = p->next; while (p != first);`.
    """
    step = code[branch]
    if not isinstance(step, Branch) or step.if_true > branch:
        return False
    before = step.if_true - 1
    while before >= 0 and isinstance(code[before], Gap | Declare):
        before -= 1
    match code[before], condition:
        case Assign(_, VariableReference() as walking, begun), Binary("!=", left, right):
            inside = [each.target for each in code[step.if_true : branch] if isinstance(each, Assign)]
            kept = not any(Load(target) in parts(begun) for target in inside)
            others = {text(left): right, text(right): left}
            other = others.get(text(Load(walking)))
            return kept and walking in inside and other is not None and text(other) == text(begun)
    return False


def alters_sought(function: Function, index: int, target: LValue) -> bool:
    """Whether a loop compares what it comes to with `target`, and no round sets that.

    What is looked for stays the same while a loop looks for it.
    """
    code = function.code
    for loop in loops_around(code, index):
        steps = [code[at] for at in loop]
        if any(isinstance(step, Assign) and step.target == target for step in steps):
            continue
        for step in steps:
            match step:
                case Branch(condition=Binary(_, Load(one), Load(two))) if target in (one, two):
                    return True
    return False


def _walks(code: Sequence[Instruction], branch: int) -> Iterator[tuple[VariableReference, Member]]:
    """The variables that the loop of a branch moves on over a link, with the link."""
    around = next(loops_around(code, branch), range(0))
    for step in (code[at] for at in around):
        match step:
            case Assign(_, VariableReference() as walk, Load(Member(Dereference(Load(same))) as link)):
                if walk == same:
                    yield walk, link


def _starts(
    code: Sequence[Instruction], branch: int, walk: VariableReference, scope: Sequence[VariableReference]
) -> list[LValue]:
    """Where a walk may have begun: what it was set to in front of the loop, then variables of its type."""
    first = _beginning(code, branch, walk)
    others = [each for each in scope if each.type == walk.type and each != walk]
    found = {lvalue_text(each): each for each in (*([first] if first is not None else []), *others)}
    return list(found.values())[:_STARTS]


def _beginning(code: Sequence[Instruction], branch: int, walk: VariableReference) -> LValue | None:
    """The place to whose value the walk was set last in front of the loop."""
    around = next(loops_around(code, branch), range(0))
    for step in reversed(code[: around.start]):
        match step:
            case Assign(_, target, value) if target == walk:
                return value.place if isinstance(value, Load) else None
    return None
