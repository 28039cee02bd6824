"""Questions to the solver about one encoding; what it answers is confirmed by the machine."""

from __future__ import annotations

import gc
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Literal

from wolverine.core.patch import Patch
from wolverine.core.trace import Position, Problem
from wolverine.repair.execution.accepted import offering
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.widening.encoding import Encoding
from wolverine.repair.widening.relaxed import Plan, Selector, Way
from wolverine.repair.widening.solution import differs, patch_of
from wolverine.repair.widening.straight import encode_executions
from wolverine.semantics.faults import Halt
from wolverine.semantics.replay import Replayed, Replayer
from wolverine.solve import terms
from wolverine.solve.solver import Sat, Solver, Unknown, Unsat
from wolverine.solve.terms import Term

_TRIES = 1000  # questions in all
_WORK = 40_000_000  # the solver's work in all, in its own unit: half a minute or so, as the paper allows
_STEPS = 10_000_000  # machine steps in all
_REFUTED = 40  # solutions of one encoding that the machine does not confirm; of an angelic one:
_ANGELIC_REFUTED = 12
_PATIENCE = 20_000  # machine steps for one candidate


@dataclass(frozen=True)
class Found:
    """A patch under which every trace meets its events."""

    patch: Patch


@dataclass(frozen=True)
class Failed:
    """No answer: `refuted` by the machine, whatever the encoding allows; `tries`: the bounds ran out."""

    reason: Literal["unsatisfiable", "budget", "interrupted", "refuted", "tries"]
    core: tuple[str, ...] = ()


class _Means:
    """What all questions about a problem share: bounds and replays; `blamed` are arrivals that cores name."""

    def __init__(self, problem: Problem, interrupted: Callable[[], bool]) -> None:
        self.interrupted = interrupted
        seconds = problem.budget.seconds
        self.now = problem.budget.clock
        self.end = math.inf if seconds is None else self.now() + seconds
        self.left = _WORK
        self.replayers = [Replayer(problem.program, trace, limit=_PATIENCE) for trace in problem.traces]
        self.asked = 0
        self.steps = 0  # of the machine, while candidates were tried
        self.blamed: dict[Position, None] = {}


