"""The branches of loops, whose decisions a trace may hold."""

from __future__ import annotations

from wolverine.core.program import Branch, Program
from wolverine.core.trace import Decision, Trace


def loop_branches(program: Program) -> dict[str, frozenset[int]]:
    """The branches whose decisions a straight line follows, by function."""
    found = {}
    for name, function in program.functions.items():
        found[name] = frozenset(
            index
            for index, step in enumerate(function.code)
            if isinstance(step, Branch) and step.location >= 0 and program.location(step.location).loop
        )
    return found


def bound_loops(program: Program, trace: Trace) -> dict[str, frozenset[int]]:
    """The loop branches of which the trace holds decisions.

    Loops of which it holds none go as the candidate's own conditions say: nobody has watched them.
    """
    decided = {(e.position.function, e.position.instruction) for e in trace.events if isinstance(e, Decision)}
    return {
        name: frozenset(index for index in found if (name, index) in decided)
        for name, found in loop_branches(program).items()
    }
