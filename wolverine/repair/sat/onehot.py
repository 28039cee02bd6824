"""What a location may become as literals: one for each place, value and condition of its menu.

An edit of a statement is a place and a value of the menu that go together; so a menu of a thousand choices
needs some sixty literals.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from wolverine.core.expressions import Binary, Expression, LValue
from wolverine.core.patch import Deletion
from wolverine.core.types import CType, PointerType
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.menu import Assigned, Conjoined, Menu
from wolverine.solve.clauses import TRUE, Clauses


@dataclass
class Assigning:
    """A statement: as it is under `same`, gone under `gone`, else one of `targets` gets one of `values`."""

    same: int
    gone: int = -TRUE
    targets: list[tuple[int, LValue, frozenset[CType]]] = field(default_factory=list)  # the values' types
    values: list[tuple[int, Expression]] = field(default_factory=list)


@dataclass
class Deciding:
    """A condition: as it is under `same`, another one, or a test beside it.

    `joined` are tests with four literals each: `test && it`, `it && test`, `it || test`, `test || it`.
    """

    same: int
    changed: list[tuple[int, Expression]] = field(default_factory=list)
    joined: list[tuple[tuple[int, int, int, int], Expression]] = field(default_factory=list)


class Choosing:
    """The locations that may change, made when an execution first comes to them.

    `exact` is false once choices were left out: calls in gaps, neighbours of pointers, numbers far off.
    """

    def __init__(self, clauses: Clauses, menus: Menus) -> None:
        self._clauses = clauses
        self._menus = menus
        self._made: dict[int, Assigning | Deciding | None] = {}
        self.exact = True

    @property
    def selectors(self) -> Mapping[int, int]:
        """By location the literal under which it is changed."""
        return {location: -made.same for location, made in self._made.items() if made is not None}

    def at(self, location: int) -> Assigning | Deciding | None:
        """What the location may become; None where it stays as it is."""
        if location not in self._made:
            menu = self._menus.menu(location)
            self._made[location] = None if menu is None else self._make(menu)
        return self._made[location]

    def _make(self, menu: Menu) -> Assigning | Deciding | None:
        if isinstance(menu.choices, Conjoined):
            return self._condition(menu.choices)
        made = Assigning(self._clauses.new())
        others = enumerate(menu.choices)
        if isinstance(menu.choices, Assigned):
            self._pairs(made, menu, menu.choices)
            others = enumerate(menu.choices.more, menu.choices.pairs)
        for number, choice in others:
            if not menu.all >> number & 1:
                continue
            if isinstance(choice.replacement, Deletion):
                made.gone = made.gone if made.gone != -TRUE else self._clauses.new()
            else:
                self.exact = False
        kinds = [made.same, made.gone, *(literal for literal, _, _ in made.targets)]
        self._clauses.add(kinds)
        self._clauses.at_most_one([literal for literal in kinds if literal != -TRUE])
        return made

    def _pairs(self, made: Assigning, menu: Menu, choices: Assigned) -> None:
        rows, columns = choices.masks()
        new = self._clauses.new
        values = [
            new() if mask & menu.all and not self._moves(value) else -TRUE
            for mask, value in zip(columns, choices.values, strict=True)
        ]
        made.values = [(x, v) for x, v in zip(values, choices.values, strict=True) if x != -TRUE]
        for mask, place in zip(rows, choices.targets, strict=True):
            fitting = [x for x, c in zip(values, columns, strict=True) if x != -TRUE and mask & c & menu.all]
            if fitting:
                literal = new()
                types = {v.type for x, v in zip(values, choices.values, strict=True) if x in fitting}
                made.targets.append((literal, place, frozenset(types)))
                self._clauses.add((-literal, *fitting))

    def _moves(self, value: Expression) -> bool:
        """Whether it is a pointer's neighbour: with these, every pointer might lead anywhere."""
        moves = isinstance(value, Binary) and isinstance(value.type, PointerType)
        self.exact = self.exact and not moves
        return moves

    def _condition(self, choices: Conjoined) -> Deciding:
        new = self._clauses.new
        made = Deciding(new())
        made.changed = [(new(), condition) for condition in choices.changed]
        self.exact = self.exact and choices.other is None
        made.joined = [((new(), new(), new(), new()), test) for test in choices.tests]
        chosen = [literal for literal, _ in made.changed]
        chosen += [literal for four, _ in made.joined for literal in four]
        self._clauses.add((made.same, *chosen))
        return made
