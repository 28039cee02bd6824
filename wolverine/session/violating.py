"""Back to where an execution first did what C forbids, when the process went on after it."""

from __future__ import annotations

from collections.abc import Callable

from wolverine.core.program import Program
from wolverine.errors import CommandError
from wolverine.semantics.violations import Violation, line_of
from wolverine.session import results
from wolverine.session.constraints import crashed
from wolverine.session.execution import Execution
from wolverine.session.moments import Moment

_FREED = ("freed", "double-free", "bad-free")


def strict(moment: Moment) -> bool:
    """Whether the stop is in front of the use of what was freed, or of memory beyond a node."""
    return moment.violation is not None and moment.violation.kind in (*_FREED, "bounds")


def go_back(program: Program, execution: Execution, emit: Callable[[results.Result], None]) -> None:
    """Stand in front of the first violation of the path, where a repair has nothing else to go by.

    Where the user said something, that counts; a living process in which a freed node was used is repaired
    from where it stands, and a crash in the very statement is that crash.
    """
    path = execution.path
    if not path or any(moment.constrained for moment in path):
        return
    index = next((i for i, moment in enumerate(path) if moment.violates and i), None)
    if index is None or path[index - 1].image is None or not path[index - 1].image.kept:
        return
    present = path[-1]
    execution.depart()
    execution.tracer.load(path[index - 1].model)
    moment = path[index]
    alive = moment.stop.alive
    found = execution.tracer.violation(moment.graph, moment.stack if alive else ())
    execution.tracer.load(present.model)
    if found is None or (present.stop.alive and not _hidden(program, found, present)):
        return
    _stand(program, execution, index, found)
    emit(results.Note(_words(execution, found)))


def _hidden(program: Program, found: Violation, present: Moment) -> bool:
    """Whether the present stop of a living process does not show the violation already."""
    if found.kind in _FREED:
        return False
    if not crashed(present):
        return True
    frame = present.stop.frames[0]
    itself = (found.function, line_of(program, found.function, found.instruction)) == (
        frame.function,
        frame.line,
    )
    return found.kind in ("bounds", "uninitialised") and not itself


def _stand(program: Program, execution: Execution, index: int, found: Violation) -> None:
    """Run to the statement from the stop before."""
    before = execution.path[index - 1]
    function = program.functions[found.function]
    unit = function.units[function.unit_of[found.instruction]]
    execution.restore(before)
    del execution.path[index:]
    code = before.applied.code
    running = code if code is not None and found.function in code.functions else execution.codes.original
    address = running.map.address(found.function, unit.first)
    lost = f"line {unit.span.line}, where the execution first does what C forbids, cannot be reached again"
    if address is None:
        raise CommandError(lost)
    debugger = execution.debugger
    hits = found.visits - (debugger.stop_info().frames[0].pc == address)
    with execution.muted():
        stop = debugger.run_to(address, hits=hits, budget=execution.budget) if hits else debugger.stop_info()
    if hits and stop.reason != "location":
        raise CommandError(lost)
    execution.arrive_to_violate(stop, found, unit.first)


def _words(execution: Execution, found: Violation) -> str:
    line = execution.path[-1].stop.frames[0].line
    return (
        f"the execution under repair ends at line {line} in {found.function}, where it first does what C "
        f"forbids: {found.message}"
    )
