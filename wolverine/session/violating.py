"""Back to where an execution first did what C forbids, when the process went on after it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from wolverine.core.process import Stop
from wolverine.core.program import Program
from wolverine.core.trace import Interval
from wolverine.errors import CommandError
from wolverine.repair.source.flow import behind
from wolverine.semantics.faults import FREED
from wolverine.semantics.violations import Violation, line_of
from wolverine.session import results
from wolverine.session.constraints import crashed, under_way
from wolverine.session.crashes import freed_before
from wolverine.session.execution import Execution
from wolverine.session.moments import Moment
from wolverine.session.reinstating import reinstate, saved
from wolverine.session.retracing import approach, informing, repeatable, retrace_under_way

_DEEP = 1000  # calls within each other: a recursion, which is looked at whether it has an end


def strict(moment: Moment) -> bool:
    """Whether the stop is in front of the use of what was freed, or of memory beyond a node.

    What frees a node a second time does no other thing than what uses it.
    """
    known = moment.violation is not None and moment.violation.kind in (*FREED, "bounds")
    return known or bool(freed_before(moment))


def go_back(
    program: Program, execution: Execution, emit: Callable[[results.Result], None], said: int = 0
) -> None:
    """Stand in front of the first violation of the path, where a repair has nothing else to go by.

    Where the user said something from moment `said` on, that counts; a process that lives on with a freed
    node is repaired from where it stands, and a crash in the very statement is that crash.
    """
    path = execution.path
    if not path or any(moment.constrained for moment in path[said:]):
        return
    present = path[-1]
    interrupted = under_way(present)
    if interrupted and len(path) > 1 and not _freed_before(execution):
        _back_to(lambda: _in_the_way(execution, present), program, execution, emit)
        return
    if present.stop.overflowed and len(path) > 1:
        _back_to(lambda: _overflow(execution, present), program, execution, emit)
        return
    for index in [i for i, moment in enumerate(path) if moment.violates and i >= max(said, 1)]:
        image = execution.path[index - 1].image
        if image is None or not image.kept:
            return
        execution.depart()
        state = saved(execution)
        at = approach(execution, index) if not present.stop.alive or crashed(present) else index
        found = None if at is None else _first(execution, at)
        if at is not None and found is not None:
            if present.stop.alive and not interrupted and not _hidden(program, found, present):
                reinstate(execution, state)
                return
            try:
                _stand(program, execution, at, found)
            except CommandError:  # the model took a way that the process did not
                reinstate(execution, state)
                return
            emit(results.Note(_words(execution, found)))
            return
        reinstate(execution, state)


def _freed_before(execution: Execution) -> bool:
    """Whether a freed node was used or freed again before what was interrupted: its loop may come of that."""
    path = execution.path
    found = (_first(execution, index) for index in range(1, len(path) - 1) if path[index].violates)
    return any(each is not None and each.kind in FREED for each in found)


def _in_the_way(execution: Execution, present: Moment) -> tuple[Violation, ...] | None:
    """The loop or the calls without an end that were interrupted, or else what C forbids on the way."""
    tracer = execution.tracer
    if _deep(present) and (found := tracer.overflow()) is not None:
        return found
    return _whole(tracer.endless() or tracer.violation(present.graph, present.stack))


def _deep(moment: Moment) -> bool:
    """Whether so many calls wait for each other that they would fill the stack in the end."""
    frames = moment.stop.frames
    return bool(frames) and frames[0].depth >= _DEEP


def _overflow(execution: Execution, present: Moment) -> tuple[Violation, ...] | None:
    """The calls without an end that have filled the stack, or else what C forbids on the way to them."""
    tracer = execution.tracer
    return tracer.overflow() or _whole(tracer.violation(present.graph, ()))


def _whole(found: Violation | None) -> tuple[Violation, ...] | None:
    return None if found is None else (found,)


def _back_to(
    endless: Callable[[], tuple[Violation, ...] | None],
    program: Program,
    execution: Execution,
    emit: Callable[[results.Result], None],
) -> None:
    """Stand where what has no end goes round: at the last of the stops that `endless` tells.

    The others, on the way there, come into the path.
    """
    before, present = execution.path[-2:]
    if not repeatable(program, before):
        return
    execution.depart()
    state = saved(execution)
    execution.tracer.load(before.model)
    found = endless()
    execution.tracer.load(present.model)
    index = len(execution.path) - 1
    if found is None and any(informing(execution.model)):
        retrace_under_way(execution)
        index = len(execution.path)
        found = endless()
    if found is None:
        reinstate(execution, state)
        return
    *outer, last = found
    visited = 0
    for each in outer:
        _pass(program, execution, index, each)
        index, visited = len(execution.path), each.visits - 1  # where it stands counts again
    _stand(program, execution, index, replace(last, visits=last.visits - visited))
    emit(results.Note(_words(execution, last)))


def _first(execution: Execution, index: int) -> Violation | None:
    """The first violation on the way to that moment of the path."""
    moment, present = execution.path[index], execution.path[-1]
    execution.tracer.load(execution.path[index - 1].model)
    found = execution.tracer.violation(moment.graph, moment.stack if moment.stop.alive else ())
    execution.tracer.load(present.model)
    return found


def _hidden(program: Program, found: Violation, present: Moment) -> bool:
    """Whether the present stop of a living process does not show the violation already.

    In a recursion the same line is not the same execution of it, nor need it be in a loop, where nothing
    had set what led on to the crash.
    """
    if not crashed(present):
        return found.kind not in FREED
    if not present.stop.frames:
        return True
    frame = present.stop.frames[0]
    itself = (found.function, line_of(program, found.function, found.instruction)) == (
        frame.function,
        frame.line,
    )
    recursive = sum(each.function == frame.function for each in present.stop.frames) > 1
    code = program.functions[found.function].code
    looped = found.kind == "uninitialised" and found.instruction in behind(code, found.instruction)
    beyond = found.kind == "bounds" and any(isinstance(each, Interval) for each in present.arrived)
    return found.kind != "wild" and (recursive or looped or beyond or not itself)


def _stand(program: Program, execution: Execution, index: int, found: Violation) -> None:
    """Run to the statement from the stop before."""
    stop, instruction = _run(program, execution, index, found)
    execution.arrive_to_violate(stop, found, instruction)


def _pass(program: Program, execution: Execution, index: int, found: Violation) -> None:
    """The same, on the way."""
    stop, _ = _run(program, execution, index, found)
    execution.arrive(stop, transit=True)


def _run(program: Program, execution: Execution, index: int, found: Violation) -> tuple[Stop, int]:
    """Run to the statement from the stop before, where the path ends then; its first instruction."""
    lost = "where the execution first does what C forbids, cannot be reached again"
    return run_to(program, execution, index, (found.function, found.instruction), found.visits, lost)


def run_to(
    program: Program, execution: Execution, index: int, where: tuple[str, int], visits: int, lost: str
) -> tuple[Stop, int]:
    """Run to the statement at `where` from moment `index` - 1, to its so many-eth visit.

    The path ends there then.  Where it is not come to, CommandError says of the line that it is `lost`.
    """
    before = execution.path[index - 1]
    name, instruction = where
    function = program.functions[name]
    unit = function.units[function.unit_of[instruction]]
    execution.restore(before, repeating=True)
    del execution.path[index:]
    address = execution.codes.running(name, before.applied.code).map.address(name, unit.first)
    if address is None:
        raise CommandError(f"line {unit.span.line}, {lost}")
    debugger = execution.debugger
    hits = visits - (debugger.stop_info().frames[0].pc == address)
    with execution.muted():
        stop = debugger.run_to(address, hits=hits, budget=execution.budget) if hits else debugger.stop_info()
    if hits and stop.reason != "location":
        raise CommandError(f"line {unit.span.line}, {lost}")
    return stop, unit.first


def _words(execution: Execution, found: Violation) -> str:
    line = execution.path[-1].stop.frames[0].line
    why = "" if found.kind == "endless" else ", where it first does what C forbids"
    return f"the execution under repair ends at line {line} in {found.function}{why}: {found.message}"
