"""Searches for a return where two arguments are one, or what stands for them is: `if (x == y) return 0;`.

The guarded menus offer it among thousands of others.
"""

from __future__ import annotations

from itertools import combinations

from wolverine.core.expressions import Constant
from wolverine.core.parts import without_casts
from wolverine.core.program import Function
from wolverine.core.types import PointerType
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.menus.guards import Product, asks_for_one
from wolverine.repair.menus.menu import Menu
from wolverine.repair.source.likewise import likewise
from wolverine.repair.special.choosing import Choosing


def leaving_for_one(bench: Bench) -> Bench:
    """The bench, which has guarded menus, with these returns alone: of nothing, or of a number."""
    program = bench.problem.program
    wanted = {name for name in bench.editable if _given_two(program.functions[name])}
    return bench.within(wanted).offering(_ForOne(bench))


def _given_two(function: Function) -> bool:
    """Whether it is given two pointers of one type, or has what stands for two arguments."""
    given = [each.type for each in function.parameters if isinstance(each.type, PointerType)]
    return any(one == other for one, other in combinations(given, 2)) or bool(likewise(function))


class _ForOne(Choosing):
    """Menus of gaps with these choices alone."""

    def menu(self, location: int) -> Menu | None:
        """The menu of a location, None where it takes none of them."""
        if location not in self._decided and self._program.location(location).kind != "gap":
            return None
        return super().menu(location)

    def chosen(self, menu: Menu) -> int:
        """The mask of the returns under such a test."""
        if not isinstance(menu.choices, Product):
            return 0
        product, function = menu.choices, self._program.functions[menu.function]
        plain, returns = len(product.statements.menu.choices), enumerate(product.statements.returns)
        leaving = sum(
            1 << plain + number
            for number, each in returns
            if each.value is None or isinstance(without_casts(each.value), Constant)
        )
        tests = (number for number, test in enumerate(product.tests, 1) if asks_for_one(test, function))
        return menu.all & sum(leaving << number * product.width for number in tests)
