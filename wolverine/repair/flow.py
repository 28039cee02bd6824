"""Control flow inside one function."""

from __future__ import annotations

from wolverine.core.program import Function, successors


def _following(function: Function, index: int) -> list[int]:
    """Where execution may go from an instruction; nowhere behind the last one."""
    return [i for i in successors(function.code[index], index) if i < len(function.code)]


def forward(function: Function, start: int, stop: int = -1) -> set[int]:
    """The instructions that can be executed from `start` on, up to an arrival at `stop` (not included).

    When execution starts at `stop` it is executed once.
    """
    return {start} | behind(function, start, stop)


def behind(function: Function, start: int, stop: int = -1) -> set[int]:
    """As `forward`, but `start` counts only when execution comes back to it."""
    seen: set[int] = set()
    work = _following(function, start)
    while work:
        index = work.pop()
        if index not in seen and index != stop:
            seen.add(index)
            work += _following(function, index)
    return seen


def cyclic(function: Function, region: set[int]) -> bool:
    """Whether execution can go round within these instructions."""
    entering = dict.fromkeys(region, 0)
    for index in region:
        for following in _following(function, index):
            if following in region:
                entering[following] += 1
    work = [index for index, count in entering.items() if not count]
    left = len(region)
    while work:
        left -= 1
        for following in _following(function, work.pop()):
            if following in region:
                entering[following] -= 1
                if not entering[following]:
                    work.append(following)
    return left > 0
