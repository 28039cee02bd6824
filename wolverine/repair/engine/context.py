"""What all searches for one problem have in common: the work that is allowed, choices, the ranking."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from wolverine.core.patch import Repairs
from wolverine.core.trace import Problem
from wolverine.repair.engine.benches import Benches
from wolverine.repair.engine.found import Found
from wolverine.repair.engine.ranker import Ranker
from wolverine.repair.execution.spaces import Space
from wolverine.repair.execution.work import Work
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.heaps.lacking import lacking
from wolverine.repair.menus.unlinked import Field, crashed_unlinked
from wolverine.repair.special.stages import Stage


@dataclass(frozen=True)
class Context:
    """One problem; `lacking` if an execution lacks a node, `unlinked` are links that a crash lacks."""

    problem: Problem
    work: Work
    benches: Benches
    ranker: Ranker
    lacking: bool
    unlinked: frozenset[Field]

    def most(self, share: Fraction | None) -> int:
        """So much of the work is a share of the budget; None is all of it."""
        return int(self.problem.budget.work * (1 if share is None else share))

    def repairs(self, bench: Bench, edits: int, share: Fraction, *, nodes: bool = False) -> list[Space]:
        """Repairs on the straight line with a bench's choices, as far as a share of the work finds them."""
        return bench.found(self.work, edits, self.most(share), nodes=nodes)

    def with_more(self, found: Found, stage: Stage, search: Callable[[Bench], Sequence[Space]]) -> Found:
        """What was found, then what a search with the choices of a wider stage finds, if it does."""
        bench = self.benches.of(stage)
        more = search(bench) if bench is not None else []
        return found.and_more(stage, bench, more) if bench is not None and more else found

    def ranked(self, found: Found) -> Repairs:
        """The repairs in order."""
        return self.ranker.ranked(found)


def context_of(problem: Problem, plain: Bench, work: Work) -> Context:
    """The context of a problem with that plain bench."""
    return Context(
        problem,
        work,
        Benches(problem, plain),
        Ranker(problem, work),
        lacking(problem, plain.runners),
        crashed_unlinked(problem.program, problem.traces[0]),
    )
