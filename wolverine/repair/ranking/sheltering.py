"""Statements that do harm on other heaps, under a test of what they go through, where several edits are made.

The other edits stay what they are in the repairs that were found: with all choices there would be too many.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from wolverine.repair.execution.spaces import Space
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.guards import Product, sheltered
from wolverine.repair.menus.menu import Menu
from wolverine.repair.ranking.answered import renumbered


def sheltering(bench: Bench, menus: Menus, spaces: Sequence[Space], locations: Collection[int]) -> Bench:
    """The bench, which has statements under tests, with these at the locations and what the spaces have.

    The spaces are in the numbers of `menus`.
    """
    return bench.offering(Sheltering(bench, menus, spaces, locations))


class Sheltering(Menus):
    """Menus of the locations that the spaces change, numbered as those of the bench."""

    def __init__(
        self, bench: Bench, menus: Menus, spaces: Sequence[Space], locations: Collection[int]
    ) -> None:
        self._among, self._decided, self._locations = bench.menus, bench.decided, locations
        super().__init__(bench.problem.program, guarded=bench.menus.guarded, **bench.menus.widened)
        self._plain: dict[int, int] = {}
        for space in spaces:
            for location, mask in renumbered(space, menus, bench.menus).masks.items():
                self._plain[location] = self._plain.get(location, 0) | mask
        self._masked: dict[int, Menu | None] = {}

    def menu(self, location: int) -> Menu | None:
        """The menu of a location, None for those that no space changes."""
        if location in self._decided:
            return self._among.menu(location)
        if location not in self._plain:
            return None
        if location not in self._masked:
            menu = super().menu(location)
            found = self._plain[location] if menu is not None else 0
            if menu is not None and location in self._locations and isinstance(menu.choices, Product):
                width, blocks = menu.choices.width, range(1, len(menu.choices.tests) + 1)
                plain = found & (1 << width) - 1
                found |= sheltered(menu, sum(plain << block * width for block in blocks) & menu.all)
            self._masked[location] = replace(menu, all=found, calls=0) if menu is not None and found else None
        return self._masked[location]
