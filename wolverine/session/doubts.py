"""What speaks against trusting a repair beyond the execution that it was made for."""

from __future__ import annotations

from collections.abc import Mapping

from wolverine.core.patch import Candidate, Repairs
from wolverine.core.program import Program
from wolverine.core.trace import Assertion, Trace
from wolverine.repair.heaps.usual import concerns
from wolverine.semantics.faults import FaultKind
from wolverine.semantics.violations import Violation
from wolverine.session.conditions import condition

_FOUND: Mapping[FaultKind, str] = {
    "freed": "the use of a freed node",
    "double-free": "that a node is freed twice",
    "bad-free": "that what is no node is freed",
    "bounds": "what lies out of bounds",
    "uninitialised": "the use of what nothing has set",
}


def alone(trace: Trace, violation: Violation | None) -> str:
    """What is known of an execution in which nothing is asserted, as a crash; "" where something is.

    The `violation` is what it does at its end, where nothing crashed.
    """
    if trace.lost:
        return "that nodes are lost"
    if not trace.bare:
        return ""
    if trace.endless:
        return "that it has no end"
    return _FOUND.get(violation.kind, "the crash") if violation is not None else "the crash"


def doubts(
    program: Program,
    trace: Trace,
    repairs: Repairs,
    candidate: Candidate,
    known: int = 0,
    *,
    bare: str = "",
    freed: bool = False,
) -> list[str]:
    """What speaks against trusting the repair beyond this execution; `known` edits were there before.

    Of what it does not change, and of what no call gives, nothing is told.
    `bare` is what was known where that was all, as a crash ("": more), and `freed`, that nodes have to be.
    """
    found: list[str] = []
    if candidate.crashes and concerns(program, trace, candidate):
        reason = candidate.crash_reason or "it crashes"
        heap = candidate.crash_input
        shape = condition(program, heap, candidate.patch) if heap is not None else ""
        where = f" ({shape})" if shape else ""
        before = "" if candidate.harmed else ", as it did before"
        crashes = f"on another input{where} the patched program crashes{before}"
        if heap is trace.start:
            crashes = "further on the patched program crashes"
        drawn = heap is not None and heap is not trace.start and not shape and candidate in repairs.candidates
        picture = f" (`candidates {repairs.candidates.index(candidate) + 1}` draws it)" if drawn else ""
        found.append(f"{crashes}: {reason}{picture}")
    uncompared = not repairs.compared and repairs.total > 1
    if uncompared:
        does = f"avoids {bare}" if bare else "meets the assertions"
        found.append(
            f"the search was ended early, before its {repairs.total} candidates were compared: this one is "
            f"near the source and {does}, nothing else speaks for it; `candidates` lists them, and "
            "`repair` with more time compares them"
        )
    elif bare and repairs.behaviours > 1:
        found.append(
            f"only {bare} is known, and {repairs.behaviours} different behaviours avoid it: `candidates` "
            "lists them; a picture that is corrected (`change`) or asserted (`spec`) tells them apart"
        )
    elif freed and repairs.behaviours > 1:
        found.append(
            f"only what is to be freed is known, and {repairs.behaviours} different behaviours free it: "
            "`candidates` lists them; a picture that is asserted (`spec`) tells them apart"
        )
    elif repairs.behaviours > 1 and not any(isinstance(each, Assertion) for each in trace.events):
        found.append(
            f"only the ways that you forced are known, and {repairs.behaviours} different behaviours go "
            "them; `candidates` lists them, `spec` asserts the picture of a stop"
        )
    elif repairs.behaviours > 1 and not any(
        each.weak for each in trace.events if isinstance(each, Assertion)
    ):
        found.append(
            f"only the places that you changed or named are asserted, and {repairs.behaviours} different "
            "behaviours meet that; `candidates` lists them, `spec` asserts the whole picture of a stop"
        )
    elif repairs.behaviours > 1:
        found.append(
            f"{repairs.behaviours} different behaviours meet the assertions; `candidates` lists them, "
            "another `spec` tells them apart"
        )
    once = (
        [] if bare else [e.location for e in candidate.patch.edits if candidate.executed.get(e.location) == 1]
    )
    lines = dict.fromkeys(program.location(location).line for location in once)
    found += [f"the edit at line {line} was executed only once" for line in lines]
    if candidate.cost - known >= 3:
        found.append(f"{candidate.cost} edits were needed; an assertion may be wrong{_without(repairs)}")
    if not uncompared and repairs.complete != "complete":
        found.append(
            "not all edits were tried within the bounds of the search; smaller or other repairs may exist"
        )
    return found


def _without(repairs: Repairs) -> str:
    if repairs.doubted is None:
        return ""
    assertion, edits = repairs.doubted
    enough = {0: "no edit is needed", 1: "one edit suffices"}.get(edits, f"{edits} edits suffice")
    return f": without {assertion}, {enough}"
