"""Edits that were accepted before: the choices of menus that they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product

from wolverine.core.expressions import text
from wolverine.core.patch import (
    FreedList,
    Guarded,
    NewAssignment,
    NewBlock,
    NewCall,
    NewValue,
    Patch,
    Replacement,
)
from wolverine.core.program import Program
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.guards import Product
from wolverine.repair.menus.menu import Assigned, Choice, Menu

_WIDENINGS = tuple(product((False, True), repeat=4))  # calls, nodes, guarded, with spares


def choices_of(patch: Patch, menus: Menus) -> dict[int, int] | None:
    """The edits as masks of one choice by location; None where a menu does not offer one of them."""
    found: dict[int, int] = {}
    for edit in patch.edits:
        menu = menus.menu(edit.location)
        number = None if menu is None else number_of(menu, edit.replacement)
        if menu is None or number is None or not (menu.all | menu.calls | menu.alone) >> number & 1:
            return None
        found[edit.location] = 1 << number
    return found


def offering(program: Program, patch: Patch, menus: Menus) -> Menus:
    """Menus that offer the edits of a patch, as `menus` do or wider; `menus` where none do."""
    if choices_of(patch, menus) is not None:
        return menus
    for calls, nodes, guarded, spares in _WIDENINGS:
        wider = fixed(
            Menus(program, guarded=guarded, spares=spares, nodes=nodes, calls=calls), program, patch
        )
        if choices_of(patch, wider) is not None:
            return wider
    return menus


def fixed(menus: Menus, program: Program, patch: Patch) -> Menus:
    """The menus with those edits of a patch that none offers: each is all that its location takes then."""
    never = {e.location: e.replacement for e in patch.edits if isinstance(e.replacement, FreedList)}
    return _Fixed(menus, program, never) if never else menus


class _Fixed(Menus):
    def __init__(self, menus: Menus, program: Program, made: Mapping[int, FreedList]) -> None:
        super().__init__(program, guarded=menus.guarded, **menus.widened)
        self._among = menus
        self._fixed = made

    def menu(self, location: int) -> Menu | None:
        """The menu of a location, None where it takes nothing."""
        made = self._fixed.get(location)
        if made is None:
            return self._among.menu(location)
        function = self._program.location(location).function
        index = self.indices(function)[location]
        return Menu(location, function, index, (Choice(made),), all=1)


def number_of(menu: Menu, replacement: Replacement) -> int | None:
    """The number of the choice, None where the menu does not have it."""
    match menu.choices, replacement:
        case Product() as guarded, _:
            return _under_test(guarded, replacement)
        case Assigned() as choices, NewAssignment():
            return _pair(choices, replacement)
        case Assigned() as choices, NewValue():
            made: Iterable[tuple[int, Choice]] = enumerate(choices)
        case _:
            made = menu.others
    return next((number for number, each in made if each.replacement == replacement), None)


def _pair(choices: Assigned, wanted: NewAssignment) -> int | None:
    rows, columns = choices.masks()
    row = sum(mask for place, mask in zip(choices.targets, rows, strict=True) if place == wanted.target)
    written = text(wanted.value)  # null is one value, whatever it points to
    column = sum(mask for value, mask in zip(choices.values, columns, strict=True) if text(value) == written)
    number = (row & column & -(row & column)).bit_length() - 1
    return number if number >= 0 and isinstance(choices[number].replacement, NewAssignment) else None


def _under_test(choices: Product, replacement: Replacement) -> int | None:
    block, statement = 0, replacement
    if isinstance(replacement, Guarded):
        if replacement.otherwise is not None or isinstance(replacement.statement, NewCall | NewBlock):
            return next((number for number, each in choices.others if each.replacement == replacement), None)
        tested = (i for i, test in enumerate(choices.tests, 1) if test == replacement.condition)
        block, statement = next(tested, -1), replacement.statement
        if block < 0:
            return next((number for number, each in choices.others if each.replacement == replacement), None)
    statements = choices.statements
    offered = statements.used | statements.leaving
    inner = (i for i in range(choices.width) if offered >> i & 1 and statements[i] == statement)
    number = next(inner, None)
    return None if number is None else block * choices.width + number
