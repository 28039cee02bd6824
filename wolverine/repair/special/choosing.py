"""Menus of a bench with some of their choices alone; those of what is decided stay."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace

from wolverine.repair.explicit.bench import Bench
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.menu import Menu


class Choosing(Menus):
    """The menus as those of the bench, with what is `chosen`."""

    def __init__(self, bench: Bench) -> None:
        self._among = bench.menus
        super().__init__(bench.problem.program, guarded=bench.menus.guarded, **bench.menus.widened)
        self._decided = bench.decided
        self._masked: dict[int, Menu | None] = {}

    @abstractmethod
    def chosen(self, menu: Menu) -> int:
        """The mask of the choices of a menu."""

    def menu(self, location: int) -> Menu | None:
        """The menu of a location, None where none of its choices is chosen."""
        if location in self._decided:
            return self._among.menu(location)
        if location not in self._masked:
            menu = super().menu(location)
            found = self.chosen(menu) if menu is not None else 0
            self._masked[location] = replace(menu, all=found, calls=0) if menu is not None and found else None
        return self._masked[location]
