"""Conditions with two tests more at once: `c && (a || b)`, `c || (a && b)`.

Who forgets an exception of a condition may have forgotten what that does not hold for as well: a node goes
if nothing is below it, unless it holds a value, but for the one that is asked for.  Neither test will do by
itself, and no edit comes from one of them to both.  One of the two names what the condition does, the other
one may be what a call in front of it asks of its arguments (`source.handed_over`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from wolverine.core.expressions import Expression, Logical, text, variables
from wolverine.core.parts import null_test
from wolverine.core.program import Branch
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.menus.menu import Conjoined, Menu
from wolverine.repair.source.handed_over import handed_over
from wolverine.repair.special.choosing import Choosing

_MOST = 6000  # conditions at one place


def either(bench: Bench) -> Bench:
    """The bench with these conditions alone, of branches, besides what is decided."""
    return bench.offering(Either(bench))


class Either(Choosing):
    """The menus as those of the bench, but conditions with two tests more."""

    def chosen(self, menu: Menu) -> int:
        """None of the others."""
        return 0

    def menu(self, location: int) -> Menu | None:
        """The menu of a location, None where no such condition can stand."""
        if location in self._decided:
            return self._among.menu(location)
        if location not in self._masked:
            self._masked[location] = self._made(location)
        return self._masked[location]

    def _made(self, location: int) -> Menu | None:
        where = self._program.location(location)
        menu = self._among.menu(location) if where.kind == "condition" and not where.loop else None
        if menu is None or not isinstance(menu.choices, Conjoined):
            return None
        inside = self._program.functions[menu.function]
        step = inside.code[menu.index]
        assert isinstance(step, Branch)
        more = handed_over(self._program, inside, menu.index)
        found = tuple(islice(_joined(step.condition, menu.choices.tests, more), _MOST))
        choices = Conjoined(step.condition, found, (), None)
        return replace(menu, choices=choices, all=(1 << len(found)) - 1, calls=0, alone=0) if found else None


def _joined(
    condition: Expression, tests: Sequence[Expression], more: Sequence[Expression]
) -> Iterator[Expression]:
    """The condition with two of the tests, one at least of which names what the condition names."""
    names = variables(condition)
    near = [each for each in tests if variables(each) & names]
    for one in near:
        asked, written = null_test(one), text(one)
        for other in (*more, *tests):
            beside = null_test(other)
            if text(other) == written or (asked and beside and asked[0] == beside[0]):
                continue
            yield Logical("&&", condition, Logical("||", one, other))
            yield Logical("||", condition, Logical("&&", one, other))
