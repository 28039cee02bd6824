"""Searches for a `break` or `continue` alone: who forgets one in a loop forgets it in the copy of that loop.

They are few, so that those of them that serve a place are found where to try all plain edits takes too long.
"""

from __future__ import annotations

from wolverine.core.program import Gap
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.menus.jumps import offered
from wolverine.repair.menus.menu import Menu
from wolverine.repair.special.choosing import Choosing


def jumping(bench: Bench) -> Bench:
    """The bench, which has statements under tests, with only the jumps that stand under none."""
    return bench.offering(Jumping(bench))


class Jumping(Choosing):
    """Menus of gaps with these choices alone."""

    def menu(self, location: int) -> Menu | None:
        """The menu of a location, None where no jump may stand."""
        if location not in self._decided and self._program.location(location).kind != "gap":
            return None
        return super().menu(location)

    def chosen(self, menu: Menu) -> int:
        """The jumps."""
        function = self._program.functions[menu.function]
        if type(function.code[menu.index]) is not Gap:
            return 0
        wanted = offered(self._program, menu.function, menu.index)
        return sum(1 << number for number, each in menu.others if each.replacement in wanted) if wanted else 0
