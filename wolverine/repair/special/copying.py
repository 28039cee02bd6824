"""Searches that only copy strings: what is freed by two who hold it was to be copied for one of them."""

from __future__ import annotations

from dataclasses import replace

from wolverine.core.patch import NewNode
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.menu import Menu


def copying(bench: Bench) -> Bench:
    """The bench, with only the copies of strings; it has new nodes."""
    return bench.offering(Copying(bench))


class Copying(Menus):
    """Menus with these choices alone, of a bench that has new nodes; those of what is decided stay."""

    def __init__(self, bench: Bench) -> None:
        self._among = bench.menus
        super().__init__(bench.problem.program, guarded=bench.menus.guarded, **bench.menus.widened)
        self._decided = bench.decided
        self._masked: dict[int, Menu | None] = {}

    def menu(self, location: int) -> Menu | None:
        """The menu of a location, None where no string is copied."""
        if location in self._decided:
            return self._among.menu(location)
        if location not in self._masked:
            menu = super().menu(location)
            found = _copies(menu) if menu is not None else 0
            self._masked[location] = replace(menu, all=found, calls=0) if menu is not None and found else None
        return self._masked[location]


def _copies(menu: Menu) -> int:
    found = 0
    for number, choice in menu.others:
        if isinstance(choice.replacement, NewNode) and choice.replacement.copied:
            found |= 1 << number
    return found
