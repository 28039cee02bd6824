"""How far a patch is from the source as it is: the edit distance that ranks candidates.

The weights were fitted on injected faults of list and tree programs: a changed variable, field or
operator costs 1, another kind of operand 1.5, a deletion 2.5, an insertion 1.2 and more the less it
resembles what stands around it.
"""

from __future__ import annotations

from collections.abc import Iterator

from wolverine.core.patch import (
    Edit,
    Guarded,
    NewAssignment,
    NewCall,
    NewValue,
    Patch,
    unguarded,
)
from wolverine.core.program import (
    Branch,
    Program,
)
from wolverine.repair.menus.full import in_front
from wolverine.repair.menus.unlinked import forgets_link
from wolverine.repair.menus.unreferenced import is_unreferenced
from wolverine.repair.ranking.absorbed import asks_of_another
from wolverine.repair.ranking.aliased import Pair
from wolverine.repair.ranking.changes import Changes
from wolverine.repair.ranking.origins import Origins
from wolverine.repair.ranking.reservations import Reservations
from wolverine.repair.source.first_kept import first_kept


class Scores(Changes):
    """The distances of edits of one program.

    All that is known may be a crash, at the location `crashed` (-1: it is not), in calls of which the
    arguments `same` are one node.
    """

    def __init__(self, program: Program, crashed: int = -1, same: frozenset[Pair] = frozenset()) -> None:
        super().__init__(program, crashed)
        self._reservations = Reservations(program, self._around, self._familiar, self._instruction, same)
        self._known: dict[Edit, float] = {}

    def patch(self, patch: Patch) -> float:
        """The sum over the edits."""
        return round(sum(self.edit(edit) for edit in patch.edits), 6)

    def edit(self, edit: Edit) -> float:
        """The distance of one edit."""
        found = self._known.get(edit)
        if found is None:
            found = self._known[edit] = self._distance(edit) + self._reservations.against(edit)
        return found

    def sets_first(self, patch: Patch) -> bool:
        """Whether an edit assigns something to what the program tests and never sets."""
        return any(
            self._flags.sets_first(function, each.target, each.value)
            for function, each in self._assigning(patch)
        )

    def asks_of_another(self, patch: Patch) -> bool:
        """Whether it only lets a condition that asks for one thing twice ask for another one besides."""
        match patch.edits:
            case (Edit(location, NewValue(new)),):
                _, _, step = self._instruction(location)
                return isinstance(step, Branch) and asks_of_another(step.condition, new)
        return False

    def keeps_first(self, patch: Patch) -> bool:
        """Whether it only asks besides whether nothing has been kept yet where the least is looked for."""
        match patch.edits:
            case (Edit(location, NewValue(new)),):
                function, index, _ = self._instruction(location)
                return new in first_kept(self._program.functions[function].code, index)
        return False

    def links_first(self, patch: Patch) -> bool:
        """Whether an edit sets a link that the program goes through and never sets, or a forgotten tail."""
        return any(
            forgets_link(self._program, function, each.target, self._unlinked)
            for function, each in self._assigning(patch)
        ) or any(self._sets_tail(edit) for edit in patch.edits)

    def _sets_tail(self, edit: Edit) -> bool:
        """Whether an edit sets a pointer to the last node that a function forgets."""
        match edit.replacement:
            case NewAssignment(target, value):
                function, index, _ = self._instruction(edit.location)
                return self._tails.sets(function, index, target, value)
        return False

    def renews(self, patch: Patch, origins: Origins) -> bool:
        """Whether it only makes a call again that answered what has become stale: one of the `origins`."""
        match patch.edits:
            case (Edit(location, NewCall(target=target) as made),) if target is not None and origins.places:
                function, index, _ = self._instruction(location)
                told = origins.told(function, target)
                return told and self._renewed.behind(function, index, made) is not None
        return False

    def frees_last(self, patch: Patch) -> bool:
        """Whether it only sees to it that a node is freed where nothing refers to it any more."""
        match patch.edits:
            case (Edit(location, made),):
                function, index, _ = self._instruction(location)
                return is_unreferenced(self._program, self._program.functions[function], index, made)
        return False

    def counts_reference(self, patch: Patch) -> bool:
        """Whether it only counts a reference where that is kept, or does not give one back."""
        match patch.edits:
            case (Edit(location, made),):
                counted = self._references.counts(location, made)
                return counted or self._references.gives_less_back(location, made)
        return False

    def makes_room(self, patch: Patch) -> bool:
        """Whether it only makes room (`menus.full`), in front of what the function allocates."""
        match patch.edits:
            case (Edit(location, Guarded(condition, NewCall(called))),):
                name, index, _ = self._instruction(location)
                asked = self._asks_for_room(location, condition, called)
                return asked and in_front(self._program, self._program.functions[name], index)
        return False

    def _assigning(self, patch: Patch) -> Iterator[tuple[str, NewAssignment]]:
        """The assignments that a patch makes, under a test or not, with their functions."""
        for edit in patch.edits:
            made = unguarded(edit.replacement)
            if isinstance(made, NewAssignment):
                yield self._program.location(edit.location).function, made
