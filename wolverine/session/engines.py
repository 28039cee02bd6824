"""The repair engines by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import Protocol

from wolverine.core.patch import NoRepair, Repairs
from wolverine.core.trace import Problem
from wolverine.errors import UsageError
from wolverine.localize import gradient
from wolverine.repair import search

DEFAULT = "search"
# Loaded when asked for: z3 takes longer to load than gdb to start.
_SOLVING = {"widening": "widening", "widening-any": "widening_any"}
NAMES = (DEFAULT, *_SOLVING)


class Engine(Protocol):
    """What every engine is."""

    def __call__(
        self, problem: Problem, *, interrupted: Callable[[], bool] = lambda: False
    ) -> Repairs | NoRepair:
        """Solve the problem."""


def engine(
    name: str | None, *, localize: bool | None = None, told: Callable[[str], None] | None = None
) -> Engine:
    """The engine of that name, the default one without; raises UsageError where there is none.

    `localize` has the engine change only what `gradient` suspects, as long as that suffices (None: as the
    engine does by itself; `widening` looks there first).  `told` hears line by line how the engine
    proceeds; not all can tell.
    """
    if name in (None, DEFAULT):
        if told is not None:
            raise UsageError(f"only these engines explain themselves: {', '.join(_SOLVING)}")
        return partial(_first_suspects, search) if localize else search
    if name not in _SOLVING:
        raise UsageError(f"there is no engine {name}; there are: {', '.join(NAMES)}")
    module = import_module("wolverine.repair.widening.algorithm")
    found: Engine = getattr(module, _SOLVING[name])

    def solve(problem: Problem, *, interrupted: Callable[[], bool] = lambda: False) -> Repairs | NoRepair:
        given: dict[str, object] = {} if told is None else {"told": told}
        if localize is not False:
            given["suspicious"] = _suspicious(problem)
            given["confined"] = bool(localize)
        options = module.Options(**given)
        return found(problem, interrupted=interrupted, options=options)  # type: ignore[call-arg]

    return solve


def _suspicious(problem: Problem) -> frozenset[int] | None:
    """What Algorithm 2 finds; None where it finds nothing."""
    return frozenset(each.location for each in gradient.localize(problem)) or None


def _first_suspects(
    solve: Engine, problem: Problem, *, interrupted: Callable[[], bool] = lambda: False
) -> Repairs | NoRepair:
    """Solve with the suspicious statements and the gaps first, then with all."""
    suspicious = _suspicious(problem)
    if suspicious is not None and problem.editable is None:
        gaps = {each.id for each in problem.program.locations if each.kind == "gap"}
        found = solve(replace(problem, editable=suspicious | gaps), interrupted=interrupted)
        if isinstance(found, Repairs):
            return found
    return solve(problem, interrupted=interrupted)
