"""What the conditions of a menu say in the present state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from wolverine.core.expressions import COMPARISONS, Binary, Expression, Logical, Unary
from wolverine.core.program import Branch
from wolverine.core.types import FloatType, IntType, PointerType
from wolverine.repair.execution.effects import CRASH, JUMP, Effect
from wolverine.repair.execution.pool import FAILED, Pool, look_again
from wolverine.repair.menus.menu import Conjoined, Menu
from wolverine.semantics.faults import Halt
from wolverine.semantics.replacing import joined

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

    def last(self) -> Effect:
        """The truth of the last condition, or CRASH."""
        true, false = self.truths()
        bit = 1 << len(self._tests) - 1
        return True if true & bit else False if false & bit else CRASH

    def _values(self) -> tuple[Any, ...]:
        """The operands in the present state; what a condition says depends on them alone."""
        machine = self._machine
        base = machine.frame.base  # type: ignore[union-attr]
        found = []
        for closure in self._closures:
            try:
                found.append(closure(base))
            except (KeyError, Halt) as problem:
                found.append(look_again(machine, closure, problem))
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
                if not ordered and isinstance(left.type, (PointerType, IntType, FloatType)):
                    return _comparison(operator, self._operand(left), self._operand(right))
                whole = self._operand(condition)
                return lambda m: bool(whole(m))
        value = self._operand(condition)
        return lambda m: bool(value(m))


class Conditionals:
    """A menu of conditions on one machine.

    What a condition with one test more says follows from what the condition and the test say.  With the other
    operator between it and the next condition each truth leads elsewhere: one to where the other one led, and
    that past the next condition, with a jump for its effect.
    """

    def __init__(self, pool: Pool, menu: Menu) -> None:
        self.menu = menu
        step = pool.machine.program.functions[menu.function].code[menu.index]
        assert isinstance(step, Branch)
        assert isinstance(menu.choices, Conjoined)
        self.step = step
        join = joined(pool.machine.program.functions[menu.function], step) if menu.choices.other else None
        self._other = 0 if join is None else 1 << menu.choices.joining
        self._led: tuple[Effect, Effect] = (False, True)  # by the other operator, where it fails and holds
        if join is not None:
            past = JUMP, join.otherwise[join.operator == "||"]
            self._led = (past, False) if join.operator == "||" else (True, past)
        self._choices = choices = menu.choices
        self._tests = Tests(pool, menu.function, (*choices.changed, *choices.tests, step.condition))
        self._known: dict[tuple[int, int], tuple[int, int]] = {}

    def mine(self) -> Effect:
        """The condition's own truth, or CRASH."""
        return self._tests.last()

    def classes(self, subset: int) -> dict[Effect, int]:
        """The choices of `subset` by their truth; those that crash are left out."""
        truths = self._tests.truths()
        known = self._known.get(truths)
        if known is None:
            known = self._known[truths] = self._product(*truths)
        found: dict[Effect, int] = {}
        if known[0] & subset:
            found[True] = known[0] & subset
        if known[1] & subset:
            found[False] = known[1] & subset
        if self._other & subset and (mine := self.mine()) != CRASH:
            led = self._led[mine is True]
            found[led] = found.get(led, 0) | self._other
        return found

    def onward(self, effect: Effect) -> int:
        """The instruction to which a truth leads, or the way past the next condition."""
        if isinstance(effect, tuple):
            return int(effect[1])
        return self.step.if_true if effect else self.step.if_false

    def _product(self, true: int, false: int) -> tuple[int, int]:
        """The masks of all choices that hold and of those that do not."""
        choices = self._choices
        at, width = len(choices.changed), len(choices.tests)
        every, own = (1 << width) - 1, 1 << at + width
        changed, met, failed = (1 << at) - 1, true >> at & every, false >> at & every
        if true & own:
            holds = choices.masks(true & changed, (met, met | failed), (met, every))
            return holds, choices.masks(false & changed, (failed, 0), (failed, 0))
        if false & own:
            holds = choices.masks(true & changed, (0, met), (0, met))
            return holds, choices.masks(false & changed, (met | failed, failed), (every, failed))
        holds = choices.masks(true & changed, (0, met), (0, 0))
        return holds, choices.masks(false & changed, (failed, 0), (0, 0))


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
