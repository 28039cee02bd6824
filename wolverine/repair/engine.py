"""The default engine, `search`: which searches are made in which order, and what they answer.

1. The straight line: every decision of a loop that was observed binds, and the number of edits grows
   from 0 (so the first answer is minimal).
2. The candidate's own control flow: observed decisions are dropped.  This comes before assertions are
   touched, because here everything that the user asserted still holds.
3. The straight line again, giving up one, two, then three places that the user never named or changed.

A gap takes a plain statement first; one under a test, or a return, where two plain edits do not help, or
where the execution crashes under the best of the repairs as soon as it goes on behind the trace (a special
case is missing: an empty list, say).

From three edits on, and where the trace is relaxed, a search gets a share of the work that is allowed; the
relaxed ones get fewer edits too: a repair that needs many edits and a relaxed trace is a coincidence
more often than a correction.  When nothing fits, a small conflicting set of assertions and forced
branches is searched for by leaving them out one by one.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from wolverine.core.graph import Place
from wolverine.core.patch import NoRepair, Repairs
from wolverine.core.trace import End, Problem, StopReason
from wolverine.repair.aftermath import crashes_later
from wolverine.repair.arrivals import length_of
from wolverine.repair.candidates import Menus
from wolverine.repair.conflict import conflict, doubted
from wolverine.repair.explorer import Explorer
from wolverine.repair.outlook import Outlook
from wolverine.repair.rank import rank
from wolverine.repair.runner import Runner
from wolverine.repair.schedule import prepare
from wolverine.repair.segments import failing_segments
from wolverine.repair.spaces import Space
from wolverine.repair.stepwise import stepwise
from wolverine.repair.work import Limits, Stopped, Work
from wolverine.semantics.faults import Halt

_FREE_EDITS = 1  # so many edits on the straight line are searched whatever it takes
_RELAXED_EDITS = 2
_GIVEN_UP = 3
_MANY_EDITS_SHARE = Fraction(1, 5)
_BEFORE_GUARDS = 2  # plain edits that are tried before a statement under a test
_GUARDED_SHARE = Fraction(1, 20)
_SPARES_SHARE = Fraction(1, 10)
_NEAR_SHARE = Fraction(1, 10)
_STEPWISE_SHARE = Fraction(1, 6)
_OWN_CONTROL_SHARE = Fraction(1, 40)
_GIVING_UP_SHARE = Fraction(1, 80)
_DOUBTFUL = 3  # so many edits are rather an assertion that is wrong
_TRIAL_STEPS = 3_000  # on a fresh heap, where the length of the trace is not known
_DEEP = 20_000  # nested calls: one for every time that a group of choices is split


@dataclass(frozen=True)
class _Stage:
    """One search: `edits` locations changed, `spare` weak places given up, at most `share` of the work.

    With `guarded`, gaps also take statements under a test, and returns; with `spares`, a value may be
    kept in a variable that is declared for it.
    """

    edits: int
    own_control: bool = False
    spare: int = 0
    share: Fraction | None = None
    guarded: bool = False
    spares: bool = False

    @property
    def plain(self) -> bool:
        """Whether single statements change, and everything that was observed and asserted holds."""
        return not (self.relaxed or self.guarded or self.spares)

    @property
    def relaxed(self) -> bool:
        """Whether the stage leaves the straight line or gives places up."""
        return self.own_control or self.spare > 0


def search(problem: Problem, *, interrupted: Callable[[], bool] = lambda: False) -> Repairs | NoRepair:
    """Find the smallest edits under which every trace meets all of its events.

    Returns all minimal repairs, ranked; they are marked incomplete when the budget or `interrupted`
    (asked every few thousand steps) ended the search, or a share of the budget an earlier stage of it.
    Deterministic unless ended by the clock.
    """
    work = Work(problem.budget, time.monotonic, interrupted)
    menus = Menus(problem.program)
    try:
        runners = [Runner(problem.program, trace, menus) for trace in problem.traces]
    except Halt as halt:
        return NoRepair("unsupported", (str(halt),))
    if not runners:
        return NoRepair("unsupported", ("there is no execution to repair",))
    with _deep_recursion():
        return _search(problem, _Bench(menus, runners, editable_locations(problem, menus, runners)), work)


@dataclass(frozen=True)
class _Bench:
    """Menus, the traces' runners with these, and the locations that may change."""

    menus: Menus
    runners: list[Runner]
    editable: dict[str, dict[int, int]]

    def widened(self, problem: Problem, *, guarded: bool = False, spares: bool = False) -> _Bench:
        """The same with more choices."""
        menus = Menus(problem.program, guarded=guarded, spares=spares)
        runners = [Runner(problem.program, trace, menus) for trace in problem.traces]
        for runner, plain in zip(runners, self.runners, strict=True):
            runner.length = plain.length
        return _Bench(menus, runners, self.editable)


