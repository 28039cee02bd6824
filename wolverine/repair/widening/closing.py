"""After Algorithm 1: fewer edits of any kind, in an order in which what is odd comes last.

Plain statements come first; two of them suffice or a statement under a test is asked for, then a temporary
or several statements in one gap, or a new node: hidden things are made available on demand (Wolverine2
sections 3.1 and 4).  An `if` that the cores blame goes another way; where no execution that the solver
knows is repaired by one edit, single edits are tried on the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from wolverine.core.graph import NodeId
from wolverine.core.patch import Edit, Patch, Repairs
from wolverine.core.trace import Assertion, Position, Problem
from wolverine.repair.execution.accepted import choices_of
from wolverine.repair.execution.spaces import Space
from wolverine.repair.widening.listing import Listing, first
from wolverine.repair.widening.questions import Found, Questions
from wolverine.repair.widening.relaxed import Plan
from wolverine.repair.widening.rounds import patch_words
from wolverine.semantics.faults import Halt
from wolverine.solve.solver import Unsat

_EFFORT = 6_000_000  # the solver's work on a question that need not be answered
_DEMAND_EFFORT = 12_000_000  # of one about what is made available on demand
_FLIPS = 10  # encodings with `if`s that go another way
_DEEPEST = 4  # arrivals that go another way at once
_ALONE = 3_000_000  # machine steps for single edits
_PLAIN = 2  # edits before anything is made available on demand
_BESIDE = 2  # edits that are looked for beside those that are kept
_ANEW_EFFORT = 1_000_000  # the solver's work on as few edits without those


@dataclass(frozen=True)
class _Stage:
    """One question: at most so many edits, with what is made available."""

    edits: int
    guarded: bool = False
    spares: bool = False
    hidden: bool = False

    @property
    def plain(self) -> bool:
        return not (self.guarded or self.spares or self.hidden)


class Closing:
    """Works on the encoding that `questions` has, or makes others."""

    def __init__(self, problem: Problem, questions: Questions, told: Callable[[str], None]) -> None:
        self._problem = problem
        self._questions = questions
        self._told = told
        self._listing = Listing(problem, questions)
        self._flipped = False
        self.unanswered = False  # some question was not answered with the effort allowed

    def without_idle(self, patch: Patch) -> Patch:
        """Leave out edits that are not needed: the bounds allow more than a solution has to use."""
        for edit in self._questions.plan.own(patch):
            fewer = Patch(tuple(each for each in patch.edits if each is not edit))
            if self._questions.meets(fewer):
                patch = fewer
        return patch

    # -- fewer edits -----------------------------------------------------------------------------

    def smaller(self, patch: Patch) -> Patch:
        """A patch of as few edits as can be found, without locks and with branches that go otherwise."""
        size = self._questions.plan.size(patch)
        return (self._fewest(size) or patch) if size > self._least else patch

    def anew(self, size: int) -> Patch | None:
        """A patch of so many plain edits at most, nothing kept."""
        try:
            self._questions.encode(Plan(self.slots(size)))
        except Halt:
            return None
        found = self._within(size, effort=_ANEW_EFFORT)
        return None if found is None else self.smaller(found)

    @property
    def _least(self) -> int:
        """So many edits at least, beside those that are kept."""
        return max(self._problem.budget.least - self._questions.plan.kept.size, 1)

    @property
    def _most(self) -> int:
        """So many at most."""
        return _BESIDE if self._questions.plan.kept.edits else self._problem.budget.edits

    def slots(self, edits: int) -> int:
        """How many slots so many edits may need."""
        allowed = self._problem.budget.insertions
        return edits if allowed is None else min(edits, allowed)

    def any_kind(self, relaxed: bool) -> Patch | None:
        """A patch of as few edits as possible where Algorithm 1 found none, ways that differ included.

        `relaxed`: whether some bound was to blame, so that the encoding itself may have a solution.
        """
        if relaxed or self._young():
            return self._fewest(self._most + 1)
        return self.other_ways(min(self._most, _PLAIN) + 1)

    def _fewest(self, below: int) -> Patch | None:
        """The first patch in the order of the stages before plain ones with so many edits."""
        flipped = False
        for stage in self._stages(below):
            if stage.edits > _PLAIN or not stage.plain:
                if not flipped and self._questions.blamed:
                    found = self.other_ways(min(below, _PLAIN + 1))
                    if found is not None:
                        return found
                flipped = True
            found = self._at(stage)
            if found is not None:
                size = self._questions.plan.size(found)
                if stage.plain and stage.edits <= _PLAIN and size > self._least and self._questions.blamed:
                    plan = self._questions.plan
                    other = self.other_ways(size)
                    if other is not None:
                        return other
                    if self._questions.plan != plan:
                        self._questions.encode(plan)
                return found
            if self._questions.over:
                return None
        return None if flipped else self.other_ways(min(below, _PLAIN + 1))

    def _stages(self, below: int) -> Iterator[_Stage]:
        least, inserting = self._least, self._problem.budget.insertions != 0
        for edits in range(1, min(self._most + 1, below)):
            if edits >= least:
                yield _Stage(edits)
            if edits == _PLAIN and inserting:
                for size in range(least, edits + 1) if self._young() else ():
                    yield _Stage(size, hidden=True)
                if least <= 1:
                    yield _Stage(1, guarded=True)
                yield _Stage(max(edits, least), spares=True)
            elif edits > _PLAIN and inserting and edits - 1 >= least:
                yield _Stage(edits - 1, guarded=True)

    def _young(self) -> bool:
        """Whether more nodes are asserted than the execution allocates."""
        allocated = self._questions.allocated
        return any(
            isinstance(node, NodeId) and node.number > allocated
            for trace in self._problem.traces
            for event in trace.events
            if isinstance(event, Assertion)
            for node in event.states
        )

    def _at(self, stage: _Stage) -> Patch | None:
        questions = self._questions
        plan = replace(
            questions.plan,
            slots=self.slots(stage.edits),
            suspicious=None,
            angelic=False,
            flips=frozenset(),
            guarded=stage.guarded,
            spares=stage.spares,
            hidden=stage.hidden,
        )
        if plan != questions.plan:
            try:
                questions.encode(plan)
            except Halt:
                return None
        more = [
            words
            for words, wanted in (
                ("statements under tests", stage.guarded),
                ("temporaries", stage.spares),
                ("new nodes", stage.hidden),
            )
            if wanted
        ]
        return self._within(stage.edits, more, _EFFORT if stage.plain else _DEMAND_EFFORT)

    def _within(self, size: int, more: Iterable[str] = (), effort: int = _EFFORT) -> Patch | None:
        questions = self._questions
        if size == 1:
            answer = questions.one_by_one(effort)
        else:
            limit = questions.at_most("all", [s.term for s in questions.selectors], size)
            answer = questions.ask([limit, *(way.term for way in questions.ways)], effort)
        beside = " beside those accepted before" if questions.plan.kept.edits else ""
        words = "".join(f", with {each}" for each in more)
        edits = f"at most {size} edit{'s' * (size != 1)} of any kind{beside}{words}"
        if isinstance(answer, Found):
            patch = answer.patch if self._problem.budget.least else self.without_idle(answer.patch)
            self._told(f"{edits}: satisfiable")
            for line in patch_words(self._problem.program, patch):
                self._told(line)
            return patch
        if isinstance(answer, Unsat):
            self._told(f"{edits}: unsatisfiable")
            questions.blame(questions.ways[index - 1] for index in answer.core if index > 0)
        else:
            self.unanswered = True
            self._told(f"{edits}: no answer with the effort allowed")
        return None

    def other_ways(self, below: int) -> Patch | None:
        """A patch of fewer than `below` edits where an `if` in the cores goes another way than it went."""
        if self._flipped:
            return None
        self._flipped = True
        questions = self._questions
        single = self._least == 1 < below
        if single:
            ways = [way.position for way in questions.ways]
            spaces = self._conditions(questions.blamed) or self._conditions(ways)
            if spaces:
                return first(questions.plain, spaces[0])
        plan = replace(
            questions.plan, suspicious=None, angelic=False, guarded=False, spares=False, hidden=False
        )
        blamed = list(questions.blamed)
        if single:
            found = self._flips(plan, blamed, 1)
            if found is not None:
                return found
            spaces = self._alone(gaps=False)
            if spaces:
                self._told("one edit that was tried on the machine does")
                return first(questions.plain, spaces[0])
        return self._flips(plan, blamed, _PLAIN) if below > _PLAIN else None

    def _flips(self, plan: Plan, blamed: Iterable[Position], size: int) -> Patch | None:
        """A patch of so many edits with some arrivals, of which cores say so, going the other way."""
        questions = self._questions
        waiting = [frozenset((position,)) for position in blamed]
        seen: set[frozenset[Position]] = set(waiting)
        for _ in range(_FLIPS):
            if not waiting or questions.over:
                return None
            flips = waiting.pop(0)
            questions.blamed.clear()
            try:
                questions.encode(replace(plan, flips=flips))
            except Halt:
                continue
            found = self._within(size)
            if found is not None:
                return found
            for position in questions.blamed:
                more = flips | {position}
                if position not in flips and len(more) <= _DEEPEST and more not in seen:
                    seen.add(more)
                    waiting.append(more)
        return None

    # -- single edits on the machine ---------------------------------------------------------------

    def _conditions(self, positions: Iterable[Position]) -> list[Space]:
        """The conditions that repair alone an `if` of which a core says that it went the wrong way.

        How an `if` goes that is no guard in the encoding decides which one that is: so these are tried
        on the machine.
        """
        program = self._problem.program
        steps = [program.functions[at.function].code[at.instruction] for at in positions]
        return self._tried(dict.fromkeys(step.location for step in steps))

    def _alone(self, *, gaps: bool) -> list[Space]:
        """The single edits that suffice, of what is executed up to the first assertion that fails."""
        program = self._problem.program
        executed: dict[int, None] = {}
        for replayed in self._questions.replays(self._questions.plan.kept):
            if not replayed.met:
                executed.update(dict.fromkeys(replayed.executed))
                break
        functions = dict.fromkeys(program.location(location).function for location in executed)
        found = self._tried(executed)
        if found or not gaps:
            return found
        return self._tried(
            each.id for each in program.locations if each.kind == "gap" and each.function in functions
        )

    def _tried(self, locations: Iterable[int]) -> list[Space]:
        questions, editable = self._questions, self._problem.editable
        found: list[Space] = []
        left = questions.steps + _ALONE
        whole = choices_of(questions.plan.kept, questions.plain)
        if whole is None:
            return found
        for location in locations:
            menu = questions.plain.menu(location) if location >= 0 and location not in whole else None
            if menu is None or (editable is not None and location not in editable):
                continue
            mask = 0
            for index, choice in enumerate(menu.choices):
                if menu.all >> index & 1 and not questions.over and questions.steps < left:
                    patch = questions.plan.beside(Edit(location, choice.replacement))
                    mask |= questions.meets(patch) << index
            if mask:
                space = Space({**whole, location: mask})
                executed = self._listing.executed(first(questions.plain, space))
                found.append(Space(space.masks, executed))
        return found

    # -- the answer ------------------------------------------------------------------------------

    def single(self, patch: Patch) -> Repairs:
        """The patch as the only candidate."""
        return self._listing.single(patch)

    def answer(self, patch: Patch) -> Repairs:
        """All that was found of the patch's size, ranked."""
        if not patch.edits:
            return self.single(patch)
        single = self._questions.plan.size(patch) == 1
        spaces = self._conditions(self._questions.blamed) if single else []
        return self._listing.answer(patch, spaces)

    def conditions_alone(self) -> Repairs | None:
        """Repairs of one edit where the execution cannot be encoded: it goes astray somewhere."""
        if self._least > 1:
            return None
        ways = [way.position for way in self._questions.encoding.ways]
        spaces = self._conditions(ways) or self._alone(gaps=self._problem.budget.insertions != 0)
        return self._listing.ranked(spaces, "budget") if spaces else None
