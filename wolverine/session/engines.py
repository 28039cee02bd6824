"""The repair engines by name."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Protocol

from wolverine.core.patch import NoRepair, Repairs
from wolverine.core.trace import Problem
from wolverine.errors import UsageError
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


def engine(name: str | None) -> Engine:
    """The engine of that name, the default one without; raises UsageError where there is none."""
    if name in (None, DEFAULT):
        return search
    if name not in _SOLVING:
        raise UsageError(f"there is no engine {name}; there are: {', '.join(NAMES)}")
    found: Engine = getattr(import_module("wolverine.repair.widening"), _SOLVING[name])
    return found
