"""Searches in which every edit sets one of certain places, under a test or not."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from functools import partial

from wolverine.core.expressions import LValue, lvalue_text
from wolverine.core.program import Function
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.guards import assigning, clearing, plainly
from wolverine.repair.menus.menu import Menu
from wolverine.repair.menus.unlinked import Field, sets_link
from wolverine.repair.special.severed import Severed

_Wanted = Callable[[LValue], bool]


def severing(bench: Bench, known: Severed, *, null: bool = False) -> Bench:
    """The bench, with insertions alone that may set what leads to the freed node, where it was freed.

    With `null` they set it to that, under no test.
    """
    here: dict[int, _Wanted] = {
        gap: partial(known.sets, function)
        for function in sorted(known.functions)
        for gap in _gaps(bench, {function})
    }
    among = clearing if null else assigning
    return _with(bench, Setting(bench, here, among))


def targeting(bench: Bench, places: Iterable[tuple[int, str]]) -> Bench:
    """The bench, with insertions alone that set these places: (location, text of the place)."""
    texts: dict[int, set[str]] = {}
    for location, place in places:
        if bench.problem.program.location(location).kind == "gap":
            texts.setdefault(location, set()).add(place)
    wanted = {location: _named(frozenset(found)) for location, found in texts.items()}
    return _with(bench, Setting(bench, wanted, assigning))


def linking(bench: Bench, fields: frozenset[Field]) -> Bench:
    """The bench, with insertions alone that set these links, under a test or not."""
    gaps: dict[int, _Wanted] = dict.fromkeys(_gaps(bench), partial(sets_link, fields=fields))
    return _with(bench, Setting(bench, gaps, assigning))


def returned(bench: Bench, function: Function) -> Bench:
    """The bench, with a value alone that the function returns at its end."""
    gaps = list(_gaps(bench, {function.name}))
    order = bench.menus.indices(function.name)
    here: dict[int, _Wanted] = dict.fromkeys(sorted(gaps, key=order.__getitem__)[-1:], _any)
    return _with(bench, Setting(bench, here, plainly))


def _gaps(bench: Bench, functions: Collection[str] | None = None) -> Iterator[int]:
    """The gaps that may be filled, in some functions or all."""
    for name, found in bench.editable.items():
        if functions is None or name in functions:
            yield from (each for each in found.values() if bench.problem.program.location(each).kind == "gap")


def _any(_place: LValue) -> bool:
    return True


def _named(texts: frozenset[str]) -> _Wanted:
    return lambda place: lvalue_text(place) in texts


def _with(bench: Bench, menus: Setting) -> Bench:
    editable = {
        name: here
        for name, found in bench.editable.items()
        if (here := {index: each for index, each in found.items() if menus.menu(each) is not None})
    }
    return replace(bench.on(menus), editable=editable)


class Setting(Menus):
    """The menus of a bench, of gaps with the choices that `setting` tells of wanted places.

    Those of what is decided stay.
    """

    def __init__(
        self, bench: Bench, wanted: dict[int, _Wanted], setting: Callable[[Menu, _Wanted], int]
    ) -> None:
        super().__init__(bench.problem.program, guarded=True, **bench.menus.widened)
        self._among, self._decided = bench.menus, bench.decided
        self._wanted = wanted
        self._told = setting
        self._setting: dict[int, Menu | None] = {}

    def menu(self, location: int) -> Menu | None:
        """The menu of a location, None where none of its choices sets such a place."""
        if location in self._decided:
            return self._among.menu(location)
        if location not in self._wanted:
            return None
        if location not in self._setting:
            menu = super().menu(location)
            found = self._told(menu, self._wanted[location]) if menu is not None else 0
            self._setting[location] = replace(menu, all=found) if menu is not None and found else None
        return self._setting[location]
