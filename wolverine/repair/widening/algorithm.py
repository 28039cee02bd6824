"""The engines `widening`, Algorithm 1 of Wolverine2 (section 4), and `widening-any`, the paper's AlgVar.

All locations begin as they are: the bounds tau_grd, tau_stm and tau_ins on how many guards, statements and
insertion slots may differ are zero.  As long as there is no solution the unsat core tells which bound is to
be relaxed, guards first, then statements, then insertions; where it holds none of them no repair exists and
the search fails fast.  `widening-any` relaxes one constraint of the core, drawn by chance, instead.

Locks (section 5.1).  The localizer's suspicious statements may be given: all others are then locked, and,
where no insertion slot is allowed, assign any value (`nondet`, Theorem A.2).  The paper calls that sound: the
fault is among the suspicious statements, so that nothing is lost.  It is not: a wrong condition that nobody
forced has no gradient, a missing statement cannot be suspicious, and of two faults one may hide the other
(`localize.gradient` lists the cases, the tests have the smallest).  An arbitrary value may also do what the
locked statement never does.  So what is found is confirmed by the machine, and where the locks leave no
repair they are lifted.

Edits that were accepted before stay in force: Algorithm 1 begins with the program under them, and without
them only where as few edits do, or where nothing can be found beside them.

What Algorithm 1 finds need not be small: guards are in nearly every core, so that tau_grd grows where one
statement is at fault.  `closing` therefore asks for fewer edits of any kind, and for other places of as many.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from wolverine.core.patch import NO_EDITS, NoRepair, Patch, Repairs
from wolverine.core.trace import Problem
from wolverine.repair.widening.closing import Closing
from wolverine.repair.widening.questions import Failed, Found, Questions
from wolverine.repair.widening.relaxed import KINDS, Plan, Selector, Way
from wolverine.repair.widening.rounds import core_words, patch_words, plan_words, relaxed_words, round_words
from wolverine.semantics.faults import Halt
from wolverine.solve import terms
from wolverine.solve.solver import Unsat
from wolverine.solve.terms import Term

NAME, ANY = "widening", "widening-any"
SLOTS = 1  # insertion slots where the user does not say how many
EFFORT = 2_000_000  # the solver's work on one round; a small repair is asked for where that does not suffice


def _silent(_line: str) -> None:
    """Nobody wants to know."""


@dataclass(frozen=True)
class Options:
    """`suspicious`: the only locations that may change at first (None: all).  `told` hears of the rounds.

    Unless `confined`, other places for as many edits are looked for without locks.
    """

    suspicious: frozenset[int] | None = None
    confined: bool = False
    told: Callable[[str], None] = _silent


def widening(
    problem: Problem,
    *,
    interrupted: Callable[[], bool] = lambda: False,
    options: Options = Options(),
) -> Repairs | NoRepair:
    """Algorithm 1: relax the bounds that the unsat cores name until the program can be repaired."""
    return _Search(problem, interrupted, options, None).run()


def widening_any(
    problem: Problem,
    *,
    interrupted: Callable[[], bool] = lambda: False,
    options: Options = Options(),
) -> Repairs | NoRepair:
    """AlgVar: drop one constraint of each unsat core, drawn by chance (always the same draws)."""
    return _Search(problem, interrupted, options, random.Random(1)).run()


class _Search:
    def __init__(
        self,
        problem: Problem,
        interrupted: Callable[[], bool],
        options: Options,
        chance: random.Random | None,
    ) -> None:
        self._problem = problem
        self._options = options
        self._told = options.told
        self._chance = chance
        self._questions = Questions(problem, interrupted)

    def run(self) -> Repairs | NoRepair:
        accepted, settled = self._problem.accepted, self._problem.settled
        if accepted.edits and (settled or self._problem.budget.least or not self._questions.meets(NO_EDITS)):
            self._told("edits that were accepted before are tried first:")
            self._tell(accepted)
            found = self._beside(accepted)
            if found is not None:
                return found
            self._told("no repair beside them: they are given up")
        return self._relaxed(NO_EDITS)

    def _beside(self, accepted: Patch) -> Repairs | NoRepair | None:
        """With what was accepted, or with as few other edits; None where there is no such repair."""
        if accepted.size >= self._problem.budget.least and self._questions.meets(accepted):
            return self._settled(accepted) or self._instead(accepted.size - 1) or self._as_many(accepted)
        settled = self._problem.settled
        found = (None if settled else self._instead(accepted.size)) or self._relaxed(accepted)
        return found if isinstance(found, Repairs) or settled or self._questions.over else None

    def _settled(self, accepted: Patch) -> Repairs | None:
        """What was accepted alone, where it is to stay in any case."""
        return self._closing().single(accepted) if self._problem.settled else None

    def _as_many(self, accepted: Patch) -> Repairs:
        """What was accepted, and other places for as many edits."""
        closing = self._closing()
        try:
            self._questions.encode(Plan(closing.slots(accepted.size)))
        except Halt:
            return closing.single(accepted)
        return closing.single(accepted) if self._chance else closing.answer(accepted)

    def _instead(self, size: int) -> Repairs | None:
        """So many edits at most without those that were accepted."""
        budget = self._problem.budget
        if self._options.confined or self._chance or not max(budget.least, 1) <= size <= budget.edits:
            return None
        closing = self._closing()
        patch = closing.anew(size)
        return None if patch is None else closing.answer(patch)

    def _relaxed(self, kept: Patch) -> Repairs | NoRepair:
        """Algorithm 1 on the program under these edits."""
        failed: Failed | None = None
        plans = self._plans(kept)
        for number, plan in enumerate(plans):
            try:
                self._questions.encode(plan)
            except Halt as halt:
                return self._closing().conditions_alone() or NoRepair("unsupported", (str(halt),))
            self._told(plan_words(plan, self._questions.locked))
            answer = self._bounds() if self._chance is None else self._any(self._chance)
            if isinstance(answer, Found):
                return self._finish(answer)
            failed = answer
            if answer.reason == "budget" or answer.reason == "interrupted":
                return NoRepair(answer.reason, answer.core, self._questions.asked)
            if number + 1 < len(plans):
                self._told("no repair under these locks: they are lifted")
        assert failed is not None
        if self._chance is None:
            closing = self._closing()
            patch = closing.any_kind(failed.reason == "tries")
            if patch is not None:
                return closing.answer(patch)
            if closing.unanswered:  # there may be one
                return NoRepair("budget", failed.core, self._questions.asked)
        return NoRepair("unsatisfiable", failed.core, self._questions.asked)

    def _plans(self, kept: Patch) -> list[Plan]:
        slots = SLOTS if self._problem.budget.insertions is None else self._problem.budget.insertions
        free = Plan(slots, kept=kept)
        suspicious = self._options.suspicious
        if suspicious is not None:
            suspicious -= {edit.location for edit in kept.edits}
        if not suspicious:
            return [free]
        locked = replace(free, suspicious=suspicious)
        return [replace(locked, angelic=True), locked, free] if slots == 0 else [locked, free]

    # -- Algorithm 1 -----------------------------------------------------------------------------

    def _bounds(self) -> Found | Failed:
        """Lines 22 to 35.  With a bound of zero the selectors themselves are assumed to be false."""
        questions = self._questions
        bounds = [0, 0, 0]
        of_kind = [[s for s in questions.selectors if s.kind == kind] for kind in range(len(KINDS))]
        sizes = [len(members) for members in of_kind]
        number = 0
        while True:
            number += 1
            assumed: list[tuple[Term, Selector | Way | int]] = [(way.term, way) for way in questions.ways]
            for kind, members in enumerate(of_kind):
                if bounds[kind] == 0:
                    assumed += [(terms.negation(s.term), s) for s in members]
                elif bounds[kind] < len(members):
                    limit = questions.at_most(f"tau{kind}", [s.term for s in members], bounds[kind])
                    assumed.append((limit, kind))
            answer = None
            if sum(bounds) == 1 and not questions.plan.angelic:
                answer = questions.one_by_one(EFFORT, bounds.index(1))
            if not isinstance(answer, Found):  # the whole encoding has the core
                answer = questions.ask([term for term, _ in assumed], EFFORT)
            if isinstance(answer, Found):
                self._told(round_words(number, bounds, "satisfiable"))
                self._tell(answer.patch)
                return answer
            if isinstance(answer, Failed):
                over = questions.over or answer.reason != "budget"
                self._told(
                    round_words(number, bounds, f"no answer in the {'time' if over else 'effort'} allowed")
                )
                return answer if over else Failed("tries", self._failed(bounds))
            self._told(round_words(number, bounds, "unsatisfiable"))
            core = [assumed[index][1] for index in answer.core]
            questions.blame(core)
            for line in core_words(core, sizes):
                self._told(line)
            kinds = {each.kind if isinstance(each, Selector) else each for each in core}
            named = sorted(kind for kind in kinds if isinstance(kind, int))
            if not named:
                if self._problem.budget.insertions is not None:
                    return Failed("unsatisfiable", self._failed(bounds))
                if questions.plan.slots:  # whatever stands in them
                    self._told("  so many slots do not suffice: more are made available")
                return Failed("tries", self._failed(bounds))
            if sum(bounds) >= self._problem.budget.edits:
                self._told(f"{sum(bounds)} edits are allowed already: Algorithm 1 ends here")
                return Failed("tries", self._failed(bounds))
            bounds[named[0]] += 1
            self._told(relaxed_words(named[0], bounds[named[0]]))

    def _any(self, chance: random.Random) -> Found | Failed:
        questions = self._questions
        kept: list[Selector | Way] = [*questions.ways, *questions.selectors]
        while True:
            answer = questions.ask(
                [each.term if isinstance(each, Way) else terms.negation(each.term) for each in kept]
            )
            if not isinstance(answer, Unsat):
                return answer
            free = [index for index in answer.core if isinstance(kept[index], Selector)]
            for line in core_words([kept[index] for index in answer.core], (0, 0, 0)):
                self._told(line)
            if not free:
                return Failed("unsatisfiable", ())
            drawn = kept.pop(chance.choice(free))
            self._told(f"  drawn and dropped: {drawn.words}")

    def _failed(self, bounds: list[int]) -> tuple[str, ...]:
        words = ", ".join(f"{bound} {kind}" for bound, kind in zip(bounds, KINDS))
        return (f"the assertions and forced branches, with {words} relaxed",)

    # -- the answer ------------------------------------------------------------------------------

    def _tell(self, patch: Patch) -> None:
        for line in patch_words(self._problem.program, patch):
            self._told(line)

    def _closing(self) -> Closing:
        return Closing(self._problem, self._questions, self._told)

    def _finish(self, found: Found) -> Repairs:
        closing = self._closing()
        patch = found.patch
        if self._problem.budget.least <= self._questions.plan.kept.size:
            patch = closing.without_idle(patch)
        if patch.size < found.patch.size:
            self._told("edits that are not needed are left out")
            self._tell(patch)
        if self._chance is not None:
            return closing.single(patch)
        patch = closing.smaller(patch)
        now = self._questions.plan
        if now.suspicious is not None and not self._options.confined and patch.edits:
            self._questions.encode(replace(now, suspicious=None, angelic=False))
        return closing.answer(patch)
