"""What the conditions of a menu say in the present state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from wolverine.core.expressions import COMPARISONS, Binary, Expression, Logical, Unary
from wolverine.core.patch import NewValue
from wolverine.core.program import Branch
from wolverine.core.types import IntType, PointerType
from wolverine.repair.effects import CRASH, Effect
from wolverine.repair.menu import Menu
from wolverine.repair.pool import FAILED, Pool, look
from wolverine.semantics.faults import Halt

Test = Callable[[tuple[Any, ...]], bool]


class Tests:
    """Conditions of a function on one machine.

    A condition becomes a tree over comparisons of pooled operands, so that operands which many
    conditions share are evaluated once a state.
    """

    def __init__(self, pool: Pool, function: str, conditions: Sequence[Expression]) -> None:
        self._machine = pool.machine
        self._operands: dict[Expression, int] = {}
        self._trees: dict[int, Test] = {}
        self._tests = [self._tree(condition) for condition in conditions]
        self._trees.clear()
        self._closures = pool.values(function, list(self._operands))
        self._known: dict[tuple[Any, ...], tuple[int, int]] = {}

    def truths(self) -> tuple[int, int]:
        """The masks of the conditions that hold in the present state and of those that do not.

        Those that crash are in neither.
        """
        values = self._values()
        known = self._known.get(values)
        if known is None:
            known = self._known[values] = self._evaluate(values)
        return known

    def _values(self) -> tuple[Any, ...]:
        """The operands in the present state; what a condition says depends on them alone."""
        machine = self._machine
        base = machine.frame.base  # type: ignore[union-attr]
        found = []
        for closure in self._closures:
            try:
                found.append(closure(base))
            except (KeyError, Halt):
                found.append(look(machine, closure))
        return tuple(found)

    def _evaluate(self, values: tuple[Any, ...]) -> tuple[int, int]:
        true, false, bit = 0, 0, 1
        for test in self._tests:
            try:
                if test(values):
                    true |= bit
                else:
                    false |= bit
            except _Fails:
                pass
            bit <<= 1
        return true, false

    def _operand(self, expression: Expression) -> Callable[[tuple[Any, ...]], Any]:
        number = self._operands.setdefault(expression, len(self._operands))
        mask = 0
        if isinstance(expression.type, IntType) and not expression.type.signed:
            mask = (1 << 8 * expression.type.size) - 1

        def value(values: tuple[Any, ...]) -> Any:
            found = values[number]
            if found is FAILED or found is None:
                raise _Fails
            return found & mask if mask else found

        return value

    def _tree(self, condition: Expression) -> Test:
        """The tree of a condition; parts that several conditions share are made once."""
        found = self._trees.get(id(condition))
        if found is None:
            found = self._trees[id(condition)] = self._grown(condition)
        return found

    def _grown(self, condition: Expression) -> Test:
        match condition:
            case Logical("&&", left, right):
                one, two = self._tree(left), self._tree(right)
                return lambda m: one(m) and two(m)
            case Logical(_, left, right):
                one, two = self._tree(left), self._tree(right)
                return lambda m: one(m) or two(m)
            case Unary("!", operand):
                inner = self._tree(operand)
                return lambda m: not inner(m)
            case Binary(operator, left, right) if operator in COMPARISONS:
                ordered = isinstance(left.type, PointerType) and operator not in ("==", "!=")
                if not ordered and isinstance(left.type, (PointerType, IntType)):
                    return _comparison(operator, self._operand(left), self._operand(right))
                whole = self._operand(condition)
                return lambda m: bool(whole(m))
        value = self._operand(condition)
        return lambda m: bool(value(m))


class Conditionals(Tests):
    """A menu of conditions on one machine."""

    def __init__(self, pool: Pool, menu: Menu) -> None:
        self.menu = menu
        step = pool.machine.program.functions[menu.function].code[menu.index]
        assert isinstance(step, Branch)
        self.step = step
        others = [c.replacement.value for c in menu.choices if isinstance(c.replacement, NewValue)]
        super().__init__(pool, menu.function, [*others, step.condition])
        self._own = self._tests.pop()

    def mine(self) -> Effect:
        """The condition's own truth, or CRASH."""
        try:
            return self._own(self._values())
        except _Fails:
            return CRASH

    def classes(self, subset: int) -> dict[Effect, int]:
        """The choices of `subset` by their truth; those that crash are left out."""
        true, false = self.truths()
        found: dict[Effect, int] = {}
        if true & subset:
            found[True] = true & subset
        if false & subset:
            found[False] = false & subset
        return found


class _Fails(Exception):  # noqa: N818
    """Evaluating the condition is a fault."""


def _comparison(
    operator: str, left: Callable[[tuple[Any, ...]], Any], right: Callable[[tuple[Any, ...]], Any]
) -> Test:
    match operator:
        case "==":
            return lambda m: bool(left(m) == right(m))
        case "!=":
            return lambda m: bool(left(m) != right(m))
        case "<":
            return lambda m: bool(left(m) < right(m))
        case "<=":
            return lambda m: bool(left(m) <= right(m))
        case ">":
            return lambda m: bool(left(m) > right(m))
        case _:
            return lambda m: bool(left(m) >= right(m))
