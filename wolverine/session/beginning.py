"""Where the trace begins: at the entry of the activation that a constraint is about, or at a new model's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from wolverine.core.graph import MemoryGraph, Place, Value, VariableId
from wolverine.core.process import Stop
from wolverine.core.program import Program
from wolverine.core.trace import Interval
from wolverine.core.unions import reopened
from wolverine.session.codes import start_address
from wolverine.session.execution import Execution
from wolverine.session.moments import Applied, Moment, trace_start
from wolverine.session.tracing import (
    entry_stack,
    mapped,
    standing_at,
    still_unwritten,
    unwritten_locals,
    with_uninitialised,
)


def constrain(execution: Execution) -> None:
    """The present stop is about to carry a constraint: see where the trace begins now."""
    start = trace_start(execution.path, execution.start)
    if start != execution.start:
        present = execution.path[-1].activation
        _see_entry(execution, start, present, execution.path)
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


def repatch(execution: Execution, index: int, applied: Applied) -> None:
    """Stand at a stop of the path, which ends there then, with another patch in force."""
    moment = execution.path[index]
    del execution.path[index + 1 :]
    execution.restore(moment, repeating=True)
    debugger, version = execution.debugger, applied.code
    stack = entry_stack(execution.program, moment.stack)
    name, instruction = stack[0]
    if version is not None:
        debugger.use(version.code)
        address = start_address(version, name, instruction) if name in version.functions else None
        if address is not None:
            debugger.migrate(version.code, address)
    execution.tracer.seat(moment.graph, stack, applied.patch)
    execution.path[index] = replace(
        moment,
        stop=replace(moment.stop, frames=debugger.snapshot().frames),
        position=execution.tracer.position(),
        arrived=(),
        image=execution.image(),
        model=execution.tracer.save(),
        applied=applied,
    )


def begin_further_out(execution: Execution, *, by_one: bool = False) -> bool:
    """Let the trace begin in the nearest caller of the activation in which it begins now.

    Such a caller was at a stop itself, or the process runs to its entry once more, or it is main, whose
    entry is always kept.  False where there is none, or where `by_one` it is not the very next one.
    """
    path, start = execution.path, execution.start
    if start is None:
        return False
    callers = path[start].activations[1 : 2 if by_one else None]
    for activation in callers:
        index = next(i for i, moment in enumerate(path) if activation in moment.activations)
        if _see_caller(execution, index, activation) or (
            index < start and path[index].activation == activation
        ):
            execution.start = index
            path[index:] = execution.tracer.refollow(path, index)
            return True
    if callers:
        path[start:] = execution.tracer.refollow(path, start)
    return False


def _see_caller(execution: Execution, index: int, activation: int) -> bool:
    """Put the entry of an activation that stop `index` was the first to see in front of it.

    Where that fails, the follower stands elsewhere than on the path.
    """
    path = execution.path
    if index == 0:
        return False
    followed = [*path[: index - 1], *execution.tracer.refollow(path, index - 1)]
    return _see_entry(execution, index, activation, followed)


def _see_entry(execution: Execution, index: int, activation: int | None, followed: Sequence[Moment]) -> bool:
    """Put the entry of an activation in front of the first stop that saw it, as the process runs to it.

    The path is as `followed` by the model.  False where that is not possible.
    """
    moment = execution.path[index]
    level = moment.activations.index(activation) if activation is not None else 0
    entry, frame = entry_hits(followed, index, level, execution.program), moment.stop.frames[level]
    version = execution.codes.of(frame.function, frame.pc)
    if entry is None or version is None:
        return False
    address = version.map.body(entry.function)
    if address is None:
        return False
    execution.depart()
    present = execution.path[-1]
    with execution.muted() as repeated:
        execution.restore(execution.path[index - 1], repeating=True)
        stop = execution.debugger.run_to(address, hits=entry.hits, budget=execution.budget)
        known = stop.reason == "location" and stop.frames[0].cfa == frame.cfa
        if known:
            written = execution.path[index - 1].written + len(repeated)
            following = replace(moment, activations=moment.activations[level:], written=written)
            first = _moment_at(execution, stop, following)
        execution.restore(present, repeating=True)
    if known:
        execution.path.insert(index, first)
        if execution.start is not None and execution.start >= index:
            execution.start += 1
    return known


def _moment_at(execution: Execution, stop: Stop, following: Moment) -> Moment:
    snapshot = execution.debugger.snapshot()
    stop = replace(stop, frames=snapshot.frames)
    stack = execution.arrivals.stack(stop)
    entry = entry_stack(execution.program, stack)
    unwritten = unwritten_locals(execution.program, snapshot.graph, entry, following.applied.patch)
    unwritten |= still_unwritten(execution.program, following.graph, len(stack))
    graph = with_uninitialised(_told_later(snapshot.graph, following.graph), unwritten)
    graph = replace(graph, pending=_callers(following.graph, stop.frames[0].depth))
    return replace(
        following,
        stop=stop,
        graph=graph,
        stack=stack,
        position=None,
        arrived=following.concretes,
        changes=(),
        asserted=(),
        image=execution.image(),
        model=None,
        transit=True,
        number=execution.number(),
    )


def _told_later(graph: MemoryGraph, later: MemoryGraph) -> MemoryGraph:
    """The graph with the members of unions in use that are known of unions that still hold the same later."""
    same = {
        place: union.parts
        for place, union in later.unions.items()
        if place in graph.unions and graph.unions[place].data == union.data
    }
    return reopened(graph, same)


def _callers(graph: MemoryGraph, depth: int) -> dict[Place, Value]:
    """What statements of activations further out than `depth` have evaluated: they wait where they stand."""
    return {
        place: value
        for place, value in graph.pending.items()
        if isinstance(place.object, VariableId) and place.object.depth < depth
    }


@dataclass(frozen=True, slots=True)
class EntryHits:
    """How often `function` is entered from one stop on until the activation in question begins."""

    function: str
    hits: int


def entry_hits(path: Sequence[Moment], index: int, level: int, program: Program) -> EntryHits | None:
    """How to run from the stop before `index` to the entry of an activation that is under way there.

    It is that of the stop's frame `level` (0: innermost), and the stop is the first that saw it.  None where
    the stop is the entry itself, or where the way to it is not known.
    """
    moment, before = path[index], path[index - 1] if index else None
    if before is None or before.image is None or level >= len(mapped(moment.stack)):
        return None
    if before.model is None or moment.model is None or before.applied.patch != moment.applied.patch:
        return None
    if any(isinstance(event, Interval) for event in moment.arrived):
        return None
    # Activations are numbered by the follower, so one and the same has to have seen both stops.
    if moment.position is None or before.model[0] is not moment.model[0]:
        return None
    name = moment.stack[level][0]
    again = moment.position.occurrence > 1  # a loop is the first statement, and this is not its first round
    if level == 0 and entry_stack(program, moment.stack)[0][1] == 0 and not again:
        return None
    with standing_at(moment) as follower:
        number = follower.numbers()[level]
        entered = follower.entered(name)
    with standing_at(before) as follower:
        earlier = follower.entered(name)
    between = [each for each in entered if each not in earlier]
    return EntryHits(name, between.index(number) + 1) if number in between else None
