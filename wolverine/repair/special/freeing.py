"""Searches that only free: by `free` or a function that calls it, of values kept for it if need be."""

from __future__ import annotations

from dataclasses import replace

from wolverine.core.expressions import VariableReference
from wolverine.core.patch import NewCall
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.guards import Product
from wolverine.repair.menus.menu import Assigned, Menu
from wolverine.repair.special.leaks import can_free
from wolverine.repair.special.omitted import allocating
from wolverine.semantics.allocation import FREEING


def freeing(bench: Bench) -> Bench:
    """The bench, with only the calls that free, and values kept in variables that a patch would declare."""
    return bench.offering(Freeing(bench))


class Freeing(Menus):
    """Menus of gaps with these choices alone, of a bench that has calls; those of what is decided stay."""

    def __init__(self, bench: Bench) -> None:
        program, self._among = bench.problem.program, bench.menus
        super().__init__(program, guarded=bench.menus.guarded, **bench.menus.widened)
        self._decided = bench.decided
        self._frees_only = frozenset(FREEING) | {
            name for name in program.functions.keys() - allocating(program) if can_free(program, name)
        }
        self._masked: dict[int, Menu | None] = {}

    def menu(self, location: int) -> Menu | None:
        """The menu of a location, None where it takes nothing that frees."""
        if location in self._decided:
            return self._among.menu(location)
        if self._program.location(location).kind != "gap":
            return None
        if location not in self._masked:
            menu = super().menu(location)
            found = self._freeing(menu) if menu is not None else 0
            self._masked[location] = replace(menu, all=found, calls=0) if menu is not None and found else None
        return self._masked[location]

    def _freeing(self, menu: Menu) -> int:
        found = 0
        for number, choice in menu.others:
            made = choice.replacement
            if isinstance(made, NewCall) and made.target is None and made.function in self._frees_only:
                found |= 1 << number
        spares = self._program.functions[menu.function].spares
        if isinstance(menu.choices, Product):
            menu = menu.choices.statements.menu
        if found and isinstance(menu.choices, Assigned):
            for place, mask in zip(menu.targets, menu.choices.masks()[0], strict=True):
                if isinstance(place, VariableReference) and place in spares:
                    found |= mask
        return found
