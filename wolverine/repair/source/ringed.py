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
from wolverine.core.parts import null_test, parts
from wolverine.core.program import Assign, Branch, Function, Instruction
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
    match condition:
        case Binary("!=", left, right):
            compared = {text(left), text(right)}
            walks = {walk: None for walk, _ in _walks(code, branch)}
            starts = ((walk, _begun(code, branch, walk)) for walk in walks if _is_do(code, branch))
            return any(
                start is not None and {text(Load(walk)), text(start)} == compared for walk, start in starts
            )
    return False


def back_at_start(code: Sequence[Instruction], branch: int) -> Binary | None:
    """What a loop asks for that ends at null: whether its walk is back where it began.

    A `do` loop asks for the walk itself, others for the next node.
    """
    step = code[branch]
    found = null_test(step.condition) if isinstance(step, Branch) else None
    if found is None or found[1] != "!=":
        return None
    for walk, link in _walks(code, branch):
        start = _begun(code, branch, walk)
        if start is not None and found[0] == (walk if _is_do(code, branch) else link):
            return Binary("!=", Load(found[0]), start, INT)
    return None


def _is_do(code: Sequence[Instruction], branch: int) -> bool:
    """Whether the condition stands at the end of its loop."""
    step = code[branch]
    return isinstance(step, Branch) and step.if_true <= branch


def _begun(code: Sequence[Instruction], branch: int, walk: VariableReference) -> Load | None:
    """The variable or place whose value the walk was set to in front of the loop, which still holds that."""
    start = _beginning(code, branch, walk)
    around = next(loops_around(code, branch), range(0))
    set_at = max(
        (at for at, s in enumerate(code[: around.start]) if isinstance(s, Assign) and s.target == walk),
        default=-1,
    )
    if start is None or set_at < 0:
        return None
    since = [each.target for each in code[set_at + 1 : around.stop] if isinstance(each, Assign)]
    read = {start, *(part.place for part in parts(Load(start)) if isinstance(part, Load))}
    return None if any(target in read for target in since) else Load(start)


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
