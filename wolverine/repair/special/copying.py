"""Searches that only copy strings: what is freed by two who hold it was to be copied for one of them."""

from __future__ import annotations

from wolverine.core.patch import NewNode
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.menus.menu import Menu
from wolverine.repair.special.choosing import Choosing


def copying(bench: Bench) -> Bench:
    """The bench, with only the copies of strings; it has new nodes."""
    return bench.offering(Copying(bench))


class Copying(Choosing):
    """Menus of a bench that has new nodes, with these choices alone."""

    def chosen(self, menu: Menu) -> int:
        """The copies of strings."""
        found = 0
        for number, choice in menu.others:
            if isinstance(choice.replacement, NewNode) and choice.replacement.copied:
                found |= 1 << number
        return found
