"""Whole lists that assertions want freed, and over whose heads the program moves other elements."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from wolverine.core.patch import Edit, Patch, Repairs
from wolverine.core.trace import Assertion, Problem
from wolverine.repair.engine.context import Context
from wolverine.repair.engine.found import Found
from wolverine.repair.execution.work import Stopped
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.special.moved_over import frees_moved_over
from wolverine.repair.special.stages import SPECIAL_SHARE, Stage

_STAGE = Stage(1, share=SPECIAL_SHARE)


def lists_moved_over(context: Context) -> Repairs | None:
    """The first loop that frees such a list and meets all assertions, beside what was accepted."""
    problem = context.problem
    if problem.budget.insertions == 0 or not _frees(problem):
        return None
    for edit in _tried(problem, context.benches.plain):
        bench = context.benches.plain.keeping(Patch((*problem.accepted.edits, edit)))
        if bench is None:
            continue
        with suppress(Stopped):  # the next search will notice if all work is to end
            spaces = context.repairs(bench, 0, SPECIAL_SHARE)
            if spaces:
                return context.ranked(Found(_STAGE, bench, spaces))
    return None


def _frees(problem: Problem) -> bool:
    """Whether a node is asserted to be freed that was not when its execution began."""
    return any(
        state == "freed" and not ((node := trace.start.nodes.get(number)) and node.state == "freed")
        for trace in problem.traces
        for event in trace.events
        if isinstance(event, Assertion)
        for number, state in event.states.items()
    )


def _tried(problem: Problem, bench: Bench) -> Iterator[Edit]:
    """The loops in functions that the executions come to."""
    taken = {each.location for each in problem.accepted.edits}
    for name, found in bench.editable.items():
        for index in range(len(problem.program.functions[name].code)):
            for edit in frees_moved_over(problem.program, name, index):
                if edit.location in found.values() and edit.location not in taken:
                    yield edit
