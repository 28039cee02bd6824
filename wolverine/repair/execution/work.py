"""How much a search may do, and how it is ended."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from wolverine.core.patch import StopReason
from wolverine.core.trace import Budget

_CHECK_EVERY = 2_000  # units of work between looks at the clock and at `interrupted`


@dataclass(frozen=True, slots=True)
class Limits:
    """What a search may do: insertions, the candidate's own control flow, weak places given up.

    With `nodes` one of the edits has to make a new node.
    """

    insertions: int | None = None
    own_control: bool = False
    spare: int = 0
    nodes: bool = False


class Stopped(Exception):  # noqa: N818
    """The search was ended; `reason` says by what, `of_stage` that only its own share was used up."""

    def __init__(self, reason: StopReason, *, of_stage: bool = False) -> None:
        super().__init__(reason)
        self.reason: StopReason = reason
        self.of_stage = of_stage


@contextmanager
def recursion_limit(calls: int) -> Iterator[None]:
    """Python's limit on nested calls, within this."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(calls)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


class Work:
    """Counts machine steps and evaluations, and ends a search that spends too much."""

    def __init__(self, budget: Budget, interrupted: Callable[[], bool]) -> None:
        self.spent = 0
        self._limit = budget.work
        self._stage = budget.work
        self._seconds = budget.seconds
        self._clock = budget.clock
        self._began = budget.clock()
        self._interrupted = interrupted
        self._next = 0
        self._further: Callable[[], int] | None = None

    @contextmanager
    def at_most(self, share: int | None, further: Callable[[], int] = lambda: 0) -> Iterator[None]:
        """Within this, `Stopped` of the stage is raised when `share` more was spent.

        `further` is asked then, once, how much it may be instead.
        """
        begun = self.spent
        self._stage = self._limit if share is None else min(self._limit, begun + share)
        self._further = lambda: begun + further()
        try:
            yield
        finally:
            self._stage, self._further = self._limit, None

    @property
    def over(self) -> StopReason | None:
        """What has ended all work, if anything has: somebody, or the clock."""
        if self._interrupted():
            return "interrupted"
        late = self._seconds is not None and self._clock() - self._began > self._seconds
        return "budget" if late else None

    def spend(self, amount: int) -> None:
        """Raises `Stopped`."""
        self.spent += amount
        if self.spent >= self._next:
            self._next = self.spent + _CHECK_EVERY
            if (reason := self.over) is not None:
                raise Stopped(reason)
        if self.spent > self._stage and self._further is not None:
            self._stage, self._further = min(self._limit, max(self._stage, self._further())), None
        if self.spent > self._stage:
            raise Stopped("budget", of_stage=self._stage < self._limit)
