"""Going on to the program's end where only that can tell what is wrong: nodes that main has lost."""

from __future__ import annotations

from wolverine.core.program import MAIN
from wolverine.session.constraints import constraint_count, crashed, lost_here
from wolverine.session.execution import Execution

UNENDING = (
    "the program was stopped before its end, and nothing tells whether it comes there: `continue` goes on, "
    "for longer behind `set step-budget SECONDS`; or say at a stop what is wrong (`change`), and `repair` "
    "there"
)


def lost_by_main(execution: Execution, *, settled: bool) -> str:
    """The nodes, in words, to which nothing leads where main stands; "" where something else is said.

    What is asserted or forced says more, unless it is `settled` by a repair, and so do a crash and the use of
    freed nodes; in other functions a node that nothing leads to may be on its way somewhere.
    """
    path = execution.path
    if not path or not path[-1].stop.alive or crashed(path[-1]) or execution.tracer.uses():
        return ""
    said = not settled and constraint_count(path, 0, frozenset(execution.dropped))
    if said or path[-1].stop.frames[0].function != MAIN:
        return ""
    return lost_here(path[-1])
