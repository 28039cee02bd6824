"""What the rankings of one search share: what candidates came to on a heap is not tried again.

A search ranks what it has found, looks further, and ranks all of it: with menus that have more choices.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from wolverine.core.graph import MemoryGraph
from wolverine.core.patch import Patch
from wolverine.core.trace import Trace
from wolverine.repair.heaps.entries import Case
from wolverine.repair.heaps.remains import Done, Rules
from wolverine.repair.heaps.runs import Ended, Outcome, Runs
from wolverine.repair.heaps.unrepaired import Crash
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.guards import carried

_Run = tuple[int, list[Ended]]  # the mask of candidates that ran together, and what came of them
_Carry = Callable[[int, int], int | None]  # location and mask to a mask of other menus


class Differing(NamedTuple):
    """Candidates that differ at one location, with the masks at their other ones."""

    others: tuple[tuple[int, int], ...]
    location: int


@dataclass
class OnHeap:
    """What is known of a function on one heap: what the program as it is does, and candidates.

    `ahead` is what it comes to (see `Covered`), where that was looked at.  The heap is `spoilt` if it does
    not keep what inputs keep of ends, links that lead back, and what is null together; what becomes of it is
    `unknown` where the program as it is comes to what the model does not know.
    """

    crash: Crash | None = None
    endless: bool = False
    passes: bool = False
    loses: bool = False
    spoilt: bool = False
    unknown: bool = False
    done: Done | None = None
    ahead: int | None = None
    begun: bool = False
    runs: dict[Differing, list[_Run]] = field(default_factory=dict)
    _outcomes: dict[Outcome, Outcome] = field(default_factory=dict)

    def add(self, name: Differing, whole: int, endings: list[Ended]) -> None:
        """Keep what came of a mask; equal outcomes are one object."""
        for ended in endings:
            ended.outcome = self._outcomes.setdefault(ended.outcome, ended.outcome)
        self.runs.setdefault(name, []).append((whole, endings))

    def carry(self, carry: _Carry) -> None:
        """Go over to other menus; what cannot be said with them is forgotten."""
        kept: dict[Differing, list[_Run]] = {}
        for name, runs in self.runs.items():
            others = _carried_masks(dict(name.others), carry)
            for whole, endings in runs:
                moved = carry(name.location, whole)
                if moved is None or others is None:
                    continue
                masks = [_carried_masks(ended.masks, carry) for ended in endings]
                made = [replace(e, masks=m) for e, m in zip(endings, masks, strict=True) if m is not None]
                if len(made) == len(endings):
                    to = Differing(tuple(others.items()), name.location)
                    kept.setdefault(to, []).append((moved, made))
        self.runs = kept


class Standing:
    """A function on one heap: runs are made where they are not known yet."""

    def __init__(self, runs: Runs, heap: MemoryGraph, trace: Trace | None, turn: int, known: OnHeap) -> None:
        """With the input of a trace that begins there; `turn` is the number of heaps before."""
        self._runs = runs
        self._heap = heap
        self._trace = trace
        self._turn = turn
        self._seated = False
        self.known = known
        if not known.begun:
            self._seat()
            known.begun = True
            known.crash, known.endless, known.passes = runs.crash, runs.endless, runs.passes
            known.loses, known.done, known.spoilt = runs.loses, runs.done, runs.spoilt
            known.unknown = runs.unknown

    def _seat(self) -> None:
        self._runs.seat(self._heap, self._trace, self._turn)
        self._seated = True

    def look_ahead(self) -> int:
        """What the program as it is comes to (see `Runs`)."""
        if self.known.ahead is None:
            if not self._seated:
                self._seat()
            self.known.ahead = self._runs.look_ahead()
        return self.known.ahead

    def run(self, masks: Mapping[int, int]) -> list[Ended]:
        """What the candidates of these masks do (see `Runs`)."""
        if not self._seated:
            self._seat()
            if self.known.ahead is not None:
                self._runs.look_ahead()
        return self._runs.run(masks)


class Known:
    """What is known so far; `carry` before a ranking goes over to its menus."""

    def __init__(self) -> None:
        self._menus: Menus | None = None
        self._made: dict[Hashable, list[Case]] = {}
        self._cases: dict[int, list[Case]] = {}
        self._tried: dict[Hashable, tuple[Sequence[Case], list[OnHeap]]] = {}
        self._rules: dict[Hashable, tuple[Sequence[Case], Rules]] = {}
        self._amiss: dict[str, dict[Patch, int]] = {}

    def carry(self, menus: Menus) -> None:
        """Go over to menus that have more choices, or forget the candidates."""
        before, self._menus = self._menus, menus
        if before is None or before is menus:
            return
        if not menus.includes(before):
            self._tried.clear()
            return
        moved: dict[tuple[int, int], int | None] = {}

        def carry(location: int, mask: int) -> int | None:
            if (location, mask) not in moved:
                moved[location, mask] = _carried(location, mask, before, menus)
            return moved[location, mask]

        for _, tried in self._tried.values():
            for each in tried:
                each.carry(carry)

    def cases(self, repairs: Hashable, make: Callable[[], list[Case]]) -> list[Case]:
        """The cases that the closest repairs tell, made once."""
        if repairs not in self._made:
            self._made[repairs] = make()
        return self._made[repairs]

    def amiss(self, pictures: str) -> dict[Patch, int]:
        """What repairs came to where these pictures were shown (see `Pictured`); to be added to."""
        return self._amiss.setdefault(pictures, {})

    def same(self, case: Case) -> Case:
        """An equal case that was tried before, or this one."""
        alike = self._cases.setdefault(hash(frozenset(case.heap.cells.items())), [])
        found = next((each for each in alike if each == case), None)
        if found is None:
            alike.append(case)
        return found or case

    def rules(self, function: str, cases: Sequence[Case], make: Callable[[], Rules]) -> Rules:
        """What the inputs of a function keep, looked for once in these cases."""
        key = (function, *(id(case) for case in cases))
        if key not in self._rules:
            self._rules[key] = cases, make()
        return self._rules[key][1]

    def on(self, name: Hashable, cases: Sequence[Case]) -> list[OnHeap]:
        """What is known of each of these cases, tried one behind the other; `name` is what else matters."""
        key = (name, *(id(case) for case in cases))
        if key not in self._tried:
            self._tried[key] = cases, [OnHeap() for _ in cases]
        return self._tried[key][1]


def _carried_masks(masks: Mapping[int, int], carry: _Carry) -> dict[int, int] | None:
    """Masks by location in the numbers of other menus, None where one of them has none."""
    made = {at: carry(at, mask) for at, mask in masks.items()}
    found = {at: mask for at, mask in made.items() if mask is not None}
    return found if len(found) == len(made) else None


def _carried(location: int, mask: int, before: Menus, after: Menus) -> int | None:
    """A mask in the numbers of menus with more choices, None where it has none."""
    one, other = before.menu(location), after.menu(location)
    if one is other or not mask:
        return mask
    if one is None or other is None:
        return None
    try:
        return carried(mask, one, other)
    except KeyError:
        return None
