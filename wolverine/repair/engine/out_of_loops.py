"""What loops and calls without an end lack, where the program tells it: that leads out of them at once."""

from __future__ import annotations

from contextlib import suppress

from wolverine.core.patch import Patch, Repairs
from wolverine.repair.engine.context import Context
from wolverine.repair.engine.found import Found
from wolverine.repair.execution.accepted import choices_of
from wolverine.repair.execution.spaces import Space
from wolverine.repair.execution.work import Stopped
from wolverine.repair.special.downwards import going_down
from wolverine.repair.special.stages import Stage
from wolverine.repair.special.ways_out import ways_out

_STAGE = Stage(1)


def led_out(context: Context) -> Repairs | None:
    """Repairs by such an edit alone; None where none is known or none ends the loop."""
    problem = context.problem
    if problem.accepted.edits or not problem.budget.least <= 1 <= problem.budget.edits:
        return None
    if len(problem.traces) != 1:
        return None
    program, [trace] = problem.program, problem.traces
    edits = [*ways_out(program, trace), *going_down(program, trace)]
    bench = context.benches.of(_STAGE) if edits else None
    if bench is None:
        return None
    explorer = bench.explorer(context.work)
    spaces: list[Space] = []
    with suppress(Stopped):  # the next search will notice if all work is to end
        for edit in edits:
            chosen = choices_of(Patch((edit,)), bench.menus)
            if chosen is not None:
                spaces += explorer.search(0, decided={**bench.decided, **chosen})
    return context.ranked(Found(_STAGE, bench, spaces)) if spaces else None
