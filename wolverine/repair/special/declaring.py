"""Searches that are only made for a variable more: every edit has to name one that is declared for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from wolverine.core.expressions import Expression, variables
from wolverine.core.patch import mentioned
from wolverine.core.program import Program
from wolverine.repair.execution.spaces import Space
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.menu import Assigned, Conjoined, Menu

_Names = frozenset[str]


def declaring(bench: Bench) -> Bench:
    """The bench, with only the choices that name a variable which a patch would declare."""
    return bench.offering(Declaring(bench.problem.program))


class Declaring(Menus):
    """Menus with these choices alone, numbered as among the others."""

    def __init__(self, program: Program) -> None:
        super().__init__(program, spares=True)
        self._named: dict[int, Menu | None] = {}

    def menu(self, location: int) -> Menu | None:
        """The menu of a location, None where none of its choices names such a variable."""
        if location not in self._named:
            menu = super().menu(location)
            if menu is not None:
                names = frozenset(v.name for v in self._program.functions[menu.function].spares)
                found = menu.all & naming(menu, names) if names else 0
                menu = replace(menu, all=found) if found else None
            self._named[location] = menu
        return self._named[location]


def declared(bench: Bench, spaces: Sequence[Space]) -> list[Space]:
    """What of the repairs names such a variable with every edit, beside those that are decided."""
    program, found = bench.problem.program, list[Space]()
    for space in spaces:
        masks = dict(space.masks)
        for location in masks.keys() - bench.decided.keys():
            menu = bench.menus.menu(location)
            names = frozenset(v.name for v in program.functions[program.location(location).function].spares)
            masks[location] &= naming(menu, names) if menu is not None and names else 0
        if all(masks.values()):
            found.append(replace(space, masks=masks))
    return found


def naming(menu: Menu, names: _Names) -> int:
    """The choices of a menu that name one of the variables."""
    choices, found = menu.choices, 0
    if isinstance(choices, Conjoined):
        changed, tests = _which(choices.changed, names), _which(choices.tests, names)
        return choices.masks(changed, (tests, tests), (tests, tests))
    if isinstance(choices, Assigned):
        rows, columns = choices.masks()
        for place, mask in zip(choices.targets, rows, strict=True):
            if names & variables(place):
                found |= mask
        for value, mask in zip(choices.values, columns, strict=True):
            if names & variables(value):
                found |= mask
    for number, choice in menu.others:
        if names & mentioned(choice.replacement):
            found |= 1 << number
    return found


def _which(expressions: tuple[Expression, ...], names: _Names) -> int:
    return sum(1 << number for number, each in enumerate(expressions) if names & variables(each))
