"""Where the trace begins: at the entry of the activation that a constraint is about, or at a new model's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from wolverine.core.process import Stop
from wolverine.core.program import Program
from wolverine.core.trace import Interval
from wolverine.session.execution import Execution
from wolverine.session.moments import Moment, trace_start
from wolverine.session.tracing import (
    entry_stack,
    mapped,
    still_unwritten,
    unwritten_locals,
    with_uninitialised,
)


def constrain(execution: Execution) -> None:
    """The present stop is about to carry a constraint: see where the trace begins now."""
    start = trace_start(execution.path, execution.start)
    if start != execution.start:
        _see_entry(execution, start)
        start = trace_start(execution.path, execution.start)
        execution.start = start
        execution.path[start:] = execution.tracer.refollow(execution.path, start)


def remodel(execution: Execution, program: Program) -> bool:
    """Follow the path anew with another variant of the program (`semantics.refinement`).

    False where that cannot be done because a patch is in force: then the trace begins anew here.
    """
    execution.tracer.program = program
    if not execution.path or not execution.path[-1].stop.alive:
        return True
    moment = execution.path[-1]
    if moment.applied.patch.edits:
        execution.start = None
        execution.tracer.seat(moment.graph, moment.stack, moment.applied.patch)
        execution.path[-1] = replace(
            moment, arrived=(), position=execution.tracer.position(), model=execution.tracer.save()
        )
        return False
    for start in sorted({0, execution.start or 0}):
        execution.path[start:] = execution.tracer.refollow(execution.path, start)
    return True


def _see_entry(execution: Execution, index: int) -> None:
    """Put the entry of the present activation in front of the first stop that saw it.

    The process runs to it once more.  Where that is not possible the trace begins at that stop.
    """
    moment, present = execution.path[index], execution.path[-1]
    level = moment.activations.index(present.activation) if present.activation is not None else 0
    entry, frame = entry_hits(execution.path, index, level, execution.program), moment.stop.frames[level]
    version = execution.codes.of(frame.function, frame.pc)
    if entry is None or version is None:
        return
    address = version.map.body(entry.function)
    if address is None:
        return
    execution.depart()
    present = execution.path[-1]
    with execution.muted():
        execution.restore(execution.path[index - 1], repeating=True)
        stop = execution.debugger.run_to(address, hits=entry.hits, budget=execution.budget)
        known = stop.reason == "location" and stop.frames[0].cfa == frame.cfa
        if known:
            first = _moment_at(execution, stop, replace(moment, activations=moment.activations[level:]))
        execution.restore(present, repeating=True)
    if known:
        execution.path.insert(index, first)
        if execution.start is not None and execution.start >= index:
            execution.start += 1


def _moment_at(execution: Execution, stop: Stop, following: Moment) -> Moment:
    snapshot = execution.debugger.snapshot()
    stop = replace(stop, frames=snapshot.frames)
    stack = execution.arrivals.stack(stop)
    unwritten = unwritten_locals(execution.program, snapshot.graph, stack, following.applied.patch)
    graph = with_uninitialised(snapshot.graph, unwritten | still_unwritten(following.graph, len(stack)))
    return replace(
        following,
        stop=stop,
        graph=graph,
        stack=stack,
        position=None,
        arrived=(),
        changes=(),
        asserted=(),
        image=execution.image(),
        model=None,
        transit=True,
        number=execution.number(),
    )


@dataclass(frozen=True, slots=True)
class EntryHits:
    """How often `function` is entered from one stop on until the activation in question begins."""

    function: str
    hits: int


def entry_hits(path: Sequence[Moment], index: int, level: int, program: Program) -> EntryHits | None:
    """How to run from the stop before `index` to the entry of the present activation.

    Stop `index` is the first that saw it, in its frame `level` (0: innermost).  None where that stop is
    the entry itself, or where the way to it is not known.
    """
    moment, before = path[index], path[index - 1] if index else None
    if before is None or before.image is None or level >= len(mapped(moment.stack)):
        return None
    if before.model is None or moment.model is None or before.applied.patch != moment.applied.patch:
        return None
    if any(isinstance(event, Interval) for event in moment.arrived):
        return None
    # Activations are numbered by the follower, so one and the same has to have seen both stops.
    told = moment if level == 0 else path[-1]
    if told.position is None or told.model is None or told.model[0] is not moment.model[0]:
        return None
    name = moment.stack[level][0]
    if level == 0 and entry_stack(program, moment.stack)[0][1] == 0:
        return None
    earlier = _entered(before, name)
    between = [number for number in _entered(moment, name) if number not in earlier]
    if told.position.activation not in between:
        return None
    return EntryHits(name, between.index(told.position.activation) + 1)


def _entered(moment: Moment, function: str) -> tuple[int, ...]:
    follower, state = moment.model
    present = follower.snapshot()
    follower.restore(state)
    numbers: tuple[int, ...] = follower.entered(function)
    follower.restore(present)
    return numbers
