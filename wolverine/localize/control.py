"""Static control dependence of lowered functions, from postdominators."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from wolverine.core.program import Branch, Function, Instruction, Return, successors


@dataclass(frozen=True)
class Control:
    """`parents[i]` are the branches on which instruction `i` depends.

    `arms[b]` are the instructions that only run, or run again, when branch `b` goes (false, true).
    """

    parents: tuple[frozenset[int], ...]
    arms: dict[int, tuple[frozenset[int], frozenset[int]]]


def control_of(function: Function) -> Control:
    """The control dependences of a function."""
    code = function.code
    end = len(code)
    following = [_following(code, index) for index in range(end)]
    immediate = _postdominators(following, end)
    parents: list[set[int]] = [set() for _ in code]
    arms: dict[int, tuple[frozenset[int], frozenset[int]]] = {}
    for index, step in enumerate(code):
        if not isinstance(step, Branch):
            continue
        join = immediate[index]
        both = []
        for target in (step.if_false, step.if_true):
            depending: set[int] = set()
            at = target
            while at not in (join, end) and at not in depending:
                depending.add(at)
                at = immediate[at]
            for each in depending:
                parents[each].add(index)
            both.append(_region(following, target, join, index))
        arms[index] = (both[0], both[1])
    return Control(tuple(frozenset(each) for each in parents), arms)


def _following(code: tuple[Instruction, ...], index: int) -> tuple[int, ...]:
    """The instructions that may come next; `len(code)` is the function's end."""
    step = code[index]
    return (len(code),) if isinstance(step, Return) else successors(step, index)


def _region(following: list[tuple[int, ...]], start: int, join: int, branch: int) -> frozenset[int]:
    found: set[int] = set()
    work = [start]
    while work:
        at = work.pop()
        if at in found or at in (join, branch) or at >= len(following):
            continue
        found.add(at)
        work.extend(following[at])
    return frozenset(found)


def _postdominators(following: list[tuple[int, ...]], end: int) -> list[int]:
    """The immediate postdominator of each instruction (`end` for what never ends), as of Cooper et al."""
    before: list[list[int]] = [[] for _ in range(end + 1)]
    for index, targets in enumerate(following):
        for target in targets:
            before[min(target, end)].append(index)
    order: dict[int, None] = {end: None}  # everything from which the end is reached, nearest first
    work = deque([end])
    while work:
        for index in before[work.popleft()]:
            if index not in order:
                order[index] = None
                work.append(index)
    immediate = [end] * (end + 1)
    known = {end}
    changed = True
    while changed:
        changed = False
        for index in order:
            if index == end:
                continue
            join = -1
            for target in following[index]:
                target = min(target, end)
                if target in known:
                    join = target if join < 0 else _meet(immediate, join, target)
            if join >= 0 and (index not in known or immediate[index] != join):
                immediate[index] = join
                known.add(index)
                changed = True
    return immediate


def _meet(immediate: list[int], one: int, two: int) -> int:
    seen = {one}
    while one != immediate[one]:
        one = immediate[one]
        seen.add(one)
    while two not in seen:
        two = immediate[two]
    return two
