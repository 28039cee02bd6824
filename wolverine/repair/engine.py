"""The default engine, `search`: which searches are made in which order, and what they answer.

1. The straight line: every decision of a loop that was observed binds, and the number of edits grows
   from 0 (so the first answer is minimal).
2. The candidate's own control flow: observed decisions are dropped.  This comes before assertions are
   touched, because here everything that the user asserted still holds.
3. The straight line again, giving up one, two, then three places that the user never named or changed.

The later searches get a share of the work that is allowed, and fewer edits: a repair that needs many
edits and a relaxed trace is a coincidence more often than a correction.  When nothing fits, a small
conflicting set of assertions and forced branches is searched for by leaving them out one by one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from wolverine.core.graph import Place
from wolverine.core.patch import NoRepair, Repairs
from wolverine.core.trace import Problem, StopReason
from wolverine.repair.candidates import Menus
from wolverine.repair.conflict import conflict
from wolverine.repair.explorer import Explorer, Space
from wolverine.repair.outlook import Outlook
from wolverine.repair.rank import rank
from wolverine.repair.runner import Runner
from wolverine.repair.schedule import prepare
from wolverine.repair.segments import failing_segments
from wolverine.repair.work import Limits, Stopped, Work
from wolverine.semantics.faults import Halt

_RELAXED_EDITS = 2
_RELAXED_WORK = 1_500_000
_GIVEN_UP = 3


@dataclass(frozen=True)
class _Stage:
    """One search: `edits` locations changed, so many weak places given up; `work` of its own, if bounded."""

    edits: int
    own_control: bool = False
    spare: int = 0
    work: int | None = None


def search(problem: Problem, *, interrupted: Callable[[], bool] = lambda: False) -> Repairs | NoRepair:
    """Find the smallest edits under which every trace meets all of its events.

    Returns all minimal repairs, ranked; they are marked incomplete when the budget or `interrupted`
    (asked every few thousand steps) ended the search.  Deterministic unless ended by the clock.
    """
    work = Work(problem.budget, time.monotonic, interrupted)
    menus = Menus(problem.program)
    try:
        runners = [Runner(problem.program, trace, menus) for trace in problem.traces]
    except Halt as halt:
        return NoRepair("unsupported", (str(halt),))
    if not runners:
        return NoRepair("unsupported", ("there is no execution to repair",))
    editable = editable_locations(problem, menus)
    stopped: StopReason = "complete"
    segments: list[frozenset[int]] | None = None
    for stage in _stages(problem, runners):
        for runner in runners:
            schedule = prepare(runner.machine, runner.trace, own_control=stage.own_control)
            runner.configure(schedule, editable if stage.edits else {})
        limits = Limits(problem.budget.insertions, stage.own_control, stage.spare)
        if segments is None:
            segments = [segment for runner in runners for segment in failing_segments(runner)]
        if stage.own_control or stage.spare:
            explorer = Explorer(problem.program, runners, work, limits)
        else:
            outlooks = [Outlook(runner) for runner in runners]
            explorer = Explorer(problem.program, runners, work, limits, segments, outlooks)
        try:
            with work.at_most(stage.work):
                explorer.search(stage.edits)
        except Stopped as stop:
            stopped = stop.reason
            if stop.of_stage:
                stopped = "complete" if not explorer.found else "budget"
        if explorer.found:
            return _answer(problem, menus, explorer.found, stopped, stage, work)
        if stopped != "complete":
            return NoRepair(stopped, (), work.spent)
    core = conflict(problem, runners, editable, work)
    return NoRepair("unsatisfiable", core, work.spent)


def editable_locations(problem: Problem, menus: Menus) -> dict[str, dict[int, int]]:
    """The locations that may change: by function, instruction to location."""
    found: dict[str, dict[int, int]] = {}
    for name, function in problem.program.functions.items():
        if function.code and not function.unsupported:
            found[name] = {
                index: location
                for location, index in menus.indices(name).items()
                if problem.editable is None or location in problem.editable
            }
    return found


def _stages(problem: Problem, runners: list[Runner]) -> Iterator[_Stage]:
    edits = problem.budget.edits
    for number in range(edits + 1):
        yield _Stage(number)
    if any(runner.has_observed for runner in runners):
        for number in range(min(edits, _RELAXED_EDITS) + 1):
            yield _Stage(number, own_control=True, work=_RELAXED_WORK)
    if any(runner.has_weak for runner in runners):
        for spare in range(1, _GIVEN_UP + 1):
            for number in range(min(edits, _RELAXED_EDITS) + 1):
                yield _Stage(number, spare=spare, work=_RELAXED_WORK)


def _answer(
    problem: Problem,
    menus: Menus,
    spaces: list[Space],
    stopped: StopReason,
    stage: _Stage,
    work: Work,
) -> Repairs:
    given_up = _least(spaces)
    kept = [space for space in spaces if space.given_up <= given_up]
    ranking = rank(problem.program, problem.traces[0], menus, kept)
    return Repairs(
        ranking.candidates,
        stopped,
        ranking.behaviours,
        ranking.total,
        tuple(sorted(given_up, key=_order)),
        stage.own_control,
        work.spent,
    )


def _least(spaces: list[Space]) -> frozenset[tuple[str, Place]]:
    """The smallest set of places that a repair gives up; of equal ones the first in order."""
    return min(
        (space.given_up for space in spaces),
        key=lambda found: (len({p for _, p in found}), len(found), sorted(map(_order, found))),
    )


def _order(given: tuple[str, Place]) -> tuple[str, str]:
    return given[0], repr(given[1])
