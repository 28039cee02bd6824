"""Fields that somebody put back in a node: of the other nodes that are there they are not to be set either.

Who says that a node keeps the number that it held means those like it as well.  The picture tells of the one
node; on other heaps, with more of them, it shows which repairs only spoil another one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from wolverine.core.expressions import Load
from wolverine.core.graph import NodeId, Place
from wolverine.core.patch import NO_EDITS, Edit, NewAssignment, NewValue, Patch
from wolverine.core.program import Assign, Library, Program
from wolverine.core.types import CType, is_number
from wolverine.repair.heaps.entries import Case
from wolverine.repair.heaps.outcomes import Bench

Fields = Collection[tuple[CType, int]]  # types of nodes, and offsets in them


class Spared:
    """Counts, for one repair after the other, the numbers that it sets on heaps and that are to stay."""

    def __init__(self, program: Program, cases: Sequence[Case], fields: Fields) -> None:
        """On the heaps of these `cases`, in nodes that lie there, in these `fields`."""
        self._program = program
        self._benches = {name: Bench(program, name) for name in {case.function for case in cases}}
        self._held = [(case, held) for case in cases if (held := _held(case, fields))]
        self._anyway: list[frozenset[Place]] | None = None

    def __bool__(self) -> bool:
        """Whether there are such numbers."""
        return bool(self._held)

    def spoilt(self, patch: Patch) -> int:
        """How many of them the repair sets to something else, and the program as it is does not.

        0 where it does not store numbers otherwise itself: those that follow from links and decisions
        (heights in a tree) are the program's own way to keep them.
        """
        if not all(_stores(self._program, edit) for edit in patch.edits):
            return 0
        if self._anyway is None:
            self._anyway = [*self._set(NO_EDITS)]
        return sum(len(now - before) for now, before in zip(self._set(patch), self._anyway, strict=True))

    def _set(self, patch: Patch) -> Iterator[frozenset[Place]]:
        """Of each heap, those that are something else in the end; none where it crashes, or is not known."""
        for case, held in self._held:
            outcome = self._benches[case.function].outcome(case.heap, patch)
            left = dict(outcome.cells) if outcome is not None else {}
            yield frozenset(place for place, value in held.items() if left.get(place, value) != value)


def _stores(program: Program, edit: Edit) -> bool:
    """Whether a number is stored otherwise, or a library function is given something else."""
    match edit.replacement:
        case NewAssignment(target):
            return is_number(target.type)
        case NewValue():
            code = program.functions[program.location(edit.location).function].code
            passed = {
                each.target for each in code if isinstance(each, Assign) and each.location == edit.location
            }
            given = (argument for each in code if isinstance(each, Library) for argument in each.arguments)
            return any(isinstance(each, Load) and each.place in passed for each in given)
    return False


def _held(case: Case, fields: Fields) -> dict[Place, int | float]:
    """The numbers that nodes of a heap hold in some fields."""
    nodes, cells = case.heap.nodes, case.heap.cells
    return {
        place: value
        for place, value in cells.items()
        if isinstance(value, int | float) and isinstance(place.object, NodeId)
        if (nodes[place.object].type, place.offset) in fields
    }
