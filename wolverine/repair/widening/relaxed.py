"""What a repair may relax: the selector variables of Wolverine2 section 4.1, and how far (Algorithm 1).

`r` lets the guard of a location change (a condition, or the deletion of a statement, whose guard becomes
false), `s` its statement, `t` activates an insertion slot.  A selector that is false keeps the program.
"""

from __future__ import annotations

from dataclasses import dataclass

from wolverine.core.patch import NO_EDITS, Edit, Patch
from wolverine.core.trace import Position
from wolverine.repair.menus.guards import Product
from wolverine.repair.menus.menu import Menu
from wolverine.solve.terms import Term

GUARD, STATEMENT, INSERTION = range(3)  # in the order in which Algorithm 1 relaxes them
KINDS = ("guards", "statements", "insertions")
BOUNDS = ("tau_grd", "tau_stm", "tau_ins")
ASSIGNED, FREED, RETURNED, LEFT, ALLOCATED = range(5)  # kinds of slots; LEFT assigns and returns
AND_BEFORE, AND_BEHIND, OR_BEHIND, OR_BEFORE = CONJOINED = (1, 2, 3, 4)


@dataclass(frozen=True)
class Plan:
    """Which encoding of the execution is asked for.

    `slots` is the number of insertion slots.  What they hold besides a plain statement is made available on
    demand: with `guarded` a test before it, and returns (section 3.1); with `spares` a temporary, and several
    statements in one gap; with `hidden` a new node (section 4).  `suspicious` are the locations that are
    free to change, all others are locked (None: none is).  With `angelic` a locked assignment may assign any
    value (section 5.1's `nondet`).  `flips` are the arrivals at an `if` that go the other way than they went.
    The edits of `kept` are made besides: what is encoded is the program under them, and they are not counted.
    """

    slots: int
    suspicious: frozenset[int] | None = None
    angelic: bool = False
    flips: frozenset[Position] = frozenset()
    guarded: bool = False
    spares: bool = False
    hidden: bool = False
    kept: Patch = NO_EDITS

    def own(self, patch: Patch) -> tuple[Edit, ...]:
        """The edits of a patch that are not kept ones."""
        return tuple(edit for edit in patch.edits if edit not in self.kept.edits)

    def beside(self, edit: Edit) -> Patch:
        """The edits that are kept, and one more."""
        return Patch(tuple(sorted((*self.kept.edits, edit), key=lambda each: each.location)))

    def size(self, patch: Patch) -> int:
        """How many edits a patch makes besides those that are kept."""
        return Patch(self.own(patch)).size


@dataclass
class Relaxable:
    """What a location may become: selectors and the choice (None where they do not apply).

    A condition becomes number `condition` of those that differ from it (`test` is 0), or it gets test
    number `condition` besides, with `&&` or `||`, before or behind it (`test` is one of `CONJOINED`).
    The guard of a statement becomes number `test` of those that `tested` has, or false (-1: a deletion).
    """

    location: int
    menu: Menu
    guard: Term = None
    statement: Term = None
    condition: Term = None
    test: Term = None
    target: Term = None
    value: Term = None
    tested: Product | None = None


@dataclass
class Slot:
    """An insertion slot: active under `selector`, in the gap `place`, a statement by text numbers.

    `kind` is what sort of statement it is, `test` the number of what has to hold (-1: nothing).
    """

    selector: Term
    place: Term
    target: Term
    value: Term
    kind: Term
    test: Term


@dataclass(frozen=True)
class Selector:
    """One relaxable constraint; false keeps the program.  `location` is -1 for a slot."""

    term: Term
    kind: int
    location: int
    words: str


@dataclass(frozen=True)
class Way:
    """Under `term` the `if` at `position`, which is not encoded both ways, goes as the execution went."""

    term: Term
    position: Position
    words: str
