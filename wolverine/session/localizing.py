"""localize: which engine answers, and what is said where none has an answer."""

from __future__ import annotations

import time
from collections.abc import Callable

from wolverine.core.trace import Problem
from wolverine.errors import UsageError
from wolverine.localize import gradient, slices, table
from wolverine.localize.suspicion import Suspicion
from wolverine.session import results

Exact = Callable[[Problem], tuple[results.Suspect, ...]]
ENGINES = (gradient.NAME, slices.NAME, "exact")


def localized(problem: Problem, engine: str | None, explain: bool, exact: Exact) -> results.Localized:
    """The suspects of an engine; `exact` finds those in some minimal repair.

    Without a name it is `gradient`, and `slice` where nothing differs but the execution crashes.  Raises
    UsageError for an unknown name.
    """
    if engine not in (None, *ENGINES):
        raise UsageError(f"there is no engine {engine} for localize; there are: {', '.join(ENGINES)}")
    began = time.perf_counter()
    if engine == "exact":
        suspects = exact(problem)
        return results.Localized("exact", suspects, time.perf_counter() - began)
    chosen = slices.NAME if engine == slices.NAME else gradient.NAME
    found = slices.localize(problem) if chosen == slices.NAME else gradient.localize(problem)
    words = ""
    if not found and engine is None:
        found = slices.localize(problem)
        if found:
            chosen = slices.NAME
            words = "no asserted place differs; this is what the crash depends on"
    seconds = time.perf_counter() - began
    if not found:
        words = "the program as it stands meets every assertion and forced branch"
    elif explain:
        words = table.explain(problem)
    return results.Localized(chosen, tuple(map(_suspect, found)), seconds, words)


def _suspect(found: Suspicion) -> results.Suspect:
    return results.Suspect(found.line, found.text, found.score)
