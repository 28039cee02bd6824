"""What was accepted in one function is lacking in the one that is the same with names exchanged."""

from __future__ import annotations

from contextlib import suppress

from wolverine.core.patch import Patch, Repairs
from wolverine.repair.engine.context import Context
from wolverine.repair.engine.found import Found
from wolverine.repair.execution.accepted import choices_of
from wolverine.repair.execution.spaces import Space
from wolverine.repair.execution.work import Stopped
from wolverine.repair.source.counterparts import counterparts
from wolverine.repair.special.stages import Stage

_STAGE = Stage(1, guarded=True, kept=True)


def in_the_counterpart(context: Context) -> Repairs | None:
    """Repairs by an accepted edit made in the other function, too; None where none is needed or fits."""
    problem = context.problem
    others = [
        other
        for edit in problem.accepted.edits
        for other in counterparts(problem.program, edit)
        if all(other.location != each.location for each in problem.accepted.edits)
    ]
    bench = context.benches.of(_STAGE) if others else None
    if bench is None:
        return None
    explorer = bench.explorer(context.work)
    spaces: list[Space] = []
    with suppress(Stopped):  # the next search will notice if all work is to end
        if explorer.search(0, decided=bench.decided):
            return None
        for other in others:
            chosen = choices_of(Patch((other,)), bench.menus)
            if chosen is not None:
                spaces += explorer.search(0, decided={**bench.decided, **chosen})
    return context.ranked(Found(_STAGE, bench, spaces)) if spaces else None
