"""Going back: to an earlier stop, or to a checkpoint (Wolverine2 section 6.2)."""

from __future__ import annotations

from wolverine.errors import CommandError
from wolverine.session.beginning import remodel
from wolverine.session.execution import Execution
from wolverine.session.moments import Moment, trace_start


def resume(execution: Execution, number: int) -> Moment:
    """Back to a checkpoint: process, position, names, constraints, patch."""
    checkpoint = execution.checkpoints.get(number)
    if checkpoint is None:
        raise CommandError(f"there is no checkpoint {number}; {checkpoints_here(execution)}")
    execution.restore(checkpoint.moment)
    execution.path = list(checkpoint.path)
    execution.start = checkpoint.start
    execution.checkpoint = number
    if execution.tracer.stale:
        remodel(execution, execution.model)
    return checkpoint.moment


def checkpoints_here(execution: Execution) -> str:
    """Which checkpoints there are, or how there is one."""
    if not execution.checkpoints:
        return "`spec` makes one"
    numbers = ", ".join(map(str, sorted(execution.checkpoints)))
    return f"there is checkpoint {numbers}" if len(execution.checkpoints) == 1 else f"there are {numbers}"


def back(execution: Execution, stops: int) -> Moment:
    """Undo so many stops."""
    if not execution.path:
        raise CommandError("the program is not running; `start` runs it to main")
    index, left = len(execution.path) - 1, stops
    if index and execution.path[index].stop.reason == "signal" and execution.path[index].position is not None:
        # A crashed statement counts as not executed: its stop and the one before it are one.
        index -= execution.path[index].position == execution.path[index - 1].position
    while left and index > 0:
        index -= 1
        if not execution.path[index].transit:
            left -= 1
    if left:
        there = stops - left
        if not there:
            raise CommandError(_nothing_before(execution.path[-1]))
        verb = "s lie" if there != 1 else " lies"
        raise CommandError(f"only {there} stop{verb} behind this one")
    moment = execution.path[index]
    if moment.image is not None and not moment.image.kept:
        raise CommandError(_given_up(execution, stops))
    execution.restore(moment)
    del execution.path[index + 1 :]
    if execution.start is not None and execution.start > index:
        execution.start = None
    _begin_where_constrained(execution)
    if execution.tracer.stale:
        remodel(execution, execution.model)
    made = [spec.checkpoint for each in execution.path for spec in each.asserted]
    execution.checkpoint = made[-1] if made else None
    return moment


def _nothing_before(moment: Moment) -> str:
    """Why there is no stop to go back to, and what to do."""
    anew = "`start` stops at main, `break LINE` and `run` at a line"
    if not moment.stop.alive:
        return f"the program has ended and had not stopped before: {anew}"
    if moment.stop.reason == "signal":
        return f"the program has not stopped before this {moment.stop.signal}: {anew}"
    return "this is the first stop; `start` begins anew"


def _begin_where_constrained(execution: Execution) -> None:
    """What was undone may have had the trace begin further out than what is left does."""
    path, start = execution.path, None
    for index, moment in enumerate(path):
        if moment.constrained:
            start = trace_start(path[: index + 1], start)
    if start is None or execution.start is None or start <= execution.start:
        return
    if any(moment.applied.patch != path[start].applied.patch for moment in path[start:]):
        return
    execution.start = start
    path[start:] = execution.tracer.refollow(path, start)


def _given_up(execution: Execution, stops: int) -> str:
    """Why `back` cannot go there, and where it can."""
    behind = [moment for moment in execution.path if not moment.transit][-2::-1]
    there = [n for n, each in enumerate(behind, 1) if each.image is not None and each.image.kept]
    near = [n for n in there if n < stops][-1:] + [n for n in there if n > stops][:1]
    ways = " and ".join(f"`back {number}`" for number in near)
    limit = f"{execution.album.limit >> 20} MB (`set image-memory`)"
    return f"that stop was given up to keep the images within {limit}; {ways or 'checkpoints'} still work"
