"""`if`s that are encoded as guarded statements (Wolverine2 section 3.1): the code up to where both arms meet.

In the paper's intermediate representation every statement has a guard, so that both arms of an `if` are
part of the execution.  What prints may stand in them too.  Other code goes one way (`straight`): a trace
numbers activations, occurrences and nodes as they come and names its events by them, so that with a call
or a new node in one arm every later event would be another one in the other; and a loop that was not
executed has no decisions.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from wolverine.core.program import (
    Assign,
    Branch,
    Call,
    Concrete,
    Declare,
    Gap,
    Guard,
    Instruction,
    Jump,
    Library,
    Return,
    successors,
)
from wolverine.repair.source.flow import forward
from wolverine.semantics.printing import PRINTING

LONGEST = 120  # instructions in one region


@dataclass(frozen=True)
class Region:
    """Instructions `order` lie on some way from a branch to `join` (the code's length: outside)."""

    order: tuple[int, ...]
    join: int


def region(
    code: tuple[Instruction, ...], branch: int, loops: Collection[int], leaving: bool
) -> Region | None:
    """The region of the `if` at `branch`; None where it holds what cannot be guarded.

    With `leaving` the ways that return are followed out of the function; without, they end nowhere.
    """
    pending = set(successors(code[branch], branch))
    order: list[int] = []
    returned = False
    while pending:
        index = min(pending)
        pending.discard(index)
        if not pending and not returned:
            return Region(tuple(order), index)
        step = code[index]
        if not _guardable(step) or index in loops or len(order) >= LONGEST:
            return None
        order.append(index)
        if isinstance(step, Return):
            returned = returned or leaving
            continue
        following = successors(step, index)
        if any(target <= index for target in following):
            return None
        pending.update(following)
    return Region(tuple(order), len(code)) if returned else None


def arm_to(code: tuple[Instruction, ...], branch: int, wanted: int) -> bool | None:
    """How the condition at `branch` decides where only one of its arms leads to `wanted`; else None.

    Only what can be executed before the condition is evaluated again counts.
    """
    arms = successors(code[branch], branch)
    leading = [wanted in forward(code, arm, branch) for arm in arms]
    return leading[0] if len(arms) == 2 and leading[0] != leading[1] else None


def _guardable(step: Instruction) -> bool:
    match step:
        case Gap() | Guard() | Assign() | Declare() | Jump() | Branch() | Return():
            return True
        case Call(_, called):
            return called == "free"
        case Library(_, called, _, None):
            return called in PRINTING
        case Concrete(_, reason, ()):
            return reason.removeprefix("call of ") in PRINTING
    return False
