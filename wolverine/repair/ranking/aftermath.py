"""What an execution comes to under a repair on its way to its trace, and when it goes on behind its end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from wolverine.core.patch import NO_EDITS, Patch
from wolverine.core.program import Program
from wolverine.core.trace import Trace
from wolverine.repair.execution.onward import onward
from wolverine.repair.execution.tape import Tape
from wolverine.semantics.faults import Fault, Halt
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import seat

_STEPS = 20_000
_STEPS_BEFORE = 100_000  # of the way to a trace, which may begin late

Fate = Literal["crash", "endless", "limit", "fine"]  # the last also where that is not known
_BAD = ("crash", "endless")


def crashes_later(program: Program, patch: Patch, trace: Trace, callers: bool = False) -> bool:
    """Whether the function in which the trace begins crashes under the patch before it returns.

    With `callers`, whether it or one of its callers does, or comes to no end.  False where
    that is not known: a statement is met that is not modelled.
    """
    fate = _fate(program, patch, trace, callers=callers)
    return fate == "crash" or (callers and fate in ("endless", "limit"))


def crashes_before(program: Program, patch: Patch, trace: Trace) -> bool:
    """Whether the execution crashes under the patch from earlier on, as that of the program does not.

    It reads on its way what the process has read.  False where that is not known.
    """
    way = trace.earlier
    if way is None:
        return False
    fates = (
        _fate(program, edits, way, callers=True, steps=_STEPS_BEFORE, tape=Tape)
        for edits in (patch, NO_EDITS)
    )
    return next(fates) in _BAD and next(fates) not in _BAD


def _fate(
    program: Program,
    patch: Patch,
    trace: Trace,
    *,
    callers: bool,
    steps: int = _STEPS,
    tape: Callable[[Machine, Trace], Tape] | None = None,
) -> Fate:
    """What comes of the trace's first activation, with `callers` of the outermost one that is known."""
    function = trace.start_stack[-1 if callers else 0][0]
    stops = {function: frozenset({program.functions[function].end})}
    machine = Machine(program, patch, stops=stops, strict=trace.strict)
    try:
        seat(machine, trace.start, trace.start_stack)
        began = machine.frame
        while callers and began is not None and began.caller is not None:
            began = began.caller
        for outcome in onward(machine, steps, tape(machine, trace) if tape is not None else None):
            if outcome != "stop":
                return outcome if outcome in ("limit", "endless") else "fine"
            if machine.frame is began:
                return "fine"
    except Fault:
        return "crash"
    except Halt:
        pass
    return "fine"
