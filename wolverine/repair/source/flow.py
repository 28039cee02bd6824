"""Control flow inside one function."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import get_args

from wolverine.core.expressions import Constant, lvalue_text
from wolverine.core.program import (
    Assign,
    Branch,
    Call,
    Declare,
    Gap,
    Instruction,
    Jump,
    Keyword,
    Program,
    successors,
)
from wolverine.core.trace import Trace


def _following(code: Sequence[Instruction], index: int, *, leaping: bool = False) -> list[int]:
    """Where execution may go from an instruction; nowhere behind the last one.

    With `leaping`, any jump may have been put into any gap that takes one, and any jump may be gone.
    """
    step = code[index]
    found = [i for i in successors(step, index) if i < len(code)]
    if leaping and isinstance(step, Gap):
        found += [at for keyword in get_args(Keyword) if (at := step.onward(keyword)) >= 0]
    if leaping and isinstance(step, Jump) and step.location >= 0:
        found.append(index + 1)
    return found


def forward(code: Sequence[Instruction], start: int, stop: int = -1, *, leaping: bool = False) -> set[int]:
    """The instructions that can be executed from `start` on, up to an arrival at `stop` (not included).

    When execution starts at `stop` it is executed once.
    """
    return {start} | behind(code, start, stop, leaping=leaping)


def behind(
    code: Sequence[Instruction],
    start: int,
    stop: int = -1,
    *,
    barred: Collection[int] = (),
    leaping: bool = False,
) -> set[int]:
    """As `forward`, but `start` counts only when execution comes back to it.

    The `barred` instructions are not executed either.  With `leaping`, any jump may have been put into
    any gap that takes one, and any jump may be gone.
    """
    seen: set[int] = set()
    work = _following(code, start, leaping=leaping)
    while work:
        index = work.pop()
        if index not in seen and index != stop and index not in barred:
            seen.add(index)
            work += _following(code, index, leaping=leaping)
    return seen


def one_way(code: Sequence[Instruction], one: int, other: int) -> bool:
    """Whether both instructions may be executed in one go: not where they are arms of one `if`.

    Another round of a loop is another go.
    """
    first, last = sorted((one, other))
    seen, work = {first}, [first]
    while work:
        index = work.pop()
        for each in _following(code, index):
            if index < each <= last and each not in seen:
                seen.add(each)
                work.append(each)
    return last in seen


def predecessors(code: Sequence[Instruction]) -> dict[int, list[int]]:
    """For each instruction those that lead there, in order; none that nothing leads to."""
    found: dict[int, list[int]] = {}
    for at in range(len(code)):
        for following in dict.fromkeys(_following(code, at)):
            found.setdefault(following, []).append(at)
    return found


def arriving(leading: Mapping[int, Sequence[int]], at: int) -> list[int]:
    """What of the `predecessors` of an instruction may be executed: no jump behind a `return`."""
    return [each for each in leading.get(at, ()) if each == 0 or each in leading]


def preceding(code: Sequence[Instruction], index: int) -> list[Instruction]:
    """What may have been executed right before an instruction: at the end of each arm of an `if`, say.

    What frees nodes may come between.
    """
    before = predecessors(code)
    found: list[Instruction] = []
    seen: set[int] = set()
    work = [*before.get(index, ())]
    while work:
        at = work.pop()
        if at in seen:
            continue
        seen.add(at)
        step = code[at]
        freeing = isinstance(step, Call) and step.function == "free"
        passing = isinstance(step, Assign) and lvalue_text(step.target).startswith("$")
        if freeing or passing or isinstance(step, (Gap, Declare, Jump)):
            work += before.get(at, ())
        else:
            found.append(step)
    return found


def loops_around(code: Sequence[Instruction], index: int) -> Iterator[range]:
    """The instructions of the loops around one, each up to a jump back, innermost first."""
    for last in range(index, len(code)):
        first = min(successors(code[last], last), default=len(code))
        if first <= index:
            yield range(first, last + 1)


def tests_around(code: Sequence[Instruction], index: int) -> Iterator[Branch]:
    """The tests under which an instruction stands, where these hold; the innermost comes last."""
    for at, step in enumerate(code[:index]):
        if isinstance(step, Branch) and at < step.if_true <= index < step.if_false:
            yield step


def cyclic(code: Sequence[Instruction], region: set[int], *, leaping: bool = False) -> bool:
    """Whether execution can go round within these instructions; `leaping` as for `behind`."""
    entering = dict.fromkeys(region, 0)
    for index in region:
        for following in _following(code, index, leaping=leaping):
            if following in region:
                entering[following] += 1
    work = [index for index, count in entering.items() if not count]
    left = len(region)
    while work:
        left -= 1
        for following in _following(code, work.pop(), leaping=leaping):
            if following in region:
                entering[following] -= 1
                if not entering[following]:
                    work.append(following)
    return left > 0


def begins_at_entry(program: Program, trace: Trace) -> bool:
    """Whether nothing of the trace's first function was executed before."""
    name, index = trace.start_stack[0]
    return all(
        isinstance(step, (Gap, Declare))
        or (isinstance(step, Branch) and isinstance(step.condition, Constant))
        for step in program.functions[name].code[:index]
    )