def _search(problem: Problem, plain: _Bench, work: Work) -> Repairs | NoRepair:
    menus, runners, editable = plain.menus, plain.runners, plain.editable
    widened: _Bench | None = None
    segments: list[frozenset[int]] | None = None
    cut = False  # whether some stage came to no end
    for stage in _stages(problem, runners):
        if stage.guarded and widened is None:
            widened = plain.widened(problem, guarded=True)
        bench = widened if stage.guarded and widened is not None else plain
        if stage.spares:
            bench = plain.widened(problem, spares=True)
        runners = bench.runners
        for runner in runners:
            schedule = prepare(runner.machine, runner.trace, own_control=stage.own_control)
            runner.configure(schedule, editable if stage.edits else {})
        limits = Limits(problem.budget.insertions, stage.own_control, stage.spare)
        if segments is None:
            segments = [segment for runner in runners for segment in failing_segments(runner)]
            for runner in runners:
                if runner.length is None:
                    runner.length = length_of(runner)
        if stage.own_control or stage.spare:
            explorer = Explorer(problem.program, runners, work, limits)
        else:
            outlooks = [Outlook(runner) for runner in runners]
            explorer = Explorer(problem.program, runners, work, limits, segments, outlooks)
        stopped: StopReason = "complete"
        try:
            with work.at_most(None if stage.share is None else int(problem.budget.work * stage.share)):
                explorer.search(stage.edits)
        except Stopped as stop:
            cut, stopped = True, stop.reason
            if not explorer.found and stop.of_stage and stage.edits > 1 and stage.plain:
                near = _near(plain)
                if near is not None:
                    explorer.found = _more(problem, near, segments, work, stage.edits, _NEAR_SHARE)
                if not explorer.found:
                    explorer.found = _stepwise(problem, menus, runners, editable, work, stage)
            if not explorer.found and not stop.of_stage:
                reason: Literal["interrupted", "budget"] = (
                    "interrupted" if stop.reason == "interrupted" else "budget"
                )
                return NoRepair(reason, (), work.spent)
        if explorer.found:
            complete = "budget" if cut and stopped == "complete" else stopped
            answer = _answer(problem, bench, explorer.found, complete, stage, work)
            if stage.edits - problem.budget.known >= _DOUBTFUL and stage.plain:
                answer = replace(answer, doubted=doubted(problem, runners, editable, work, stage.edits))
            if not stage.plain or not _fails_later(problem, answer):
                return answer
            if any(trace.strict for trace in problem.traces):
                keeping = plain.widened(problem, spares=True)
                kept = _more(problem, keeping, segments, work, _BEFORE_GUARDS, _SPARES_SHARE)
                other = _answer(problem, keeping, kept, complete, stage, work) if kept else answer
                if _failures(other) < _failures(answer):
                    return other
            widened = widened or plain.widened(problem, guarded=True)
            more = _more(problem, widened, segments, work, 1, _GUARDED_SHARE)
            found = [*explorer.found, *more]
            return _answer(problem, widened, found, complete, stage, work) if more else answer
    core = conflict(problem, plain.runners, editable, work)
    return NoRepair("budget" if cut else "unsatisfiable", core, work.spent)


def _fails_later(problem: Problem, answer: Repairs) -> bool:
    """Whether the execution crashes under the best repair when it goes on behind the trace.

    So it is where a special case is missing: what is wrong with an empty list is not one statement.
    Where all that is known is a crash, nodes that are lost on other heaps tell the same; so it is with a
    node that is used after it was freed, where nodes are freed no more.
    """
    best = answer.candidates[0]
    if not best.patch.edits:
        return False
    trace = problem.traces[-1]
    last = trace.events[-1]
    little = trace.strict or (isinstance(last, End) and last.crashed)
    if little and (best.crashes or best.lost_nodes):
        return True
    return best.crashes > 0 and any(
        crashes_later(problem.program, best.patch, trace) for trace in problem.traces
    )


def _failures(answer: Repairs) -> tuple[int, int]:
    best = answer.candidates[0]
    return best.crashes, best.lost_nodes


