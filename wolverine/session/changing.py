"""Changes of memory at the present stop: made in the process, and followed by the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from wolverine.core.graph import UNINITIALISED, NodeId, Place, Pointer, differ
from wolverine.core.trace import Decision
from wolverine.errors import CommandError, DebuggerError
from wolverine.session.beginning import constrain
from wolverine.session.execution import Execution
from wolverine.session.moments import Change, Moment, PlaceChange, StateChange


def record_change(execution: Execution, *changes: Change) -> None:
    """Note changes that were made in the process; the model follows them."""
    made: list[Change] = []
    for change in changes:
        if isinstance(change, PlaceChange) and change.type is not None:
            change = replace(change, model=execution.tracer.save())
        execution.tracer.change(change)
        made.append(change)
    moment = execution.path[-1]
    execution.path[-1] = replace(moment, changes=(*moment.changes, *made))
    _refresh(execution)


def undo(execution: Execution) -> tuple[Change, ...]:
    """Take back the last change at this stop, in the process too; returns what was done for that.

    Of those that go together all.
    """
    moment = execution.here()
    standing = [spec for spec in moment.asserted if spec.checkpoint not in execution.dropped]
    floor = max((spec.changes_before for spec in standing), default=moment.settled)
    if len(moment.changes) <= floor:
        if not moment.changes:
            raise CommandError(_nothing_to_undo(execution, [spec.checkpoint for spec in standing]))
        numbers = [spec.checkpoint for spec in standing if spec.changes_before >= len(moment.changes)]
        if not numbers:
            raise CommandError("the last change here was made before the repair that is in force")
        raise CommandError(f"the last change here is asserted; `spec drop {numbers[-1]}` withdraws that")
    first = len(moment.changes) - 1
    while _joined(moment.changes[first]):
        first -= 1
    done = [change.inverse() for change in reversed(moment.changes[first:])]
    write(execution, *done)
    execution.path[-1] = replace(moment, changes=moment.changes[:first])
    if not _as_before(execution, moment.changes[first]):
        for back in done:
            execution.tracer.change(back)
    _refresh(execution)
    return tuple(done)


def _nothing_to_undo(execution: Execution, asserted: Sequence[int]) -> str:
    """What to do instead where nothing was changed at the present stop, which has these assertions."""
    *before, moment = execution.path
    there_is: list[str] = []
    if asserted:
        there_is.append(f"`spec drop {asserted[-1]}` withdraws what is asserted here")
    if any(isinstance(event, Decision) and event.forced for event in moment.arrived):
        there_is.append("`back` takes back the decision that led here")
    else:
        stops = 1
        for earlier in reversed(before):
            if earlier.changes:
                there_is.append(f"`back{'' if stops == 1 else f' {stops}'}` leads to the last change")
                break
            stops += not earlier.transit
    return "; ".join(["nothing was changed at this stop", *there_is])


def _as_before(execution: Execution, change: Change) -> bool:
    """Whether the model stands again where it stood before a change, with what it knew of a union then."""
    known = change.model if isinstance(change, PlaceChange) else None
    if known is None or not execution.tracer.knows(known):
        return False
    execution.tracer.load(known)
    return True


def _joined(change: Change) -> bool:
    return isinstance(change, PlaceChange) and change.joined


def next_node(execution: Execution) -> NodeId:
    """The name of the node that is allocated next."""
    return NodeId(execution.debugger.last_number() + 1)


def write(execution: Execution, *changes: Change) -> None:
    """Carry changes out in the process."""
    execution.touched = True
    for change in changes:
        _write(execution, change)


def _write(execution: Execution, change: Change) -> None:
    match change:
        case PlaceChange(place, before, after, made):
            if made > 0:
                execution.debugger.make_node(made)
            snapshot = execution.debugger.snapshot()
            graph = snapshot.graph
            if change.type is not None:
                graph = replace(graph, cell_types={**graph.cell_types, place: change.type})
            execution.debugger.write(place, after, replace(snapshot, graph=graph))
            if made < 0 and isinstance(before, Pointer) and isinstance(before.object, NodeId):
                execution.debugger.unmake_node(before.object, snapshot)
        case StateChange(node, _, after):
            execution.debugger.set_state(node, after)


def _refresh(execution: Execution) -> None:
    """Read the present state again."""
    moment = execution.path[-1]
    graph = execution.debugger.snapshot().graph
    marked = execution.tracer.told(graph, moment.stack, _changed_here(execution))
    marked = replace(marked, returned=moment.graph.returned, pending=moment.graph.pending)
    execution.path[-1] = replace(moment, graph=marked)


def _changed_here(execution: Execution) -> frozenset[Place]:
    return frozenset(c.place for c in execution.path[-1].changes if isinstance(c, PlaceChange))


def take_changes(execution: Execution, places: tuple[Place, ...]) -> None:
    """Memory that gdb wrote counts as changed by the user."""
    graph = execution.tracer.opened(execution.debugger.snapshot().graph)
    before = execution.path[-1].graph
    constrain(execution)
    for place in places:
        was = before.cells.get(place, UNINITIALISED)  # of a new node
        member = graph.cell_types[place] if graph.union_at(place) is not None else None
        record_change(execution, PlaceChange(place, was, graph.cells[place], type=member))


def reread(execution: Execution) -> tuple[Moment, tuple[Place, ...], bool]:
    """After a gdb command: the present stop anew, the places that it changed, whether it moved.

    Memory that gdb changed counts as `change`; a moved pc or frame ends the trace.
    """
    before = execution.path[-1]
    stop = execution.debugger.stop_info()
    if not stop.alive:
        raise DebuggerError("the process is gone")
    if [f.pc for f in stop.frames] != [f.pc for f in before.stop.frames]:
        return execution.adopt(stop), (), True
    graph = execution.debugger.snapshot().graph
    unwritten = execution.tracer.unwritten(graph, before.stack)
    told = execution.tracer.opened(graph)  # in a union the member that is in use, as before
    changed = tuple(
        place
        for place, value in told.cells.items()
        if differ(value, before.graph.cells.get(place)) and place not in unwritten
    )
    return before, changed, False
