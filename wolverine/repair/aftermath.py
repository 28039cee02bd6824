"""What an execution comes to under a repair when it goes on behind the end of its trace."""

from __future__ import annotations

from collections.abc import Sequence

from wolverine.core.graph import MemoryGraph
from wolverine.core.patch import NO_EDITS, Patch
from wolverine.core.program import Program
from wolverine.core.trace import Trace
from wolverine.repair.onward import onward
from wolverine.semantics.faults import Fault, Halt
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import seat

_STEPS = 20_000


def crashes_later(program: Program, patch: Patch, trace: Trace, callers: bool = False) -> bool:
    """Whether the function in which the trace begins crashes under the patch before it returns.

    With `callers`, whether it or one of its callers does, or comes to no end.  False where
    that is not known: a statement is met that is not modelled.
    """
    return _crashes(program, patch, trace.start, trace.start_stack, strict=trace.strict, callers=callers)


def crashes_before(program: Program, patch: Patch, trace: Trace) -> bool:
    """Whether the execution crashes under the patch from earlier on, as that of the program does not."""
    if trace.earlier is None:
        return False
    return _crashes(program, patch, *trace.earlier, callers=True) and not _crashes(
        program, NO_EDITS, *trace.earlier, callers=True
    )


def _crashes(
    program: Program,
    patch: Patch,
    graph: MemoryGraph,
    stack: Sequence[tuple[str, int]],
    *,
    strict: bool = False,
    callers: bool,
) -> bool:
    function = stack[-1 if callers else 0][0]
    stops = {function: frozenset({program.functions[function].end})}
    machine = Machine(program, patch, stops=stops, strict=strict)
    try:
        seat(machine, graph, tuple(stack))
        began = machine.frame
        while callers and began is not None and began.caller is not None:
            began = began.caller
        for outcome in onward(machine, _STEPS):
            if outcome != "stop":
                return callers and outcome in ("limit", "endless")
            if machine.frame is began:
                return False
    except Fault:
        return True
    except Halt:
        pass
    return False
