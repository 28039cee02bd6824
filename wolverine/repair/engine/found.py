"""What a search has found, as choices of the menus that it had."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wolverine.core.patch import StopReason
from wolverine.repair.execution.spaces import Space
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.ranking.answered import renumbered
from wolverine.repair.special.stages import Stage


@dataclass(frozen=True)
class Found:
    """The repairs of a stage in the numbers of a bench's menus, and what ended the search for them."""

    stage: Stage
    bench: Bench
    spaces: Sequence[Space]
    stopped: StopReason = "complete"

    def and_more(self, stage: Stage, bench: Bench, more: Sequence[Space]) -> Found:
        """These, then what a stage has found with a bench that has more choices."""
        kept = [renumbered(space, self.bench.menus, bench.menus) for space in self.spaces]
        return Found(stage, bench, [*kept, *more], self.stopped)
