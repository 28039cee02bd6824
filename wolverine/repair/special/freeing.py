"""Searches that only free: by `free` or a function that calls it, of values kept for it if need be."""

from __future__ import annotations

from wolverine.core.expressions import VariableReference
from wolverine.core.patch import NewCall
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.menus.guards import Product
from wolverine.repair.menus.menu import Assigned, Menu
from wolverine.repair.source.frees import may_free
from wolverine.repair.special.choosing import Choosing
from wolverine.repair.special.omitted import allocating
from wolverine.semantics.allocation import FREEING


def freeing(bench: Bench) -> Bench:
    """The bench, with only the calls that free, and values kept in variables that a patch would declare."""
    return bench.offering(Freeing(bench))


class Freeing(Choosing):
    """Menus of gaps with these choices alone, of a bench that has calls."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        program = bench.problem.program
        self._frees_only = frozenset(FREEING) | {
            name for name in program.functions.keys() - allocating(program) if may_free(program, name)
        }

    def menu(self, location: int) -> Menu | None:
        """The menu of a location, None where it takes nothing that frees."""
        if location not in self._decided and self._program.location(location).kind != "gap":
            return None
        return super().menu(location)

    def chosen(self, menu: Menu) -> int:
        """What frees, and what is kept in a spare variable for that."""
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
