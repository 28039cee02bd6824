"""Ranks what the searches of one problem find, one ranking after the other."""

from __future__ import annotations

import time
from functools import cached_property

from wolverine.core.patch import Edit, Patch, Repairs
from wolverine.core.trace import Problem
from wolverine.repair.engine.found import Found
from wolverine.repair.execution.work import Work
from wolverine.repair.heaps.known import Known
from wolverine.repair.heaps.own_faults import OwnFaults
from wolverine.repair.ranking.answered import least_given_up, order, trial_steps
from wolverine.repair.ranking.rank import rank, scores_of
from wolverine.repair.ranking.score import Scores
from wolverine.repair.ranking.sequel import sequel_of


class Ranker:
    """What came of candidates is known to the rankings that follow; so is the time that they took."""

    def __init__(self, problem: Problem, work: Work) -> None:
        self._problem = problem
        self._work = work
        self._sequel = sequel_of(problem.program, problem.traces[0])
        self._known = Known()
        self._own = OwnFaults(problem.program, problem.traces[0])
        self._seconds = 0.0  # of processor time

    @cached_property
    def _scores(self) -> Scores:
        """The distances of edits; a search that finds nothing asks for none."""
        return scores_of(self._problem.program, self._problem.traces[0])

    def distance(self, edit: Edit) -> float:
        """How far an edit is from the source as it is."""
        return self._scores.edit(edit)

    def another_fault(self, patch: Patch) -> bool:
        """Whether the execution crashes under a patch as it goes on, by a fault of its own."""
        return self._sequel is not None and self._sequel.another(patch)

    def ranked(self, found: Found) -> Repairs:
        """The repairs that give up the least, ranked; there is one at least."""
        problem = self._problem
        given_up = least_given_up(found.spaces)
        began = time.process_time()
        ranking = rank(
            problem.program,
            problem.traces[0],
            found.bench.menus,
            [space for space in found.spaces if space.given_up <= given_up],
            trial_steps(found.bench.runners[0]),
            problem.budget.listed,
            scores=self._scores,
            sequel=self._sequel,
            over=lambda: self._work.over is not None,
            known=self._known,
            accepted=problem.accepted,
            own=self._own,
        )
        stopped = found.stopped if found.stopped != "complete" else self._work.over or found.stopped
        self._seconds += time.process_time() - began
        return Repairs(
            ranking.candidates,
            stopped,
            ranking.behaviours,
            ranking.total,
            tuple(sorted(given_up, key=order)),
            found.stage.own_control,
            self._work.spent,
            ranking=self._seconds,
            compared=ranking.compared,
        )
