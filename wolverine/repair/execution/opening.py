"""Menus opened on a machine: what their choices do in its present state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wolverine.core.expressions import VariableReference
from wolverine.core.patch import NewReturn
from wolverine.core.program import RESULT_NAME, Branch
from wolverine.repair.execution.assignments import Assignments
from wolverine.repair.execution.demand import Demand, Either
from wolverine.repair.execution.effects import LEAVE, NOOP, Effect, demanded
from wolverine.repair.execution.pool import FAILED, Pool, look
from wolverine.repair.execution.truths import Conditionals, Tests
from wolverine.repair.menus.guards import Product
from wolverine.repair.menus.menu import Assigned, Menu

_REMEMBERED = 256  # subsets of which it is kept what stands under which test
_FEW = 12  # tests, where the choices are looked at test by test
_SPARSE = 64  # bits, of which one is set


def open_menu(pool: Pool, menu: Menu) -> Assignments | Conditionals:
    """The menu on the pool's machine."""
    step = pool.machine.program.functions[menu.function].code[menu.index]
    if isinstance(step, Branch):
        return Conditionals(pool, menu)
    if isinstance(menu.choices, Product):
        return GuardedStatements(pool, menu)
    return Assignments(pool, menu) if isinstance(menu.choices, Assigned) else Apart(pool, menu)


class GuardedStatements(Assignments):
    """A menu of guarded statements on one machine."""

    def __init__(self, pool: Pool, menu: Menu) -> None:
        assert isinstance(menu.choices, Product)
        product = menu.choices
        super().__init__(pool, product.statements.menu)
        self._plain = product.statements.menu
        self.menu = menu
        tests, name = product.tests, menu.function
        self._tests = pool.shared(name, tests, lambda: Tests(pool, name, tests))
        self._product = product
        self._known: dict[tuple[int, int], tuple[int, int]] = {}
        self._parted: dict[int, Sequence[tuple[int, int]]] = {}
        plain = len(product.statements.menu.choices)
        returns = enumerate(product.statements.returns, plain)
        self._returns = _Returns(pool, name, dict(returns))

    def classes(self, subset: int) -> dict[Effect, int]:
        """The choices of `subset` by their effect; those that crash are left out."""
        return self._under_tests(self._statements(self._standing(subset)), subset)

    def _under_tests(self, inner: Mapping[Effect, int], subset: int) -> dict[Effect, int]:
        """The choices of a subset by what they do, where `inner` are the statements by what these do."""
        blocks = self._split(subset)
        if len(blocks) <= _FEW:
            return self._in_blocks(inner, blocks)
        true, false = self._blocks()
        found: dict[Effect, int] = {}
        for effect, mask in inner.items():
            chosen = repeated(mask, true) & subset
            if chosen:
                found[effect] = chosen
        idle = (self._every() * false) & subset
        if idle:
            found[NOOP] = found.get(NOOP, 0) | idle
        return found

    def _in_blocks(self, inner: Mapping[Effect, int], blocks: Sequence[tuple[int, int]]) -> dict[Effect, int]:
        """The same for choices under few tests, block by block."""
        holds, fails = self._tests.truths()
        found: dict[Effect, int] = {}
        for number, statements in blocks:
            at = (number + 1) * self._product.width
            if number >= 0 and fails >> number & 1:
                found[NOOP] = found.get(NOOP, 0) | statements << at
            elif number < 0 or holds >> number & 1:
                for effect, mask in inner.items():
                    if chosen := mask & statements:
                        found[effect] = found.get(effect, 0) | chosen << at
        return found

    def _split(self, subset: int) -> Sequence[tuple[int, int]]:
        """The statements of a subset by the number of their test, -1 for those under none."""
        found = self._parted.get(subset)
        if found is None:
            if len(self._parted) >= _REMEMBERED:
                self._parted.clear()
            found = self._parted[subset] = tuple(self._product.blocks(subset))
        return found

    def only(self, key: int, raw: object, subset: int) -> int:
        """The choices of `subset` that write `raw` to the cell `key`."""
        inner = super().only(key, raw, self._product.statements.used)
        return inner * self._blocks()[0] & subset if inner else 0

    def wanted(self, subset: int, demand: Demand | Either) -> dict[Effect, int]:
        """The choices of `subset` that do what is demanded, or do more than write, by their effect."""
        inner = demanded(self._statements(self._standing(subset)), demand)
        return demanded(self._under_tests(inner, subset), demand)

    def _standing(self, subset: int) -> int:
        """The statements in the choices of a subset, whatever the test."""
        if subset == self.menu.all:
            return self._every() & ~(self.menu.calls | self.menu.alone)
        found = 0
        for _, inner in self._split(subset):
            found |= inner
        return found

    def _every(self) -> int:
        statements = self._product.statements
        return (1 << statements.width) - 1

    def _blocks(self) -> tuple[int, int]:
        """A bit at the start of each block whose test holds (the one without a test too), and the rest."""
        truths = self._tests.truths()
        known = self._known.get(truths)
        if known is None:
            width = self._product.width
            true, false = 1, 0
            for number in range(len(self._product.tests)):
                at = 1 << ((number + 1) * width)
                if truths[0] >> number & 1:
                    true |= at
                elif truths[1] >> number & 1:
                    false |= at
            known = self._known[truths] = (true, false)
        return known

    def _statements(self, standing: int) -> Mapping[Effect, int]:
        """The statements that are among those of the mask, and perhaps others, by their effect."""
        statements = self._product.statements
        plain = len(statements.menu.choices)
        after = plain + len(statements.returns)
        found = super().classes(statements.used & (standing | standing >> after))
        if statements.both:
            for effect, mask in list(found.items()):
                if mask & statements.outward:
                    leaving = (LEAVE, effect)
                    found[leaving] = found.get(leaving, 0) | (mask & statements.outward) << after
        self._returns.add(found, standing)
        return found


