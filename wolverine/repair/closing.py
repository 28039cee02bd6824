"""After Algorithm 1: fewer edits, other places for as many, and the order of what was found.

The solver says where a repair is possible; what can stand there is tried on the machine, choice by choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from wolverine.core.patch import Candidate, Edit, Patch, Repairs, StopReason
from wolverine.core.trace import Position, Problem
from wolverine.repair.candidates import Menus
from wolverine.repair.questions import Found, Questions
from wolverine.repair.rank import rank
from wolverine.repair.relaxed import Plan
from wolverine.repair.rounds import patch_words
from wolverine.repair.solution import elsewhere
from wolverine.repair.spaces import Space
from wolverine.semantics.faults import Halt
from wolverine.solve.solver import Unsat

_PLACES = 8  # sets of locations that are listed
_EFFORT = 6_000_000  # the solver's work on a question that need not be answered
_FLIPS = 10  # encodings with `if`s that go another way
_DEEPEST = 4  # arrivals that go another way at once
_PATIENCE = 3_000  # machine steps on a fresh heap


class Closing:
    """Works on the encoding that `questions` has, or makes others."""

    def __init__(
        self, problem: Problem, menus: Menus, questions: Questions, told: Callable[[str], None]
    ) -> None:
        self._problem = problem
        self._menus = menus
        self._questions = questions
        self._told = told

    def without_idle(self, patch: Patch) -> Patch:
        """Leave out edits that are not needed: the bounds allow more than a solution has to use."""
        for edit in patch.edits:
            fewer = Patch(tuple(each for each in patch.edits if each is not edit))
            if self._questions.meets(fewer):
                patch = fewer
        return patch

    # -- fewer edits -----------------------------------------------------------------------------

    def smaller(self, patch: Patch, plan: Plan) -> Patch:
        """A patch of as few edits as can be found, without locks and with branches that go otherwise."""
        least = max(self._problem.budget.least, 1)
        if len(patch.edits) <= least:
            return patch
        if plan.suspicious is not None:
            self._questions.encode(replace(plan, suspicious=None, angelic=False))
        found = self._within(range(least, len(patch.edits)))
        if found is not None:
            patch = found
        if len(patch.edits) > least:
            return self.other_ways(len(patch.edits)) or patch
        return patch

    def any_kind(self, relaxed: bool) -> Patch | None:
        """A patch of as few edits as possible where Algorithm 1 found none, ways that differ included.

        `relaxed`: whether some bound was to blame, so that the encoding itself may have a solution.
        """
        edits = self._problem.budget.edits
        least = max(self._problem.budget.least, 1)
        found = self._within(range(least, edits + 1)) if relaxed else None
        if found is None or (len(found.edits) > least and self._questions.blamed):
            found = self.other_ways(len(found.edits) if found is not None else edits + 1) or found
        return found

    def _within(self, sizes: range) -> Patch | None:
        questions = self._questions
        for size in sizes:
            limit = questions.at_most("all", [s.term for s in questions.selectors], size)
            answer = questions.ask([limit, *(way.term for way in questions.ways)], _EFFORT)
            edits = f"at most {size} edit{'s' * (size != 1)} of any kind"
            if isinstance(answer, Found):
                patch = answer.patch if self._problem.budget.least else self.without_idle(answer.patch)
                self._told(f"{edits}: satisfiable")
                for line in patch_words(self._problem.program, patch):
                    self._told(line)
                return patch
            if not isinstance(answer, Unsat):
                return None
            self._told(f"{edits}: unsatisfiable")
            ways = [questions.ways[index - 1] for index in answer.core if index > 0]
            questions.blame(ways)
        return None

    def other_ways(self, below: int) -> Patch | None:
        """A patch of fewer than `below` edits where an `if` in the cores goes another way than it went."""
        questions = self._questions
        if self._problem.budget.least <= 1:
            ways = [way.position for way in questions.ways]
            spaces = self._conditions(questions.blamed) or self._conditions(ways)
            if spaces:
                return self._first(spaces[0])
        plan = replace(questions.plan, suspicious=None, angelic=False, flips=frozenset())
        waiting = [frozenset((position,)) for position in questions.blamed]
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
            found = self._within(range(max(self._problem.budget.least, 1), min(below, 3)))
            if found is not None:
                return found
            for position in questions.blamed:
                more = flips | {position}
                if position not in flips and len(more) <= _DEEPEST and more not in seen:
                    seen.add(more)
                    waiting.append(more)
        return None

    def _conditions(self, positions: Iterable[Position]) -> list[Space]:
        """The conditions that repair alone an `if` of which a core says that it went the wrong way.

        How an `if` goes that is no guard in the encoding decides which one that is: so these are tried
        on the machine.
        """
        found = []
        program = self._problem.program
        steps = [program.functions[at.function].code[at.instruction] for at in positions]
        for location in dict.fromkeys(step.location for step in steps):
            editable = self._problem.editable
            menu = self._menus.menu(location) if location >= 0 else None
            if menu is None or (editable is not None and location not in editable):
                continue
            mask = 0
            for index, choice in enumerate(menu.choices):
                if menu.all >> index & 1 and not self._questions.over:
                    patch = Patch((Edit(location, choice.replacement),))
                    mask |= self._questions.meets(patch) << index
            if mask:
                space = Space({location: mask})
                found.append(Space(space.masks, self._executed(self._first(space))))
        return found

    def _first(self, space: Space) -> Patch:
        edits = []
        for location, mask in space.masks.items():
            menu = self._menus.menu(location)
            assert menu is not None
            edits.append(Edit(location, menu.choices[(mask & -mask).bit_length() - 1].replacement))
        return Patch(tuple(edits))

    # -- the answer ------------------------------------------------------------------------------

    def single(self, patch: Patch) -> Repairs:
        """The patch as the only candidate."""
        size = len(patch.edits)
        candidate = Candidate(patch, size, float(size), behaviour=1, executed=self._executed(patch))
        return Repairs((candidate,), "complete", 1, 1, steps=self._questions.asked)

    def answer(self, patch: Patch) -> Repairs:
        """All that was found of the patch's size, ranked."""
        if not patch.edits:
            return self.single(patch)
        questions = self._questions
        spaces = self._conditions(questions.blamed) if len(patch.edits) == 1 else []
        tried = {location for space in spaces for location in space.masks}
        stopped: StopReason = "budget"
        limit = questions.at_most("all", [s.term for s in questions.selectors], len(patch.edits))
        for _ in range(_PLACES):
            if not tried.issuperset(edit.location for edit in patch.edits):
                spaces += self._spaces(patch)
            questions.add(elsewhere(questions.encoding, patch))
            found = questions.ask([limit, *(way.term for way in questions.ways)], _EFFORT)
            if not isinstance(found, Found):
                stopped = "complete" if isinstance(found, Unsat) else "budget"
                break
            patch = found.patch
        return self._ranked(spaces, stopped)

    def conditions_alone(self) -> Repairs | None:
        """Repairs of one condition where the execution cannot be encoded: it goes astray somewhere."""
        if self._problem.budget.least > 1:
            return None
        spaces = self._conditions(way.position for way in self._questions.encoding.ways)
        return self._ranked(spaces, "budget") if spaces else None

    def _ranked(self, spaces: list[Space], stopped: StopReason) -> Repairs:
        ranking = rank(self._problem.program, self._problem.traces[0], self._menus, spaces, _PATIENCE)
        asked = self._questions.asked
        return Repairs(ranking.candidates, stopped, ranking.behaviours, ranking.total, steps=asked)

    def _spaces(self, patch: Patch) -> list[Space]:
        """What can stand at each location of a patch while the others stay."""
        spaces: list[Space] = []
        executed = self._executed(patch)
        whole = {edit.location: self._bit(edit) for edit in patch.edits}
        for edit in patch.edits:
            menu = self._menus.menu(edit.location)
            assert menu is not None
            mask = whole[edit.location]
            for index, choice in enumerate(menu.choices):
                bit = 1 << index
                if bit & menu.all and not bit & mask:
                    other = Edit(edit.location, choice.replacement)
                    edits = tuple(other if each is edit else each for each in patch.edits)
                    if self._questions.meets(Patch(edits)):
                        mask |= bit
            if len(patch.edits) > 1 and spaces:
                mask &= ~whole[edit.location]  # that one is in the first space
            if mask:
                spaces.append(Space({**whole, edit.location: mask}, executed))
        return spaces

    def _bit(self, edit: Edit) -> int:
        menu = self._menus.menu(edit.location)
        assert menu is not None
        replacements = [choice.replacement for choice in menu.choices]
        return 1 << replacements.index(edit.replacement)

    def _executed(self, patch: Patch) -> dict[int, int]:
        executed: dict[int, int] = {}
        for replayed in self._questions.replays(patch):
            for location, times in replayed.executed.items():
                executed[location] = executed.get(location, 0) + times
        return executed
