"""`if`s that are encoded as guarded statements (Wolverine2 section 3.1): the code up to where both arms meet.

In the paper's intermediate representation every statement has a guard, so that both arms of an `if` are
part of the execution.  That takes code without loops and without calls of the program's functions.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from wolverine.core.program import Assign, Branch, Call, Declare, Gap, Instruction, Jump, Return, successors

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
        allowed = isinstance(step, (Gap, Assign, Declare, Jump, Branch, Return)) or (
            isinstance(step, Call) and step.function == "free"
        )
        if not allowed or index in loops or len(order) >= LONGEST:
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