def repeated(mask: int, blocks: int) -> int:
    """A mask in each of the blocks, of which `blocks` has the first bit: their product.

    Where it has few bits, to shift the blocks is faster.
    """
    if mask.bit_count() * _SPARSE > mask.bit_length():
        return mask * blocks
    found = 0
    while mask:
        bit = mask & -mask
        found |= blocks << bit.bit_length() - 1
        mask ^= bit
    return found


class Apart(Assignments):
    """A menu of choices that are no pairs of a place and a value, returns among them."""

    def __init__(self, pool: Pool, menu: Menu) -> None:
        super().__init__(pool, menu)
        made = ((number, each.replacement) for number, each in menu.others)
        self._returns = _Returns(
            pool, menu.function, {n: each for n, each in made if isinstance(each, NewReturn)}
        )

    def classes(self, subset: int) -> dict[Effect, int]:
        """The choices of `subset` by their effect; those that crash are left out."""
        found = super().classes(subset)
        self._returns.add(found, subset)
        return found

    def wanted(self, subset: int, demand: Demand | Either) -> dict[Effect, int]:
        """The choices of `subset` that do what is demanded, or do more than write, by their effect."""
        return demanded(self.classes(subset), demand)


class _Returns:
    """Returns of one function, by the number of their choice, on one machine."""

    def __init__(self, pool: Pool, name: str, made: Mapping[int, NewReturn]) -> None:
        self._machine = pool.machine
        result = pool.machine.program.functions[name].result
        self._bare = sum(1 << number for number, each in made.items() if each.value is None)
        self._values = [
            (closure, 1 << number)
            for number, each in made.items()
            if each.value is not None
            for closure in pool.values(name, [each.value])
        ]
        if self._values:
            [self._result] = pool.keys(name, [VariableReference(RESULT_NAME, result)])

    def add(self, found: dict[Effect, int], subset: int = -1) -> None:
        """Add those of `subset` to the choices by their effect."""
        if bare := self._bare & subset:
            found[LEAVE, NOOP] = found.get((LEAVE, NOOP), 0) | bare
        wanted = [(closure, bit) for closure, bit in self._values if bit & subset]
        key = look(self._machine, self._result) if wanted else None
        for closure, bit in wanted:
            raw = look(self._machine, closure)
            if raw is not None and raw is not FAILED:
                effect = (LEAVE, (key, raw))
                found[effect] = found.get(effect, 0) | bit
