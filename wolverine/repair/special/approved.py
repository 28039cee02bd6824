"""Searches that take a picture for right in which nothing was corrected, before one in which something was.

Whoever corrects the second has looked at the first.  What fails then lies between the two.
"""

from __future__ import annotations

from dataclasses import replace

from wolverine.core.program import Program
from wolverine.core.trace import Trace
from wolverine.repair.execution.followed import Arrival, followed
from wolverine.repair.explicit.bench import Bench, bench_of
from wolverine.semantics.faults import Halt

_LABEL = "the picture before"


def since_approved(bench: Bench) -> Bench | None:
    """The bench with such pictures asserted, and only the locations behind them; None where there are none.

    These are those of the functions that are called from then on, or have just been, and what their callers
    execute.
    """
    problem = bench.problem
    traces = tuple(map(_asserting, problem.traces))
    if traces == problem.traces:
        return None
    try:
        found = bench_of(replace(problem, traces=traces), bench.menus)
    except Halt:
        return None
    behind = {each for trace in problem.traces for each in _behind(problem.program, trace)}
    editable = {
        name: {index: each for index, each in here.items() if each in behind}
        for name, here in found.editable.items()
    }
    return replace(found, editable=editable)


def _asserting(trace: Trace) -> Trace:
    approved = trace.approved
    if approved is None:
        return trace
    way = approved.events[:-1]
    if trace.events[: len(way)] != way:
        return trace
    pictures = tuple(replace(each, label=_LABEL) for each in approved.pictured)
    return replace(trace, events=(*way, *pictures, *trace.events[len(way) :]))


def _behind(program: Program, trace: Trace) -> set[int]:
    """The locations of the functions that are entered behind the picture, and what others execute there.

    All that is executed where nothing is approved.
    """
    picture = Arrival(trace.approved.pictured[0].position) if trace.approved is not None else None
    end = Arrival(trace.events[-1].position)
    executed, within = set[tuple[str, int]](), set[str]()
    before, innermost = set[int](), None
    for number, name, pc in followed(program, trace):
        if picture is not None:
            before.add(number)
            if picture.at(number, name, pc):
                innermost, picture = number, None
        if picture is None:
            executed.add((name, pc))
            if number not in before or number == innermost:
                within.add(name)
        if end.at(number, name, pc):
            break
    found = {program.functions[name].code[pc].location for name, pc in executed}
    return found | {step.location for name in within for step in program.functions[name].code}