def _more(
    problem: Problem,
    bench: _Bench,
    segments: Sequence[frozenset[int]],
    work: Work,
    edits: int,
    share: Fraction,
) -> list[Space]:
    """Repairs on the straight line with a bench's choices, as far as a share of the work finds them."""
    for runner in bench.runners:
        runner.configure(prepare(runner.machine, runner.trace), bench.editable)
    outlooks = [Outlook(runner) for runner in bench.runners]
    limits = Limits(problem.budget.insertions)
    explorer = Explorer(problem.program, bench.runners, work, limits, segments, outlooks)
    try:
        with work.at_most(int(problem.budget.work * share)):
            explorer.search(edits)
    except Stopped:
        pass
    return explorer.found


def _near(plain: _Bench) -> _Bench | None:
    """Only the functions where the traces start, their calls left as they are; None if these are all."""
    started = {runner.trace.start_stack[0][0] for runner in plain.runners}
    near = {name: found for name, found in plain.editable.items() if name in started}
    return replace(plain, editable=near) if len(near) < len(plain.editable) else None


def _stepwise(
    problem: Problem,
    menus: Menus,
    runners: list[Runner],
    editable: dict[str, dict[int, int]],
    work: Work,
    stage: _Stage,
) -> list[Space]:
    """Repairs of the stage's size put together step by step; none where that comes to no end either."""
    try:
        with work.at_most(int(problem.budget.work * _STEPWISE_SHARE)):
            limits = Limits(problem.budget.insertions)
            return stepwise(problem.program, runners, menus, editable, work, limits, stage.edits)
    except Stopped:
        return []  # if nothing more may be done at all, the next stage will notice


@contextmanager
def _deep_recursion() -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _DEEP))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def editable_locations(problem: Problem, menus: Menus, runners: list[Runner]) -> dict[str, dict[int, int]]:
    """The locations that may change: by function, instruction to location."""
    found: dict[str, dict[int, int]] = {}
    for name in sorted(frozenset().union(*(runner.reachable for runner in runners))):
        function = problem.program.functions[name]
        if function.code and not function.unsupported:
            found[name] = {
                index: location
                for location, index in menus.indices(name).items()
                if problem.editable is None or location in problem.editable
            }
    return found


def _stages(problem: Problem, runners: list[Runner]) -> Iterator[_Stage]:
    edits, least = problem.budget.edits, problem.budget.least
    for number in range(least, edits + 1):
        yield _Stage(number, share=None if number <= _FREE_EDITS else _MANY_EDITS_SHARE)
        if number >= _BEFORE_GUARDS:
            guarded = number - _BEFORE_GUARDS + 1
            yield _Stage(guarded, share=_GUARDED_SHARE, guarded=True)
        if number == _BEFORE_GUARDS:
            yield _Stage(number, share=_SPARES_SHARE, spares=True)
    relaxed = range(least, min(edits, _RELAXED_EDITS) + 1)
    if any(runner.has_observed for runner in runners):
        for number in relaxed:
            yield _Stage(number, own_control=True, share=_OWN_CONTROL_SHARE)
    if any(runner.has_weak for runner in runners):
        for spare in range(1, _GIVEN_UP + 1):
            for number in relaxed:
                yield _Stage(number, spare=spare, share=_GIVING_UP_SHARE)


def _answer(
    problem: Problem,
    bench: _Bench,
    spaces: list[Space],
    stopped: StopReason,
    stage: _Stage,
    work: Work,
) -> Repairs:
    given_up = _least(spaces)
    kept = [space for space in spaces if space.given_up <= given_up]
    steps, listed = _trial_steps(bench.runners[0]), problem.budget.listed
    ranking = rank(problem.program, problem.traces[0], bench.menus, kept, steps, listed)
    return Repairs(
        ranking.candidates,
        stopped,
        ranking.behaviours,
        ranking.total,
        tuple(sorted(given_up, key=_order)),
        stage.own_control,
        work.spent,
    )


def _trial_steps(runner: Runner) -> int:
    return runner.patience if runner.length is not None else _TRIAL_STEPS


def _least(spaces: list[Space]) -> frozenset[tuple[str, Place]]:
    """The smallest set of places that a repair gives up; of equal ones the first in order."""
    return min(
        (space.given_up for space in spaces),
        key=lambda found: (len({p for _, p in found}), len(found), sorted(map(_order, found))),
    )


def _order(given: tuple[str, Place]) -> tuple[str, str]:
    return given[0], repr(given[1])
