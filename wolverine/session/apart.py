"""A second bug elsewhere: the edits that were accepted for the first stay, and are no part of the search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from wolverine.core.patch import NO_EDITS, Candidate, NoRepair, Patch, Repairs
from wolverine.core.program import reachable
from wolverine.core.trace import Problem, Trace

Engine = Callable[[Problem], Repairs | NoRepair]


def beside(problem: Problem, engine: Engine, mended: Trace | None) -> Repairs | NoRepair:
    """What the engine finds beside the accepted edits; else what mends what they `mended` as well."""
    found = solve(problem, engine)
    if isinstance(found, Repairs) or found.reason == "interrupted" or not problem.settled or mended is None:
        return found
    other = engine(replace(problem, traces=(*problem.traces, mended), settled=False))
    return other if isinstance(other, Repairs) else found


def solve(problem: Problem, engine: Engine) -> Repairs | NoRepair:
    """What the engine finds; accepted edits that the executions do not come to are put to each repair."""
    if not problem.accepted.edits or _comes_to(problem):
        return engine(problem)
    found = engine(replace(problem, accepted=NO_EDITS))
    if isinstance(found, NoRepair):
        return found
    return replace(found, candidates=tuple(_with(each, problem.accepted) for each in found.candidates))


def _comes_to(problem: Problem) -> bool:
    """Whether an execution may come to an accepted edit."""
    program = problem.program
    changed = {program.location(edit.location).function for edit in problem.accepted.edits}
    begun = [trace.start_stack[0][0] for trace in problem.traces]
    return not changed.isdisjoint(reachable(program, begun))


def _with(candidate: Candidate, accepted: Patch) -> Candidate:
    edits = sorted((*candidate.patch.edits, *accepted.edits), key=lambda edit: edit.location)
    return replace(candidate, patch=Patch(tuple(edits)))
