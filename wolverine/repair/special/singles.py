"""Menus of the edits that stand alone: jumps, bounds, links past nodes, returns, special cases, other ends.

The guarded menus offer them among thousands of others, and `cases` not at all.  A search for nothing else has
these few by themselves, numbered as they come, and what it finds is told in the numbers of the guarded menus
(`spelled`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from wolverine.core.expressions import variables
from wolverine.core.patch import Deletion, NewReturn, Replacement
from wolverine.core.program import Assign, Before, Compared, Gap, Jump, LocationKind
from wolverine.repair.execution.spaces import Space
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.menus.bounds import bounds
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.guards import Product, returns
from wolverine.repair.menus.jumps import offered, removable
from wolverine.repair.menus.menu import Choice, Menu
from wolverine.repair.menus.taking_out import where_it_leads
from wolverine.repair.menus.unreferenced import unreferenced
from wolverine.repair.menus.vocabulary import repairable
from wolverine.repair.source.blocks import ends_an_arm

_JUMPS: tuple[LocationKind, ...] = ("jump",)
_KINDS: tuple[LocationKind, ...] = ("gap", "assignment", *_JUMPS)  # of locations that take them


def singular(bench: Bench, *, returning: bool = False, onward: bool = False) -> Bench:
    """The bench with these edits alone, besides those that are decided.

    With `returning` they are also `return` at the ends of what conditions lead to, with `onward` only jumps
    that are gone.
    """
    kind = bench.problem.program.location
    kinds = _JUMPS if onward else _KINDS
    editable = {
        name: {i: at for i, at in found.items() if at in bench.decided or kind(at).kind in kinds}
        for name, found in bench.editable.items()
    }
    return replace(bench.on(Singles(bench, returning=returning)), editable=editable)


def spelled(space: Space, few: Menus, menus: Menus) -> Space:
    """A repair that was found with such menus, in the numbers of the guarded ones."""
    masks = dict(space.masks)
    for location, mask in space.masks.items():
        before, after = few.menu(location), menus.menu(location)
        if before is not None and after is not None and before is not after:
            chosen = (each.replacement for at, each in enumerate(before.choices) if mask >> at & 1)
            masks[location] = sum(1 << _number(after, each) for each in chosen)
    return replace(space, masks=masks)


def _number(menu: Menu, wanted: Replacement) -> int:
    if isinstance(wanted, NewReturn):
        assert isinstance(menu.choices, Product)
        statements = menu.choices.statements
        return len(statements.menu.choices) + statements.returns.index(wanted)
    return next(number for number, each in menu.others if each.replacement == wanted)


class Singles(Menus):
    """The menus of a bench that has guarded ones, with these edits alone; those of what is decided stay."""

    def __init__(self, bench: Bench, *, returning: bool) -> None:
        super().__init__(bench.problem.program, guarded=True, **bench.menus.widened)
        self._among = bench.menus
        self._decided: Mapping[int, int] = bench.decided
        self._returning = returning
        self._single: dict[int, Menu | None] = {}

    def menu(self, location: int) -> Menu | None:
        """The menu of a location, None where it takes none of these edits."""
        if location in self._decided:
            return self._among.menu(location)
        if location not in self._single:
            function = self._program.location(location).function
            index = self.indices(function).get(location)
            choices = () if index is None else tuple(map(Choice, self._offered(location, function, index)))
            every = (1 << len(choices)) - 1
            self._single[location] = (
                Menu(location, function, index, choices, all=every) if choices and index is not None else None
            )
        return self._single[location]

    def _offered(self, location: int, function: str, index: int) -> Iterator[Replacement]:
        where = self._program.location(location)
        match self._program.functions[function].code[index]:
            case Before() | Compared():
                pass
            case Gap() if where.gap != "result":
                vocabulary = self.vocabulary(function)
                scope = vocabulary.scope(where)
                yield from offered(self._program, function, index)
                yield from (each.replacement for each in self._new_bounds(vocabulary, scope, function))
                yield from self._other_ends(scope)
                for piece, each in self._cases(vocabulary, scope, function):
                    if piece.function != function or not piece.first <= index <= piece.behind:
                        yield each.replacement
                inside, known = self._program.functions[function], {variable.name for variable in scope}
                yield from unreferenced(self._program, inside, index, known)
                if self._returning and ends_an_arm(self._program, location, index):
                    yield from returns(vocabulary, inside, scope)
            case Jump() if removable(self._program.functions[function], index):
                yield Deletion()
            case Assign(_, target, value) if where.kind == "assignment" and where.semicolon:
                named = variables(value) | variables(target)
                if repairable(target.type) and not any(name.startswith("$") for name in named):
                    yield from bounds(target, value)
                    yield from where_it_leads(target, value)
