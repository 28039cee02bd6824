"""The default engine, `search`: makes the searches that `stages` lists; the first that finds is the answer.

Where three plain edits or more are needed, or the execution crashes under the best of the repairs as soon as
it goes on behind the trace (a special case is missing: an empty list, say), statements under a test are
looked for besides; so they are where what is inserted crashes on fresh heaps on which nothing crashed before.
Where a search of several edits takes long, `fallback` is asked.  When nothing fits, a small conflicting set
of assertions and forced branches is searched for by leaving them out one by one.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import islice, product
from math import inf

from wolverine.core.patch import Candidate, NoRepair, Patch, Repairs, StopReason
from wolverine.core.program import Function
from wolverine.core.trace import Problem
from wolverine.repair.execution.spaces import Space
from wolverine.repair.execution.work import Stopped, Work, recursion_limit
from wolverine.repair.explicit.bench import Bench, bench_of
from wolverine.repair.explicit.conflict import conflict, doubted
from wolverine.repair.heaps.known import Known
from wolverine.repair.heaps.lacking import lacking
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.unlinked import crashed_unlinked
from wolverine.repair.ranking.answered import (
    broken_by,
    closer_than_calls,
    closer_than_onward,
    closer_than_special,
    fails_later,
    failures,
    far_off,
    harmful,
    later,
    least_given_up,
    order,
    renumbered,
    sheltered_only,
    trial_steps,
)
from wolverine.repair.ranking.rank import rank, scores_of
from wolverine.repair.ranking.score import Scores
from wolverine.repair.ranking.sequel import sequel_of
from wolverine.repair.ranking.sheltering import sheltering
from wolverine.repair.ranking.stepwise import stepwise
from wolverine.repair.sat.fallback import Fallback, Verdict, fallback
from wolverine.repair.source.ending import returned_variable, set_in_vain
from wolverine.repair.special.approved import since_approved
from wolverine.repair.special.declaring import declaring
from wolverine.repair.special.early import CLOSEST_EARLY, FARTHEST_EARLY
from wolverine.repair.special.fewer import fewer
from wolverine.repair.special.freeing import freeing
from wolverine.repair.special.keeping import KEEPING, kept_early, kept_elsewhere
from wolverine.repair.special.missing import EDITS, ended, returning, searching
from wolverine.repair.special.moves import moved, shifts
from wolverine.repair.special.omitted import omitted
from wolverine.repair.special.severed import Severed, severed
from wolverine.repair.special.severing import linking, returned, severing, targeting
from wolverine.repair.special.singles import singular, spelled
from wolverine.repair.special.stages import (
    BEFORE_GUARDS,
    CALLS_SHARE,
    GUARDED_SHARE,
    NODES_SHARE,
    SPARES_SHARE,
    SPECIAL_SHARE,
    Stage,
    early,
    stages,
)
from wolverine.semantics.faults import Halt
from wolverine.semantics.replay import replay
from wolverine.semantics.valueless import lacking_return, runs_out

_NEAR_SHARE = Fraction(1, 10)
_FAR_SHARE = Fraction(1, 100)  # where the best of the repairs is far off
_DIRECT_SHARE = Fraction(1, 8)
_MOVE = 2  # edits: a deletion and an insertion
_MOVES_SHARE = Fraction(1, 40)
_FIRST_SHARE = Fraction(1, 40)  # of an explicit search, before the fallback is asked
_DENIED_SHARE = Fraction(1, 20)  # where the fallback has found nothing, with a few choices left out
_APART = 3  # functions that are searched each by itself
_APART_TO = 2  # edits
_APART_SHARE = Fraction(1, 20)
_FALLBACK_SHARE = Fraction(1, 8)
_STEPWISE_SHARE = Fraction(1, 6)
_SEVERAL = 2  # edits
_APPROVED_SHARE = Fraction(1, 3)
_FREEING_SHARE = Fraction(1, 10)
_GOING_ON = 16  # behaviours of which it is seen whether the execution goes on
_LATER = 3.5  # so much farther off is one under which it does: what crashes later may be another fault
_UNLIKELY = 1.3  # beside its distance, what speaks against the best repair where a node was freed
_UNLIKELY_LINK = 2.6  # where it sets what leads to the node: that others see it no more is what was meant
_INSTEAD = 1.0  # what may speak against a repair instead of what was accepted, before one beside it is sought
_DOUBTFUL = 3  # so many edits are rather an assertion that is wrong
_PLAIN = (False, False, False, False)
_WIDENINGS = tuple(product((False, True), repeat=4))  # with calls, new nodes, spares, statements under tests
_DEEP = 20_000  # nested calls: one for every time that a group of choices is split


def search(problem: Problem, *, interrupted: Callable[[], bool] = lambda: False) -> Repairs | NoRepair:
    """Find the smallest edits under which every trace meets all of its events.

    Returns all minimal repairs, ranked; they are marked incomplete when the budget or `interrupted`
    (asked every few thousand steps) ended the search, or a share of the budget an earlier stage of it.
    Deterministic unless ended by the clock.
    """
    work = Work(problem.budget, interrupted)
    if not problem.traces:
        return NoRepair("unsupported", ("there is no execution to repair",))
    try:
        plain = bench_of(problem, Menus(problem.program))
    except Halt as halt:
        return NoRepair("unsupported", (str(halt),))
    with recursion_limit(max(sys.getrecursionlimit(), _DEEP)):
        return _Search(problem, plain, work).answer()


class _Search:
    """One problem: its benches, made when first needed, and whether some stage came to no end."""

    def __init__(self, problem: Problem, plain: Bench, work: Work) -> None:
        self._problem = problem
        self._plain = plain
        self._work = work
        self._ranking = 0.0  # seconds of processor time
        self._sequel = sequel_of(problem.program, problem.traces[0])
        self._known = Known()
        self._benches = {_PLAIN: plain}
        self._keeping: dict[tuple[bool, ...], Bench | None] = {}
        self._lacking = lacking(problem, plain.runners)
        self._unlinked = crashed_unlinked(problem.program, problem.traces[0])
        self._ended: dict[Stage, bool] = {}  # whether the stages so far came to an end
        self._fallback: Fallback | None = None
        self._fallen = False  # whether the fallback was made, or could not be

    @cached_property
    def _scores(self) -> Scores:
        """The distances of edits; a search that finds nothing asks for none."""
        return scores_of(self._problem.program, self._problem.traces[0])

    @cached_property
    def _approved(self) -> Bench | None:
        return since_approved(self._plain)

    def _bench(self, stage: Stage) -> Bench | None:
        """The choices for a stage; None where they do not include what was accepted before."""
        name = stage.guarded, stage.spares, stage.nodes, stage.calls
        if not stage.kept:
            return self._choices(*name)
        if name not in self._keeping:
            widenings = [
                (stage.guarded or guarded, stage.spares or spares, stage.nodes or nodes, stage.calls or calls)
                for calls, nodes, spares, guarded in _WIDENINGS
            ]
            benches = (self._choices(*each).keeping(self._problem.accepted) for each in widenings)
            self._keeping[name] = next((bench for bench in benches if bench is not None), None)
        return self._keeping[name]

    def _choices(self, guarded: bool, spares: bool, nodes: bool, calls: bool) -> Bench:
        name = guarded, spares, nodes, calls
        if name not in self._benches:
            self._benches[name] = self._plain.widened(
                guarded=guarded, spares=spares, nodes=nodes, calls=calls
            )
        return self._benches[name]

    def answer(self) -> Repairs | NoRepair:
        """What lies where a node was freed, unless much speaks against it and less against something else.

        Where a function ended without `return`, it is that.  Where a node is used that was freed, what keeps
        its link comes before all but a statement in the wrong place.
        """
        if self._problem.freeing:
            return self._freeing()
        if self._problem.keeping:
            return self._links_kept() or NoRepair("unsatisfiable", (), self._work.spent)
        if (returning := self._returning()) is not None:
            return returning
        if self._stale and (kept := self._links_kept()) is not None:
            return kept
        where = self._where_freed()
        freed = self._severed(where) if where is not None else None
        freed = self._or_early(Stage(1), freed) if freed is not None else None
        if where is None or freed is None:
            return self._staged()
        known = freed.candidates[0]
        unlikely = _UNLIKELY_LINK if where.cut(self._problem.program, known.patch) else _UNLIKELY
        if known.against - known.score <= unlikely:
            return freed
        found = self._staged()
        return found if isinstance(found, Repairs) and found.candidates[0].against < known.against else freed

    def _staged(self) -> Repairs | NoRepair:
        """Make the searches in order."""
        anew: Repairs | None = None  # without all that was accepted, and something speaks against it
        crashes = False  # under it, as it goes on
        for stage in stages(self._problem, lacking=self._lacking):
            bench = self._bench(stage)
            name = replace(stage, share=None, nearby=False)
            if bench is None or self._ended.get(name):
                continue
            if anew is not None and not (stage.kept and (crashes or stage.edits == 1)):
                continue
            besides = stage.edits - _MOVE
            moves = self._moved(besides) if stage.plain and not stage.kept and besides in (0, 1) else []
            if moves:
                stage = replace(stage, share=_FIRST_SHARE, nearby=False)
            try:
                stopped: StopReason = "budget"
                behind = found = self._since_approved(stage)
                if not behind:
                    found, stopped = self._stage(name, stage, bench)
            except Stopped as stop:
                reason = stop.reason if stop.reason != "complete" else "budget"
                return NoRepair(reason, (), self._work.spent)
            if found and stage.plain and not stage.kept and stage.edits == 1:
                moves = self._moved()
            found = [*found, *(each for each in moves if each not in found)]
            if behind:
                found, bench, stage = self._or_under_a_test(found, bench, stage)
            if found:
                found, stage = self._fewer(name, stage, bench, found)
                complete = "budget" if self._cut and stopped == "complete" else stopped
                answer = self._as_approved(stage, self._finished(stage, bench, found, complete))
                answer = self._or_early(stage, self._where_it_is_missing(stage, answer))
                best = answer.candidates[0]
                if stage.early and best.against > FARTHEST_EARLY:
                    continue  # two other edits may be closer
                if stage.kept:
                    closer = anew is None or crashes or best.against <= anew.candidates[0].against
                    return answer if closer or anew is None else anew
                crashes = bool(self._problem.accepted.edits) and later(self._problem, best)
                if not crashes and (best.against < _INSTEAD or _keeps(best.patch, self._problem.accepted)):
                    return answer
                anew = answer
        if anew is not None:
            return anew
        core = conflict(self._plain, self._work)
        return NoRepair("budget" if self._cut else "unsatisfiable", core, self._work.spent)

    @property
    def _cut(self) -> bool:
        """Whether some stage came to no end."""
        return not all(self._ended.values())

    def _since_approved(self, stage: Stage) -> list[Space]:
        """What several edits do behind the last picture that was right, where there is one."""
        if stage.edits < _SEVERAL or not stage.plain or stage.kept or self._approved is None:
            return []
        return self._behind(self._approved, stage)

    def _behind(self, approved: Bench, stage: Stage) -> list[Space]:
        """What so many edits do behind such a picture, those first that write what is asserted."""
        for share in (_FIRST_SHARE, _APPROVED_SHARE):
            found, complete = approved.looked(self._work, stage.edits, self._part(share))
            if not complete:
                more = self._direct(approved, stage)
                found = [*found, *(each for each in more if each not in found)]
            if found or complete:
                break
        return found

    def _or_under_a_test(
        self, found: list[Space], bench: Bench, stage: Stage
    ) -> tuple[list[Space], Bench, Stage]:
        """What two edits do behind a picture that was right, and what one does there under a test."""
        guarded = self._bench(replace(stage, guarded=True)) if stage.edits == _SEVERAL else None
        behind = since_approved(guarded) if guarded is not None else None
        more = self._more(behind, 1, GUARDED_SHARE) if behind is not None else []
        if not more or guarded is None:
            return found, bench, stage
        stage = replace(stage, guarded=True)
        return [*self._besides(stage, bench, found, more)[0]], guarded, stage

    def _as_approved(self, stage: Stage, answer: Repairs) -> Repairs:
        """Before single edits under which no picture that was right is come to: two that keep these."""
        bench, edits = self._approved, stage.edits + 1
        if stage.edits != 1 or stage.kept or bench is None or edits > self._problem.budget.edits:
            return answer
        if any(self._comes_to_approved(each) for each in answer.closest()[:_GOING_ON]):
            return answer
        found = self._behind(bench, Stage(edits))
        if not found:
            return answer
        return self._finished(Stage(edits), self._plain, found, "budget").then(answer)

    def _where_it_is_missing(self, stage: Stage, answer: Repairs) -> Repairs:
        """Before what lets a search end: that together with a return where nothing was found."""
        if stage.edits != 1 or stage.kept or self._problem.budget.edits < EDITS:
            return answer
        search, stage = searching(self._problem.program, self._problem.traces[0]), Stage(EDITS, guarded=True)
        guarded = self._bench(stage) if search is not None else None
        if search is None or guarded is None:
            return answer
        few = ended(guarded, search)
        found = [returning(each, few.menus, search) for each in self._more(few, 1, NODES_SHARE)]
        found = [each for each in found if len(each.masks) == EDITS]
        if not found:
            return answer
        other = self._ranked(guarded, found, "budget", stage)
        if other.candidates[0].crashes > answer.candidates[0].crashes:
            return answer
        return other.then(answer)

    @property
    def _stale(self) -> bool:
        """Whether all that is known is that a node is used that was freed, or the like."""
        return all(trace.strict and trace.bare and not trace.lost for trace in self._problem.traces)

    def _links_kept(self) -> Repairs | None:
        """Links that are kept before they are spoilt, where little speaks against that."""
        problem = self._problem
        if problem.accepted.edits or problem.budget.least > KEEPING or problem.budget.edits < KEEPING:
            return None
        answer = self._ranked_early(moves=True)
        return answer if answer is not None and answer.candidates[0].against <= FARTHEST_EARLY else None

    def _or_early(self, stage: Stage, answer: Repairs) -> Repairs:
        """Before single edits against which more speaks: a link that is kept before it is spoilt."""
        best = answer.candidates[0]
        if stage.edits != 1 or self._problem.budget.edits < KEEPING or best.against <= CLOSEST_EARLY:
            return answer
        other = self._ranked_early(kept=stage.kept)
        if other is None:
            return answer
        first = other.candidates[0]
        moves = best.score <= first.score and any(shifts(self._problem.program, best.patch))
        closer = first.against < min(best.against, FARTHEST_EARLY) and not moves
        return other.then(answer) if closer else answer

    def _ranked_early(self, *, kept: bool = False, moves: bool = False) -> Repairs | None:
        """The first of the searches for links kept early that finds some, perhaps with statements moved."""
        for each in early(self._problem):
            stage = replace(each, kept=kept)
            bench = self._bench(stage)
            found = self._early(stage, bench) if bench is not None else []
            if bench is not None and found:
                found += self._moved_on(bench) if moves else []
                return self._ranked(bench, found, "complete", stage)
        return None

    def _moved_on(self, bench: Bench) -> list[Space]:
        """Statements that stand elsewhere, with a bench's menus."""
        return moved(bench, self._work, self._part(_MOVES_SHARE) or 0)

    def _early(self, stage: Stage, bench: Bench) -> list[Space]:
        """Links that are kept before they are spoilt; where the source keeps one, that is taken."""
        most = self._part(stage.share) or 0
        found = kept_early(bench, self._work, most, own_control=stage.own_control)
        return kept_elsewhere(bench, self._work, found, own_control=stage.own_control) or found

    def _comes_to_approved(self, candidate: Candidate) -> bool:
        """Whether the execution still comes to where the pictures were right."""
        ways = (trace.approved for trace in self._problem.traces if trace.approved is not None)
        program = self._problem.program
        return all(replay(program, candidate.patch, way, own_control=True).met for way in ways)

    def _stage(self, name: Stage, stage: Stage, bench: Bench) -> tuple[list[Space], StopReason]:
        """What a stage finds, and what ended it; raises `Stopped` where all must end and nothing is found."""
        if stage.calls:
            self._ended[name] = True  # what it leaves out is nothing that other stages look for
            return self._omitted(bench, own_control=stage.own_control), "complete"
        if stage.special:
            few = singular(bench, onward=stage.onward)
            found, stopped = self._explored(name, stage, few)
            return [spelled(space, few.menus, bench.menus) for space in found], stopped
        if stage.early:
            self._ended[name] = True
            found = self._early(stage, bench)
            return [*found, *(self._moved_on(bench) if found and not stage.kept else [])], "complete"
        if not stage.nearby or stage.kept:
            return self._explored(name, stage, bench)
        if self._fallback is None:  # where it was needed once, it is asked first
            first = replace(stage, share=_FIRST_SHARE, nearby=False)
            found, stopped = self._explored(name, first, bench, further=stage.share)
            if found or self._ended[name]:
                return found, stopped
        self._ended[name] = False
        found, verdict = self._solved(stage.edits)
        if verdict == "all":
            self._ended[name] = True
            return found, "complete"
        found = found or self._direct(bench, stage)
        if found:
            return found, "budget"
        rest = stage if verdict == "unknown" else replace(stage, share=_DENIED_SHARE, nearby=False)
        return self._explored(name, rest, bench)

    def _where_freed(self) -> Severed | None:
        """Where a node was freed that is used later, where that is all that is known."""
        problem = self._problem
        if problem.accepted.edits or not all(t.strict and t.bare for t in problem.traces):
            return None
        known = severed(problem.program, problem.traces[0])
        return known if known.functions else None

    def _severed(self, known: Severed) -> Repairs | None:
        """Repairs in the functions that freed such a node."""
        problem = self._problem
        stage = Stage(1, guarded=True, calls=True)
        wider = self._choices(guarded=True, spares=False, nodes=False, calls=True)
        plain, calling = (bench.within(known.functions) for bench in (self._plain, wider))
        cleared: list[Space] = []
        for number in range(2, min(known.several, problem.budget.edits) + 1):
            cleared += self._more(severing(wider, known, null=True), number, GUARDED_SHARE)
        # Where a node leads to several that were freed, these pointers were forgotten, all of them.
        setting = [*cleared, *self._more(severing(wider, known), 1, GUARDED_SHARE)]
        if cleared and (answer := self._unspoiled(wider, setting, stage)) is not None:
            return answer
        found = [renumbered(space, plain.menus, wider.menus) for space in self._more(plain, 1, GUARDED_SHARE)]
        return self._unspoiled(wider, [*found, *setting, *self._omitted(calling)], stage)

    def _freeing(self) -> Repairs | NoRepair:
        """The fewest edits that free, beside what was accepted, on the straight line."""
        budget = self._problem.budget
        complete = True
        for number in range(max(budget.least, 1), budget.edits + 1):
            for spares in (False, True)[: min(number, BEFORE_GUARDS)]:
                stage = Stage(number, spares=spares, calls=True, kept=bool(self._problem.accepted.edits))
                bench = self._bench(stage)
                if bench is None:
                    continue
                found, ended = freeing(bench).looked(self._work, number, self._part(_FREEING_SHARE))
                complete = complete and ended
                if found:
                    return self._ranked(bench, found, "complete" if ended else "budget", stage)
                if self._work.over == "interrupted":
                    return NoRepair("interrupted", (), self._work.spent)
        return NoRepair("unsatisfiable" if complete else "budget", (), self._work.spent)

    def _returning(self) -> Repairs | None:
        """What a function returns at its end that may end without."""
        problem, stage = self._problem, Stage(1, guarded=True)
        if problem.accepted.edits or not problem.budget.least <= 1 <= problem.budget.edits:
            return None
        functions = self._without_return()
        if not functions:
            return None
        bench = self._choices(guarded=True, spares=False, nodes=False, calls=False)
        for function in functions:
            if found := self._more(returned(bench, function), 1, GUARDED_SHARE):
                break
        else:
            return None
        answer = self._ranked(bench, found, "complete", stage)
        unread = set_in_vain(function, problem.program)

        def unlikely(candidate: Candidate) -> tuple[bool, float, bool]:
            name = returned_variable(candidate.patch)
            return name not in unread, candidate.against, not name

        return replace(answer, candidates=tuple(sorted(answer.candidates, key=unlikely)))

    def _without_return(self) -> Sequence[Function]:
        """The functions of which it may be that they end without `return`: that which did before a crash."""
        problem, crash = self._problem, self._problem.traces[0].crash
        if crash is None:
            return list(lacking_return(problem.program))
        if not all(trace.bare for trace in problem.traces):
            return ()
        function = problem.program.functions[crash.position.function]
        return [function] if crash.position.instruction == function.end and runs_out(function) else ()

    def _unspoiled(self, bench: Bench, found: list[Space], stage: Stage) -> Repairs | None:
        """The repairs ranked, None where the best loses nodes or crashes as it goes on."""
        if not found:
            return None
        answer = self._ranked(bench, found, "budget", stage)
        best = answer.candidates[0]
        return None if best.lost_nodes or later(self._problem, best) else answer

    def _moved(self, more: int = 0) -> list[Space]:
        """Repairs that set a statement elsewhere and make `more` edits, where so many are allowed."""
        budget = self._problem.budget
        if budget.edits < _MOVE + more or budget.insertions == 0:
            return []
        try:
            return moved(self._plain, self._work, self._part(_MOVES_SHARE) or 0, more)
        except Stopped:
            return []

    def _fewer(
        self, name: Stage, stage: Stage, bench: Bench, found: list[Space]
    ) -> tuple[list[Space], Stage]:
        """Repairs with fewer edits at the same places, where the search for so many came to no end."""
        numbers = range(max(self._problem.budget.least, 1), stage.edits)
        unknown = [number for number in numbers if not self._ended.get(replace(name, edits=number))]
        less = fewer(bench, self._work, stage, found, unknown, self._part(_NEAR_SHARE))
        return (less[0], replace(stage, edits=less[1])) if less is not None else (found, stage)

    def _solved(self, edits: int) -> tuple[list[Space], Verdict]:
        """What the fallback finds with so many edits; raises `Stopped` where all must end."""
        try:
            with self._work.at_most(self._part(_FALLBACK_SHARE)):
                if not self._fallen:
                    self._fallen = True
                    other = any(trace.endless or trace.lost for trace in self._problem.traces)
                    self._fallback = None if other else fallback(self._plain, self._work)
                if self._fallback is None:
                    return [], "unknown"
                return self._fallback.search(edits)
        except Stopped as stop:
            found = self._fallback.found if self._fallback is not None else []
            if not found and not stop.of_stage:
                raise
            return found, "some" if found else "unknown"

    def _explored(
        self, name: Stage, stage: Stage, bench: Bench, *, further: Fraction | None = None
    ) -> tuple[list[Space], StopReason]:
        """What the explicit search finds; with `further` as its share once it has found something."""
        if not (stage.relaxed or bench.possible(stage.edits)):
            self._ended[name] = True
            return [], "complete"
        self._ended[name] = False
        explorer = bench.explorer(
            self._work, own_control=stage.own_control, spare=stage.spare, nodes=stage.nodes
        )
        try:
            more = self._part(further) or 0
            with self._work.at_most(self._part(stage.share), lambda: more if explorer.found else 0):
                found = explorer.search(stage.edits, decided=bench.decided)
            self._ended[name] = True
            return found, "complete"
        except Stopped as stop:
            found = explorer.found
            if not found and not stop.of_stage:
                raise
            if not found and stage.nearby:
                found = self._nearby(bench, stage.edits)
            if (stage.nearby or (stage.spares and not found)) and stage.edits <= _APART_TO:
                found = [*found, *(each for each in self._apart(bench, stage) if each not in found)]
            return found, stop.reason

    def _part(self, share: Fraction | None) -> int | None:
        return None if share is None else int(self._problem.budget.work * share)

    def _nearby(self, bench: Bench, edits: int) -> list[Space]:
        """Where a search of so many edits came to no end: repairs close by, or put together step by step."""
        near = bench.near()
        found = self._more(near, edits, _NEAR_SHARE) if near is not None else []
        if found:
            return found
        try:
            with self._work.at_most(self._part(_STEPWISE_SHARE)):
                return stepwise(bench, self._work, edits)
        except Stopped:
            return []  # if nothing more may be done at all, the next stage will notice

    def _direct(self, bench: Bench, stage: Stage) -> list[Space]:
        """Of so many edits that it takes too long to try them all, those that write what is asserted."""
        if stage.edits < _SEVERAL or stage.relaxed:
            return []
        return bench.direct(self._work, stage.edits, self._part(_DIRECT_SHARE))

    def _apart(self, bench: Bench, stage: Stage) -> list[Space]:
        """Repairs within one function, the first that has some."""
        for each in islice(bench.apart(), _APART):
            try:
                found = self._more(each, stage.edits, _APART_SHARE)
            except Stopped:
                return []
            if found:
                return found
        return []

    def _more(self, bench: Bench, edits: int, share: Fraction, *, nodes: bool = False) -> list[Space]:
        """Repairs on the straight line with a bench's choices, as far as a share of the work finds them."""
        return bench.found(self._work, edits, self._part(share), nodes=nodes)

    def _finished(self, stage: Stage, bench: Bench, found: list[Space], stopped: StopReason) -> Repairs:
        """The answer; first what lets the execution go on, where the best of the repairs does not."""
        answer = self._widely(stage, bench, found, stopped)
        if not later(self._problem, answer.candidates[0]):
            return answer
        others = answer.closest()[1:_GOING_ON]
        asserted = not any(trace.bare for trace in self._problem.traces)
        first = answer.candidates[0]
        most, farthest = (first.crashes, inf) if asserted else (0, first.against + _LATER)
        better = next(
            (
                c
                for c in others
                if c.crashes <= most and c.against <= farthest and not later(self._problem, c)
            ),
            None,
        )
        if better is None:
            return answer
        rest = tuple(c for c in answer.candidates if c is not better)
        return replace(answer, candidates=(better, *rest))

    def _widely(self, stage: Stage, bench: Bench, found: list[Space], stopped: StopReason) -> Repairs:
        """The repairs, with guarded statements besides where a special case seems to be missing."""
        problem = self._problem
        more_than_known = stage.edits - (0 if stage.kept else len(problem.accepted.edits))
        doubt = None
        if stage.plain and more_than_known >= _DOUBTFUL:
            doubt = doubted(self._plain, self._work, stage.edits)
        plain = stage.plain
        if plain and self._lacking and stage.edits and (more := self._with_nodes(stage)):
            stage = replace(stage, nodes=True)
            found, bench = self._besides(stage, bench, found, more)
        answer = self._ranked(bench, found, stopped, stage)
        if (over := self._work.over) is not None:
            return replace(answer, doubted=doubt, complete=over)
        single = plain and stage.edits == 1
        calling = single and not closer_than_calls(problem, answer)
        added = False  # all that is added is ranked at once
        if calling and (more := self._with_calls(stage)):
            stage, added = replace(stage, calls=True), True
            found, bench = self._besides(stage, bench, found, more)
        leaving = calling or (single and any(trace.endless for trace in problem.traces))  # the way out
        if (leaving or (single and not closer_than_special(answer))) and (
            more := self._singular(stage, returning=leaving)
        ):
            stage, added = replace(stage, guarded=True), True
            found, bench = self._besides(stage, bench, found, more)
        if single and not closer_than_onward(answer) and (more := self._onward(stage)):
            stage, added = replace(stage, guarded=True, own_control=True), True
            found, bench = self._besides(stage, bench, found, more)
        if single and self._unlinked and (more := self._linking(stage)):
            stage, added = replace(stage, guarded=True), True
            found, bench = self._besides(stage, bench, found, more)
        if added:
            answer = self._ranked(bench, found, stopped, stage)
        answer = replace(answer, doubted=doubt)
        if not plain:
            return answer
        if not fails_later(problem, answer):
            more = self._under_tests(stage, answer, bench, found)
            more += self._in_some_cases(stage, answer)
            guarded = self._bench(replace(stage, guarded=True))
            if guarded is not None and far_off(answer):
                others = self._guarded(guarded, found, _FAR_SHARE)
                tested = (sheltered_only(guarded.menus, space, frozenset(space.masks)) for space in others)
                more += [space for space in tested if all(space.masks.values()) and space not in more]
            return self._ranked(guarded, [*found, *more], stopped, stage) if guarded and more else answer
        strict = any(trace.strict and not trace.lost for trace in problem.traces)
        if strict and any(failures(answer.candidates[0])):
            spares = self._bench(replace(stage, spares=True))
            wanted = spares if spares is None or spares.decided else declaring(spares)
            saved = self._more(wanted, BEFORE_GUARDS, SPARES_SHARE) if wanted is not None else []
            other = self._ranked(spares, saved, stopped, stage) if spares is not None and saved else answer
            kept = [c for c in other.candidates if c.patch.declares(problem.program)]
            best = answer.candidates[0]
            if kept and failures(kept[0]) < failures(best) and kept[0].against < best.against:
                return other.only(kept)
        guarded = self._bench(replace(stage, guarded=True))
        more = self._guarded(guarded, found, GUARDED_SHARE) if guarded is not None else []
        if guarded is None or not more:
            return answer
        return self._ranked(guarded, [*found, *more], stopped, stage)

    def _guarded(self, bench: Bench, found: list[Space], share: Fraction) -> list[Space]:
        """Repairs by a statement under a test; where the share does not suffice, in functions of `found`."""
        more, complete = bench.looked(self._work, 1, self._part(share))
        if complete:
            return more
        locations = self._problem.program.location
        within = bench.within({locations(each).function for space in found for each in space.masks})
        near = self._more(within, 1, GUARDED_SHARE)
        return [*more, *(space for space in near if space not in more)]

    def _besides(
        self, stage: Stage, bench: Bench, found: list[Space], more: list[Space]
    ) -> tuple[list[Space], Bench]:
        """What was found with a bench, and more with that of a stage, which has more choices; that bench."""
        wider = self._bench(stage)
        assert wider is not None  # more was found with it
        kept = [renumbered(space, bench.menus, wider.menus) for space in found]
        return [*kept, *more], wider

    def _with_nodes(self, stage: Stage) -> list[Space]:
        """Repairs with as many edits as the stage, of which one makes a new node."""
        bench = self._bench(replace(stage, nodes=True))
        return [] if bench is None else self._more(bench, stage.edits, NODES_SHARE, nodes=True)

    def _with_calls(self, stage: Stage) -> list[Space]:
        """Repairs by one call of a function of the program."""
        bench = self._bench(replace(stage, calls=True))
        return [] if bench is None else self._omitted(bench)

    def _singular(self, stage: Stage, *, returning: bool) -> list[Space]:
        """Repairs by a jump and its like, and by returns."""
        bench = self._bench(replace(stage, guarded=True))
        return [] if bench is None else self._spelled(bench, singular(bench, returning=returning), stage)

    def _onward(self, stage: Stage) -> list[Space]:
        """Repairs by a jump that is gone, with which loops may go on where they ended."""
        bench = self._bench(replace(stage, guarded=True))
        return [] if bench is None else self._spelled(bench, singular(bench, onward=True), stage, onward=True)

    def _spelled(self, bench: Bench, few: Bench, stage: Stage, *, onward: bool = False) -> list[Space]:
        """What is found with the few choices, as choices of the bench."""
        most = self._part(SPECIAL_SHARE if onward else NODES_SHARE)
        found = few.found(self._work, stage.edits, most, own_control=onward)
        return [spelled(space, few.menus, bench.menus) for space in found]

    def _linking(self, stage: Stage) -> list[Space]:
        """Repairs that set one of the links that nothing sets."""
        bench = self._bench(replace(stage, guarded=True))
        if bench is None:
            return []
        return self._more(linking(bench, self._unlinked), stage.edits, NODES_SHARE)

    def _omitted(self, bench: Bench, *, own_control: bool = False) -> list[Space]:
        lacking = self._lacking or any(trace.crash is not None for trace in self._problem.traces)
        most = self._part(CALLS_SHARE) or 0
        return omitted(bench, self._work, most, lacking=lacking, own_control=own_control)

    def _under_tests(
        self, stage: Stage, answer: Repairs, bench: Bench, spaces: Sequence[Space]
    ) -> list[Space]:
        """Repairs by statements that do harm on other heaps, under a test of what they go through.

        Several edits are those of the `spaces` that were found with the bench, but for that.
        """
        # Beside accepted edits what is missing elsewhere may well be said next.
        locations = harmful(self._problem.program, answer) if not stage.kept else frozenset[int]()
        guarded = self._bench(replace(stage, guarded=True)) if locations else None
        if guarded is None:
            return []
        if stage.edits > 1:
            few = sheltering(guarded, bench.menus, spaces, locations)
            found = self._more(few, stage.edits, GUARDED_SHARE)
            return [space for space in found if space not in spaces]
        wanted = locations | frozenset(guarded.decided)
        editable = {
            name: {index: each for index, each in found.items() if each in wanted}
            for name, found in guarded.editable.items()
        }
        found = self._more(replace(guarded, editable=editable), 1, GUARDED_SHARE)
        kept = (sheltered_only(guarded.menus, space, locations) for space in found)
        return [space for space in kept if all(space.masks.values())]

    def _in_some_cases(self, stage: Stage, answer: Repairs) -> list[Space]:
        """Repairs by statements under a test that spoil other heaps without one, where these come first."""
        best = answer.candidates[0]
        if not (best.broken or best.upset) or stage.edits != 1 or stage.kept:
            return []
        breaking = broken_by(answer)
        guarded = self._bench(replace(stage, guarded=True))
        if guarded is None:
            return []
        setting = targeting(guarded, breaking)
        return self._more(setting, 1, GUARDED_SHARE) if setting.editable else []

    def _ranked(self, bench: Bench, spaces: list[Space], stopped: StopReason, stage: Stage) -> Repairs:
        given_up = least_given_up(spaces)
        kept = [space for space in spaces if space.given_up <= given_up]
        steps, listed = trial_steps(bench.runners[0]), self._problem.budget.listed
        began = time.process_time()
        program, trace = self._problem.program, self._problem.traces[0]
        ranking = rank(
            program,
            trace,
            bench.menus,
            kept,
            steps,
            listed,
            scores=self._scores,
            sequel=self._sequel,
            over=lambda: self._work.over is not None,
            known=self._known,
            accepted=self._problem.accepted,
        )
        stopped = stopped if stopped != "complete" else self._work.over or stopped
        self._ranking += time.process_time() - began
        return Repairs(
            ranking.candidates,
            stopped,
            ranking.behaviours,
            ranking.total,
            tuple(sorted(given_up, key=order)),
            stage.own_control,
            self._work.spent,
            ranking=self._ranking,
        )


def _keeps(patch: Patch, accepted: Patch) -> bool:
    """Whether all that was accepted is among its edits."""
    return set(accepted.edits) <= set(patch.edits)
