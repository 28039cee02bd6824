"""What a repair may relax: the selector variables of Wolverine2 section 4.1, and how far (Algorithm 1).

`r` lets the guard of a location change (a condition, or the deletion of a statement, whose guard becomes
false), `s` its statement, `t` activates an insertion slot.  A selector that is false keeps the program.
"""

from __future__ import annotations

from dataclasses import dataclass

from wolverine.core.trace import Position
from wolverine.repair.menu import Menu
from wolverine.solve.terms import Term

GUARD, STATEMENT, INSERTION = range(3)  # in the order in which Algorithm 1 relaxes them
KINDS = ("guards", "statements", "insertions")
BOUNDS = ("tau_grd", "tau_stm", "tau_ins")


@dataclass(frozen=True)
class Plan:
    """Which encoding of the execution is asked for.

    `slots` is the number of insertion slots.  `suspicious` are the locations that are free to change, all
    others are locked (None: none is).  With `angelic` a locked assignment may assign any value
    (section 5.1's `nondet`).  `flips` are the arrivals at an `if` that go the other way than they went.
    """

    slots: int
    suspicious: frozenset[int] | None = None
    angelic: bool = False
    flips: frozenset[Position] = frozenset()


@dataclass
class Relaxable:
    """What a location may become: selectors and the choice (None where they do not apply)."""

    location: int
    menu: Menu
    guard: Term = None
    statement: Term = None
    condition: Term = None
    target: Term = None
    value: Term = None


@dataclass
class Slot:
    """An insertion slot: active under `selector`, in the gap `place`, a statement by text numbers."""

    selector: Term
    place: Term
    target: Term
    value: Term


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
