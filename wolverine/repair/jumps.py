"""`break` and `continue` that are missing: where one may stand without making what is there idle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import get_args

from wolverine.core.patch import NewJump
from wolverine.core.program import Gap, Instruction, Jump, Keyword, Program
from wolverine.repair.flow import behind, loops_around


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
    if loop is None or made.keyword == "continue":
        return False
    outside = [index, *range(loop.start), *range(loop.stop, len(code))]
    return not any(at in behind(code, at, barred=outside) for at in loop)


def offered(program: Program, function: str, index: int) -> list[NewJump]:
    """The jumps that may stand in the gap under no test."""
    code = program.functions[function].code
    return [made for made in jumps(code, index) if not idling(code, index, made)]


def _landing(code: Sequence[Instruction], index: int) -> int:
    """The instruction at or behind one that is more than a slot or a jump."""
    seen = set[int]()
    while index < len(code) and isinstance(step := code[index], Gap | Jump) and index not in seen:
        seen.add(index)
        index = step.target if isinstance(step, Jump) else index + 1
    return index
