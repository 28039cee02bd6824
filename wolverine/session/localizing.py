"""localize: which engine answers, and what is said where none has an answer."""

from __future__ import annotations

import time
from collections.abc import Callable

from wolverine.core.patch import NoRepair, Repairs
from wolverine.core.program import Program
from wolverine.core.trace import Problem
from wolverine.errors import CommandError, UsageError
from wolverine.localize import gradient, slices, table
from wolverine.localize.suspicion import Suspicion
from wolverine.repair import search
from wolverine.semantics.replay import replay
from wolverine.session import results
from wolverine.session.describing import explained

_CRASHES = "no asserted place differs; this is what the crash depends on"
_MISSING = "no executed statement wrote what differs: one may be missing; this is what it depends on"
_NOTHING = "no executed statement wrote what differs: one may be missing"
_MET = "the program as it stands meets every assertion and forced branch"
ENGINES = (gradient.NAME, slices.NAME, "exact")


def localized(
    problem: Problem, engine: str | None, explain: bool, interrupted: Callable[[], bool]
) -> results.Localized:
    """The suspects of an engine; `exact` is for those in some minimal repair.

    Without a name it is `gradient`, and `slice` where nothing differs but the execution crashes.  Raises
    UsageError for an unknown name, CommandError where `exact` finds no repair.
    """
    if engine not in (None, *ENGINES):
        raise UsageError(f"there is no engine {engine} for localize; there are: {', '.join(ENGINES)}")
    began = time.perf_counter()
    if engine == "exact":
        suspects = _exact(problem, interrupted)
        return results.Localized("exact", suspects, time.perf_counter() - began)
    chosen = slices.NAME if engine == slices.NAME else gradient.NAME
    found = slices.localize(problem) if chosen == slices.NAME else gradient.localize(problem)
    words = ""
    if not found and engine is None:
        found = slices.localize(problem)
        if found:
            chosen = slices.NAME
            words = _CRASHES if any(trace.crash is not None for trace in problem.traces) else _MISSING
    seconds = time.perf_counter() - began
    if not found:
        met = all(replay(problem.program, problem.accepted, trace).met for trace in problem.traces)
        words = _MET if met else _NOTHING
    elif explain:
        words = table.explain(problem)
    return results.Localized(chosen, tuple(map(_suspect, found)), seconds, words)


def _suspect(found: Suspicion) -> results.Suspect:
    return results.Suspect(found.line, found.text, found.score)


def _exact(problem: Problem, interrupted: Callable[[], bool]) -> tuple[results.Suspect, ...]:
    """The locations that occur in some minimal repair, the most frequent first."""
    answer = search(problem, interrupted=interrupted)
    if isinstance(answer, NoRepair):
        raise CommandError(f"no repair was found: {explained(answer.reason, answer.core)}")
    return tuple(_suspects(problem.program, answer))


def _suspects(program: Program, repairs: Repairs) -> list[results.Suspect]:
    counts: dict[int, int] = {}
    for candidate in repairs.candidates:
        for edit in candidate.patch.edits:
            counts[edit.location] = counts.get(edit.location, 0) + 1
    total = max(len(repairs.candidates), 1)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [
        results.Suspect(program.location(location).line, program.location(location).text, count / total)
        for location, count in ranked
    ]
