"""Choosing among effects by what is lacking of the next assertion."""

from __future__ import annotations

from collections.abc import Mapping

from wolverine.repair.execution.assignments import Assignments
from wolverine.repair.execution.effects import DONE, LEAVE, OTHER, Effect
from wolverine.repair.explicit.outlook import Lack
from wolverine.semantics.encoding import held_at
from wolverine.semantics.machine import Machine


def mending(menu: Assignments, lack: Lack, subset: int) -> dict[Effect, int]:
    """The effects that put a cell right which nothing else can."""
    found: dict[Effect, int] = {}
    for key in lack.wrong:
        if lack.mends(key):
            mask = menu.only(key, lack.cells[key], subset)
            if mask:
                found[key, lack.cells[key]] = mask
    return found


def hopeful(machine: Machine, lack: Lack, classes: Mapping[Effect, int], edits: int) -> dict[Effect, int]:
    """The effects after which the edits that are left can still do what has to be done."""
    return {effect: mask for effect, mask in classes.items() if after(machine, lack, effect) <= edits}


def after(machine: Machine, lack: Lack, effect: Effect) -> int:
    """How much is lacking when the effect has happened."""
    assert isinstance(effect, tuple)
    key, raw = effect if effect[0] != LEAVE else effect[1]
    if key == DONE:
        return max(0, lack.total - len(raw))
    return lack.after(key, raw, held_at(machine.memory, key)) if key > 0 else lack.total


def within(
    machine: Machine, menu: Assignments, lack: Lack, subset: int, edits: int, mine: Effect
) -> tuple[dict[Effect, int], bool]:
    """The effects that leave no more to be mended than the other edits can do.

    Where the statement as it is leaves work for all edits that are left, none of them will be here
    at a later time: then its choices need not be compared with it.  Else (True) all effects are told,
    as where it is a call, which may write anything.  A choice that writes several cells mends more than one.
    """
    if mine == OTHER or after(machine, lack, mine) < edits:
        return menu.classes(subset), True
    if lack.total > edits and not menu.several:
        return {}, False
    if lack.total == edits and not menu.several:
        return mending(menu, lack, subset), False
    return hopeful(machine, lack, menu.classes(subset), edits - 1), False
