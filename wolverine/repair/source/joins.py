"""Where the ways that a branch may go come together."""

from __future__ import annotations

from collections.abc import Collection

from wolverine.core.program import Call, Concrete, Function, Library, Return, successors
from wolverine.semantics.activation import Activation


def quiet(frame: Activation, pc: int, join: int, watched: Collection[int]) -> bool:
    """Whether nothing of the trace can happen between a branch and where its sides meet."""
    seen: set[int] = set()
    work = list(successors(frame.linked.steps[pc], pc))
    while work:
        index = work.pop()
        if index == join or index in seen:
            continue
        seen.add(index)
        step = frame.linked.steps[index]
        if index == pc or index in watched or isinstance(step, (Call, Return, Library, Concrete)):
            return False
        work += successors(step, index)
    return True


def joins(function: Function) -> list[int]:
    """For each instruction the first that every way from it to the function's end comes to, -1 for none."""
    count = len(function.code)
    whole = (1 << count) - 1
    after = [whole] * count
    changed = True
    while changed:
        changed = False
        for index in range(count - 1, -1, -1):
            following = [i for i in successors(function.code[index], index) if i < count]
            meeting = whole if following else 0
            for each in following:
                meeting &= after[each]
            new = meeting | 1 << index
            if new != after[index]:
                after[index], changed = new, True
    found = []
    for index in range(count):
        behind = [i for i in range(count) if i != index and after[index] >> i & 1]
        found.append(max(behind, key=lambda i: after[i].bit_count(), default=-1))
    return found
