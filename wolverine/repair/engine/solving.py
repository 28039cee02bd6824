"""The fallback of one problem, made when it is first asked."""

from __future__ import annotations

from fractions import Fraction

from wolverine.repair.engine.context import Context
from wolverine.repair.execution.spaces import Space
from wolverine.repair.execution.work import Stopped
from wolverine.repair.sat.fallback import Fallback, Verdict, fallback

_SHARE = Fraction(1, 8)


class Solving:
    """Asks the fallback, where the executions are not beyond it."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._fallback: Fallback | None = None
        self._tried = False  # whether the fallback was made, or could not be

    @property
    def begun(self) -> bool:
        """Whether there is a fallback that was asked before."""
        return self._fallback is not None

    def search(self, edits: int) -> tuple[list[Space], Verdict]:
        """What it finds with so many edits; raises `Stopped` where all must end."""
        context = self._context
        try:
            with context.work.at_most(context.most(_SHARE)):
                if not self._tried:
                    self._tried = True
                    other = any(trace.endless or trace.lost for trace in context.problem.traces)
                    self._fallback = None if other else fallback(context.benches.plain, context.work)
                return self._fallback.search(edits) if self._fallback is not None else ([], "unknown")
        except Stopped as stop:
            found = self._fallback.found if self._fallback is not None else []
            if not found and not stop.of_stage:
                raise
            return found, "some" if found else "unknown"
