"""What the user has seen and left as it is: edits of what was through by then are less likely to be meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from wolverine.core.program import POINTED, Call, Concrete, Program, reachable
from wolverine.session.moments import Moment


def aside(
    program: Program, path: Sequence[Moment], start: int = 0, *, failed: bool = False
) -> frozenset[str]:
    """The functions of which nothing can have run between a corrected stop and the one shown before it.

    Empty where nothing was corrected, and where anything may have run in between.  What was corrected in
    front of `start` does not count: it was repaired before.  Where the execution has `failed` at the end of
    the path, what ran behind the last of these stops may be to blame as well: it is about another fault then.
    """
    involved: set[str] = set()
    corrected = [index for index, moment in enumerate(path) if moment.changes and index >= start]
    if corrected and failed and corrected[-1] != len(path) - 1:
        behind = _involved(program, path[corrected[-1] :])
        if behind is None:
            return frozenset()
        involved |= behind
    for index in corrected:
        before = _shown_before(path, index)
        between = None if before is None else _involved(program, path[before : index + 1])
        if between is None:
            return frozenset()
        involved |= between
    return frozenset(program.functions) - involved if corrected else frozenset()


def _involved(program: Program, path: Sequence[Moment]) -> set[str] | None:
    """The functions of which something can have run on the path; None where it may be any."""
    involved: set[str] = set()
    for one, two in pairwise(path):
        if two.stop.reason not in ("step", "finish") or not one.stack:
            return None
        left = len(one.stack) - len(two.stack)
        if left > 0:
            involved |= _reached(program, [name for name, _ in one.stack[:left]])
        else:
            involved |= {one.stack[0][0], *_reached(program, _called(program, *one.stack[0]))}
        if two.stack and two.stop.reason == "step":
            involved.add(two.stack[0][0])
    return involved


def passed_over(path: Sequence[Moment]) -> tuple[int | None, int]:
    """The last stop that was shown before the first corrected one, None where there is none; and that one."""
    corrected = next((i for i, moment in enumerate(path) if moment.changes), 0)
    return _shown_before(path, corrected), corrected


def _shown_before(path: Sequence[Moment], corrected: int) -> int | None:
    return next((i for i in range(corrected - 1, -1, -1) if not path[i].transit), None)


def _called(program: Program, name: str, instruction: int) -> Iterator[str]:
    """The functions that the statement at an instruction calls."""
    function = program.functions.get(name)
    if function is None or not 0 <= instruction < len(function.code):
        return
    unit = function.unit_of[instruction]
    for index, step in enumerate(function.code):
        if isinstance(step, Call) and (function.unit_of[index] == unit or index == instruction):
            yield step.function


def _reached(program: Program, names: Iterable[str]) -> frozenset[str]:
    """These functions and all that they lead to: all there are, where a call goes through a pointer."""
    found = reachable(program, names)
    steps = (step for name in found for step in program.functions[name].code)
    if any(isinstance(step, Concrete) and step.reason == POINTED for step in steps):
        return frozenset(program.functions)
    return found
