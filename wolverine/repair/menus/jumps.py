"""Jumps that are missing, where one may stand without making what is there idle, and those that may go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import get_args

from wolverine.core.patch import NewJump
from wolverine.core.program import Branch, Call, Concrete, Function, Gap, Instruction, Jump, Keyword, Program
from wolverine.core.types import VoidType
from wolverine.repair.source.flow import behind, forward, loops_around
from wolverine.semantics.replacing import returned
from wolverine.semantics.valueless import runs_out


def jumps(code: Sequence[Instruction], index: int) -> Iterator[NewJump]:
    """The jumps that mean something in the gap at an instruction."""
    gap = code[index]
    if type(gap) is not Gap:
        return
    for keyword in get_args(Keyword):
        onward = gap.onward(keyword)
        if onward >= 0 and _landing(code, onward) != _landing(code, index + 1):
            yield NewJump(keyword)


def idling(code: Sequence[Instruction], index: int, made: NewJump) -> bool:
    """Whether a jump in the gap, under no test, keeps a statement behind it from ever being executed.

    So does one by which a loop is none any more.
    """
    gap = code[index]
    assert isinstance(gap, Gap)
    onward = gap.onward(made.keyword)
    reached = behind(code, 0, barred=(index,)) | {0}
    left = {onward, *behind(code, onward, barred=(index,))} | reached
    if any(step.location >= 0 and at not in left and type(step) is not Gap for at, step in enumerate(code)):
        return True
    loop = next(loops_around(code, index), None)
    if loop is None or made.keyword != "break":
        return False
    outside = [index, *range(loop.start), *range(loop.stop, len(code))]
    return not any(at in behind(code, at, barred=outside) for at in loop)


def offered(program: Program, function: str, index: int) -> list[NewJump]:
    """The jumps that may stand in the gap under no test."""
    code = program.functions[function].code
    return [made for made in jumps(code, index) if not idling(code, index, made)]


def removable(function: Function, index: int) -> bool:
    """Whether the function is one without the jump at an instruction.

    Execution goes on elsewhere then, comes to the function's end, and not to that of a function with a value
    that it does not return.
    """
    code = function.code
    step = code[index]
    if not isinstance(step, Jump) or _landing(code, step.target) == _landing(code, index + 1):
        return False
    left = list(code)
    for at in (index, *returned(code, index)):
        left[at] = Gap(code[at].location)
    if function.end not in forward(left, index + 1):
        return False
    without = replace(function, code=tuple(left))
    return isinstance(function.result, VoidType) or runs_out(function) or not runs_out(without)


def whole_arm(function: Function, index: int) -> bool:
    """Whether the jump at an instruction is all that is done where a condition holds: `if (done) break;`.

    It is not where what it returns is a call, which stays without it.
    """
    first = function.units[function.unit_of[index]].first
    if any(isinstance(step, Call | Concrete) for step in function.code[first:index]):
        return False
    at = first - 1
    while at >= 0 and isinstance(function.code[at], Gap):
        at -= 1
    return at >= 0 and isinstance(function.code[at], Branch)


def _landing(code: Sequence[Instruction], index: int) -> int:
    """The instruction at or behind one that is more than a slot or a jump."""
    seen = set[int]()
    while index < len(code) and isinstance(step := code[index], Gap | Jump) and index not in seen:
        seen.add(index)
        index = step.target if isinstance(step, Jump) else index + 1
    return index