class Questions:
    """Asks about the encoding of a plan; all plans share the bounds on time and questions."""

    def __init__(
        self, problem: Problem, interrupted: Callable[[], bool], means: _Means | None = None
    ) -> None:
        self._problem = problem
        self.plain = self.menus = Menus(problem.program)
        self._means = means or _Means(problem, interrupted)
        self._limits: dict[tuple[str, int], Term] = {}

    @property
    def asked(self) -> int:
        """How many questions were asked."""
        return self._means.asked

    @property
    def steps(self) -> int:
        """Steps of the machine, while candidates were tried."""
        return self._means.steps

    @property
    def blamed(self) -> dict[Position, None]:
        """Arrivals at `if`s of which cores say that they should have gone the other way."""
        return self._means.blamed

    def encode(self, plan: Plan) -> None:
        """Begin with another encoding; raises Halt where the execution cannot be encoded."""
        terms.begin()
        self.plan = plan
        self.menus = self.plain
        if plan.guarded or plan.spares:
            self.menus = Menus(self._problem.program, guarded=plan.guarded, spares=plan.spares)
        self.encoding = Encoding(self._problem, self.menus, plan)
        self.menus = offering(self._problem.program, plan.kept, self.menus)
        with _uncollected():
            self.allocated = encode_executions(self.encoding)
        self.selectors = self.encoding.selectors()
        self.ways = self.encoding.ways
        self._solver = Solver()
        self._limits = {}
        self._refuted = 0
        for constraint in self.encoding.constraints:
            self._solver.add(constraint)
        least = self._problem.budget.least - plan.kept.size
        if least > 0:
            self._solver.add(terms.at_least([s.term for s in self.selectors], least))

    @property
    def locked(self) -> int:
        """How many locations that were executed are locked."""
        return self.encoding.locked_count

    @property
    def over(self) -> bool:
        """Whether time or patience is used up."""
        means = self._means
        used = means.asked >= _TRIES or means.left <= 0 or means.steps >= _STEPS
        return used or means.now() >= means.end or means.interrupted()

    def at_most(self, name: str, selectors: Sequence[Term], bound: int) -> Term:
        """A literal under which so many of the selectors at most are true."""
        limit = self._limits.get((name, bound))
        if limit is None:
            limit = self._limits[name, bound] = terms.boolean(f"{name}_{bound}")
            self._solver.add(terms.implication(limit, terms.at_most(list(selectors), bound)))
        return limit

    def add(self, term: Term) -> None:
        """One more constraint on the present encoding."""
        self._solver.add(term)

    def blame(self, core: Iterable[Selector | Way | int]) -> None:
        """Remember the `if`s that a core says should have gone the other way."""
        for each in core:
            if isinstance(each, Way):
                self.blamed.setdefault(each.position)

    def ask(self, assumptions: list[Term], effort: int | None = None) -> Found | Unsat | Failed:
        """Solve; solutions that the machine does not confirm are left out and asked again."""
        limit = _ANGELIC_REFUTED if self.plan.angelic else _REFUTED
        means = self._means
        while True:
            if self.over:
                return Failed("interrupted" if means.interrupted() else "budget")
            means.asked += 1
            seconds = None if math.isinf(means.end) else means.end - means.now()
            before = self._solver.spent
            answer = self._solver.ask(assumptions, seconds, min(effort or means.left, means.left))
            means.left -= self._solver.spent - before
            if isinstance(answer, Unsat):
                return answer
            if isinstance(answer, Unknown):
                return Failed("interrupted" if means.interrupted() else "budget")
            patch = self._confirmed(answer)
            if patch is not None:
                return Found(patch)
            self._refuted += 1
            if self._refuted > limit:
                return Failed("refuted", ("solutions that the program does not confirm",))
            self._solver.add(differs(self.encoding, answer))

    def one_by_one(self, effort: int, kind: int | None = None) -> Found | Unsat | Failed:
        """At most one edit (of that kind) besides those that are kept, each location by itself.

        Where one location alone may change, nearly all that the execution does is known while it is
        encoded: what the solver gets are a few hundred terms instead of tens of thousands.
        """
        failed: Failed | None = None
        for answer in self.singles(effort, kind):
            if isinstance(answer, Found):
                return answer
            if isinstance(answer, Failed):
                failed = answer
        return failed or Unsat(())

    def singles(self, effort: int, kind: int | None = None) -> Iterator[Found | Unsat | Failed]:
        """The answer for each location by itself, as `one_by_one`."""
        gaps = self.encoding.slots.gaps if self.plan.slots else []
        for location in (*self.encoding.relaxables, *gaps):
            with terms.apart():
                answer = self._alone(location, int(location in gaps), effort, kind)
            yield answer
            if self.over:
                yield Failed("interrupted" if self._means.interrupted() else "budget")
                return

    def _alone(self, location: int, slots: int, effort: int, kind: int | None) -> Found | Unsat | Failed:
        alone = Questions(
            replace(self._problem, editable=frozenset({location})), self._means.interrupted, self._means
        )
        try:
            alone.encode(replace(self.plan, slots=slots))
        except Halt:
            return Failed("refuted")
        free = [s.term for s in alone.selectors if kind is None or s.kind == kind]
        if not free:
            return Unsat(())
        others = [terms.negation(s.term) for s in alone.selectors if kind is not None and s.kind != kind]
        ways = [way.term for way in alone.ways]
        answer = alone.ask([*ways, *others, alone.at_most("all", free, 1)], effort)
        if isinstance(answer, Unsat):
            self.blame(alone.ways[index] for index in answer.core if index < len(ways))
        return answer

    def _confirmed(self, solution: Sat) -> Patch | None:
        patch = patch_of(self.encoding, solution)
        return patch if patch is not None and self.meets(patch) else None

    def meets(self, patch: Patch) -> bool:
        """Whether every trace meets its events under the patch."""
        for replayer in self._means.replayers:
            replayed = replayer.run(patch)
            self._means.steps += replayed.steps
            if not replayed.met:
                return False
        return True

    def replays(self, patch: Patch) -> list[Replayed]:
        """The executions under the patch."""
        return [replayer.run(patch) for replayer in self._means.replayers]


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without Python's search for cycles: 100,000 terms are made, none of them garbage."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
