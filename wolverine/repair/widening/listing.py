"""What is told besides the repair that the solver found: other places for as many edits, and their order.

The solver says where a repair is possible; what can stand there is tried on the machine, choice by choice.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from wolverine.core.patch import Candidate, Edit, NewReturn, Patch, Repairs, Replacement, StopReason
from wolverine.core.trace import Problem
from wolverine.repair.execution.accepted import choices_of, number_of
from wolverine.repair.execution.spaces import Space
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.guards import Product
from wolverine.repair.menus.menu import Menu
from wolverine.repair.ranking.rank import rank, scores_of
from wolverine.repair.ranking.score import Scores
from wolverine.repair.ranking.sequel import sequel_of
from wolverine.repair.widening.questions import Failed, Found, Questions
from wolverine.repair.widening.solution import elsewhere
from wolverine.solve.solver import Unsat

_PLACES = 8  # sets of locations that are listed
_EFFORT = 2_000_000  # the solver's work on one of these sets
_PATIENCE = 3_000  # machine steps on a fresh heap


class Listing:
    """Lists what is found with the encoding that `questions` has."""

    def __init__(self, problem: Problem, questions: Questions) -> None:
        self._problem = problem
        self._questions = questions

    def single(self, patch: Patch) -> Repairs:
        """The patch as the only candidate."""
        size = patch.size
        candidate = Candidate(patch, size, float(size), behaviour=1, executed=self.executed(patch))
        return Repairs((candidate,), "complete", 1, 1, steps=self._questions.asked)

    def answer(self, patch: Patch, spaces: list[Space]) -> Repairs:
        """All that is found of the patch's size, ranked; some of it (`spaces`) is known."""
        questions = self._questions
        menus = questions.menus
        tried = {location for space in spaces for location in space.masks}
        stopped: StopReason = "complete"
        others: list[Patch] = []
        for number, found in enumerate(islice(self._places(patch), _PLACES), 1):
            if number == _PLACES or not isinstance(found, Found):
                stopped = "budget"
            if not isinstance(found, Found):
                continue
            at = {edit.location for edit in questions.plan.own(found.patch)}
            if choices_of(found.patch, menus) is None:
                others.append(found.patch)
            elif not tried >= at:
                spaces += self._spaces(found.patch)
                tried |= at if len(at) == 1 else set()
        if not spaces:
            return self._unlisted(others, stopped)
        return self.ranked(spaces, stopped)

    def _places(self, patch: Patch) -> Iterator[Found | Failed]:
        """The patch, one of as many edits at each other place, and what could not be answered."""
        questions = self._questions
        yield Found(patch)
        if questions.plan.size(patch) == 1:
            yield from (each for each in questions.singles(_EFFORT) if not isinstance(each, Unsat))
            return
        limit = questions.at_most("all", [s.term for s in questions.selectors], questions.plan.size(patch))
        while True:
            questions.add(elsewhere(questions.encoding, patch))
            found = questions.ask([limit, *(way.term for way in questions.ways)], _EFFORT)
            if isinstance(found, Unsat):
                return
            yield found
            if isinstance(found, Failed):
                return
            patch = found.patch

    def _unlisted(self, patches: list[Patch], stopped: StopReason) -> Repairs:
        """Patches that no menu has: several statements in one gap, new nodes."""
        scores = Scores(self._problem.program)
        scored = sorted(((patch.size, scores.patch(patch), number) for number, patch in enumerate(patches)))
        made = [
            Candidate(patches[n], size, score, behaviour=at, executed=self.executed(patches[n]))
            for at, (size, score, n) in enumerate(scored, 1)
        ]
        return Repairs(tuple(made), stopped, len(made), len(made), steps=self._questions.asked)

    def ranked(self, spaces: list[Space], stopped: StopReason) -> Repairs:
        """The repairs of the spaces in order."""
        menus = self._questions.menus
        program, trace = self._problem.program, self._problem.traces[0]
        scores, sequel = scores_of(program, trace), sequel_of(program, trace)
        ranking = rank(program, trace, menus, spaces, _PATIENCE, scores=scores, sequel=sequel)
        asked = self._questions.asked
        return Repairs(ranking.candidates, stopped, ranking.behaviours, ranking.total, steps=asked)

    def _spaces(self, patch: Patch) -> list[Space]:
        """What can stand at each location of a patch while the others stay."""
        spaces: list[Space] = []
        executed = self.executed(patch)
        whole = choices_of(patch, self._questions.menus)
        assert whole is not None
        own = self._questions.plan.own(patch)
        for edit in own:
            menu = self._questions.menus.menu(edit.location)
            assert menu is not None
            mask = whole[edit.location]
            for index in _near(menu, edit.replacement):
                bit = 1 << index
                if bit & menu.all and not bit & mask and not self._questions.over:
                    other = Edit(edit.location, menu.choices[index].replacement)
                    edits = tuple(other if each is edit else each for each in patch.edits)
                    if self._questions.meets(Patch(edits)):
                        mask |= bit
            if len(own) > 1 and spaces:
                mask &= ~whole[edit.location]  # that one is in the first space
            if mask:
                spaces.append(Space({**whole, edit.location: mask}, executed))
        return spaces

    def executed(self, patch: Patch) -> dict[int, int]:
        """How often each location is executed under the patch."""
        executed: dict[int, int] = {}
        for replayed in self._questions.replays(patch):
            for location, times in replayed.executed.items():
                executed[location] = executed.get(location, 0) + times
        return executed


def first(menus: Menus, space: Space) -> Patch:
    """The patch of the first choices of a space."""
    edits = []
    for location, mask in sorted(space.masks.items()):
        menu = menus.menu(location)
        assert menu is not None
        edits.append(Edit(location, menu.choices[(mask & -mask).bit_length() - 1].replacement))
    return Patch(tuple(edits))


def _near(menu: Menu, replacement: Replacement) -> Iterator[int]:
    """The choices to be tried besides one: all, or of a product those with its test or its statement."""
    choices = menu.choices
    if not isinstance(choices, Product):
        yield from range(len(choices))
        return
    number = number_of(menu, replacement)
    assert number is not None
    block, inner = divmod(number, choices.width)
    statements = choices.statements
    useful = statements.assigning | statements.leaving
    for other in range(choices.width):
        if useful >> other & 1 and (block or not isinstance(statements[other], NewReturn)):
            yield block * choices.width + other
    if block:
        yield from (other * choices.width + inner for other in range(1, len(choices.tests) + 1))
