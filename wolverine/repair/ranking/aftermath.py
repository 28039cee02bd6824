"""What an execution comes to under a repair on its way to its trace, and when it goes on behind its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
_FEW_STEPS = 2_000
_LONGER = 8  # times what it takes under another patch
_STEPS_BEFORE = 100_000  # of the way to a trace, which may begin late

Fate = Literal["crash", "endless", "limit", "end", "unknown"]
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
    try:
        return Aftermath(program, trace, callers=callers, steps=steps, tape=tape).fate(patch)
    except Halt:
        return "unknown"


def ending_badly(program: Program, trace: Trace, patches: Sequence[Patch]) -> Sequence[bool]:
    """Under which of the patches the execution, as it goes on, crashes or has no end, where others end well.

    It has none where it takes far longer than under those of the others that come to the program's end.
    """
    nothing = [False] * len(patches)
    try:
        aftermath = Aftermath(program, trace, tape=Tape)
    except Halt:
        return nothing
    fates = []
    for patch in patches:
        fates.append(aftermath.fate(patch))
        if fates[-1] == "end":
            aftermath.limit = min(aftermath.limit, max(_FEW_STEPS, _LONGER * aftermath.steps))
    if "end" not in fates:
        return nothing
    return [fate in (*_BAD, "limit") for fate in fates]


class Aftermath:
    """Lets an execution go on from where its trace begins, under one patch after the other.

    Each takes at most `limit` machine steps; the last one took `steps`.
    """

    def __init__(
        self,
        program: Program,
        trace: Trace,
        *,
        callers: bool = True,
        steps: int = _STEPS,
        tape: Callable[[Machine, Trace], Tape] | None = None,
    ) -> None:
        """Up to the return of the trace's first activation, with `callers` of the outermost that is known.

        Raises `Halt` where the trace's state cannot be made.
        """
        function = trace.start_stack[-1 if callers else 0][0]
        stops = {function: frozenset({program.functions[function].end})}
        self._machine = machine = Machine(program, stops=stops, strict=trace.strict)
        seat(machine, trace.start, trace.start_stack)
        self._began = machine.frame
        while callers and self._began is not None and self._began.caller is not None:
            self._began = self._began.caller
        self._origin = machine.mark()
        self._tape = tape(machine, trace) if tape is not None else None
        self.limit, self.steps = steps, 0

    def fate(self, patch: Patch) -> Fate:
        """What comes of it under the patch."""
        machine = self._machine
        machine.undo(self._origin)
        machine.set_patch(patch)
        begun = machine.steps
        try:
            for outcome in onward(machine, self.limit, self._tape):
                if outcome != "stop":
                    return outcome if outcome in ("limit", "endless") else "unknown"
                if machine.frame is self._began:
                    return "end"
        except Fault:
            return "crash"
        except Halt:
            pass
        finally:
            self.steps = machine.steps - begun
        return "unknown"
