"""What the choices of a menu do in the present state, grouped by effect (engine of `search`).

Places and values of a menu are evaluated once each; the choices with one effect are the meeting of the
choices with one address and those with one value, as bit masks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from wolverine.core.expressions import COMPARISONS, Binary, Expression, Logical, LValue, Unary
from wolverine.core.patch import Deletion, NewAssignment, NewCall, NewValue
from wolverine.core.program import Assign, Branch, Call, Gap
from wolverine.core.types import IntType, PointerType
from wolverine.repair.candidates import Menu
from wolverine.semantics.compiled import Evaluate
from wolverine.semantics.faults import Halt, Unmodelled
from wolverine.semantics.machine import Machine

# An effect: (cell, value) written, (FREE, address), or one of these.
Effect = tuple[int, Any] | bool
NOOP: Effect = (0, 0)
SKIP: Effect = (-1, 0)  # a call that does not happen
CRASH: Effect = (-2, 0)
FREE = -3

_FAILED = object()


class Pool:
    """The compiled places and values of one machine, shared by all menus of a function."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._shared: dict[int, tuple[list[int], list[int]]] = {}
        self._keys: dict[tuple[str, LValue], Evaluate] = {}
        self._values: dict[tuple[str, Expression], Evaluate] = {}

    def shared(self, base: Menu) -> tuple[list[int], list[int]]:
        """The masks of a base menu's places and values."""
        found = self._shared.get(id(base))
        if found is None:
            rows, columns = [0] * len(base.targets), [0] * len(base.values)
            for number, choice in enumerate(base.choices):
                rows[choice.target] |= 1 << number
                columns[choice.value] |= 1 << number
            found = self._shared[id(base)] = (rows, columns)
        return found

    def keys(self, function: str, wanted: Sequence[LValue]) -> list[Evaluate]:
        """Closures that give the cell of each place."""
        new = [p for p in dict.fromkeys(wanted) if (function, p) not in self._keys]
        for place, closure in zip(new, _compiled(self.machine.keys, function, new), strict=True):
            self._keys[function, place] = closure
        return [self._keys[function, p] for p in wanted]

    def values(self, function: str, wanted: Sequence[Expression]) -> list[Evaluate]:
        """Closures that give each value as a cell of its own type holds it."""
        new = [e for e in dict.fromkeys(wanted) if (function, e) not in self._values]
        made = _compiled(self.machine.values, function, [(e, e.type) for e in new])
        for expression, closure in zip(new, made, strict=True):
            self._values[function, expression] = closure
        return [self._values[function, e] for e in wanted]


def _compiled(
    make: Callable[[str, Sequence[Any]], list[Evaluate]], function: str, wanted: Sequence[Any]
) -> list[Evaluate]:
    """Closures; what the model has no meaning for fails when it is evaluated."""
    if not wanted:
        return []
    try:
        return make(function, wanted)
    except (Unmodelled, SyntaxError, MemoryError, RecursionError):
        if len(wanted) == 1:
            return [_unmodelled]
        middle = len(wanted) // 2
        return _compiled(make, function, wanted[:middle]) + _compiled(make, function, wanted[middle:])


def _unmodelled(_base: int) -> Any:
    raise Unmodelled("this is not modelled")


def look(machine: Machine, closure: Evaluate) -> Any:
    """The closure's value in the present state, `_FAILED` where evaluating it is a fault."""
    try:
        return closure(machine.frame.base)  # type: ignore[union-attr]
    except (KeyError, Halt):
        try:
            return machine.attempt(closure)
        except Halt:
            return _FAILED


class Assignments:
    """A menu of assignments, deletions and frees on one machine; `mine` is the statement as it is."""

    def __init__(self, pool: Pool, menu: Menu) -> None:
        self.menu = menu
        self._machine = pool.machine
        program = pool.machine.program
        step = program.functions[menu.function].code[menu.index]
        self.is_call = isinstance(step, Call)
        rows, columns, skipped = [0] * len(menu.targets), [0] * len(menu.values), 0
        if menu.base is not None:
            shared_rows, shared_columns = pool.shared(menu.base)
            rows[: len(shared_rows)], columns[: len(shared_columns)] = shared_rows, shared_columns
            skipped = len(menu.base.choices)
        self._idle = 0
        frees: dict[int, int] = {}
        for number, choice in enumerate(menu.choices[skipped:], skipped):
            bit = 1 << number
            match choice.replacement:
                case NewAssignment() | NewValue():
                    rows[choice.target] |= bit
                    columns[choice.value] |= bit
                case NewCall():
                    frees[choice.value] = frees.get(choice.value, 0) | bit
                case Deletion():
                    self._idle |= bit
        values = pool.values(menu.function, menu.values)
        self._rows = list(zip(pool.keys(menu.function, menu.targets), rows, strict=True))
        self._columns = [(c, m) for c, m in zip(values, columns, strict=True) if m]
        self._frees = [(values[index], mask) for index, mask in frees.items()]
        self._mine: tuple[Evaluate, Evaluate] | None = None
        self._always = CRASH
        match step:
            case Gap():
                self._always = NOOP
            case Assign(_, target, value) if menu.targets:
                [key] = pool.keys(menu.function, [target])
                [raw] = _compiled(pool.machine.values, menu.function, [(value, target.type)])
                self._mine = (key, raw)
            case _:
                self._always = (-4, 0)  # unlike every choice

    def mine(self) -> Effect:
        """The effect of the statement as it is."""
        if self._mine is None:
            return self._always
        machine = self._machine
        key, raw = look(machine, self._mine[0]), look(machine, self._mine[1])
        if key is _FAILED or raw is _FAILED or not writable(machine, key):
            return CRASH
        return NOOP if machine.memory.cells.get(key) == raw else (key, raw)

    def classes(self, subset: int) -> dict[Effect, int]:
        """The choices of `subset` by their effect; those that crash are left out."""
        machine = self._machine
        base = machine.frame.base  # type: ignore[union-attr]
        cells = machine.memory.cells
        found: dict[Effect, int] = {}
        idle = self._idle & subset
        addresses: dict[int, int] = {}
        for closure, mask in self._rows:
            mask &= subset
            if mask:
                try:
                    key = closure(base)
                except (KeyError, Halt):
                    key = look(machine, closure)
                    if key is _FAILED:
                        continue
                if key in cells or writable(machine, key):
                    addresses[key] = addresses.get(key, 0) | mask
        values: dict[Any, int] = {}
        if addresses:
            for closure, mask in self._columns:
                mask &= subset
                if mask:
                    try:
                        raw = closure(base)
                    except (KeyError, Halt):
                        raw = look(machine, closure)
                    if raw is not None and raw is not _FAILED:
                        values[raw] = values.get(raw, 0) | mask
        for key, row in addresses.items():
            held = cells.get(key)
            for raw, column in values.items():
                both = row & column
                if both:
                    if raw == held:
                        idle |= both
                    else:
                        found[key, raw] = both
        for closure, mask in self._frees:
            mask &= subset
            if mask:
                raw = look(machine, closure)
                if raw == 0:
                    idle |= mask
                elif raw is not None and raw is not _FAILED and raw < 1 << 60 and freeable(machine, raw):
                    found[FREE, raw] = found.get((FREE, raw), 0) | mask
        if idle:
            found[SKIP if self.is_call else NOOP] = idle
        return found

    def only(self, key: int, raw: Any, subset: int) -> int:
        """The choices of `subset` that write `raw` to the cell `key`."""
        machine = self._machine
        base = machine.frame.base  # type: ignore[union-attr]
        row = 0
        for closure, mask in self._rows:
            if mask & subset:
                try:
                    if closure(base) == key:
                        row |= mask
                except (KeyError, Halt):
                    if look(machine, closure) == key:
                        row |= mask
        row &= subset
        if not row or not (key in machine.memory.cells or writable(machine, key)):
            return 0
        column = 0
        for closure, mask in self._columns:
            if mask & row:
                try:
                    have = closure(base)
                except (KeyError, Halt):
                    have = look(machine, closure)
                if have is not None and have is not _FAILED and have == raw:
                    column |= mask
        return row & column


def writable(machine: Machine, key: Any) -> bool:
    """Whether something may be written to the cell."""
    if key in machine.memory.cells:
        return True
    try:
        machine.memory.check(key)
    except Halt:
        return False
    return True


def freeable(machine: Machine, address: int) -> bool:
    """Whether `free` of the address is no fault."""
    mark = len(machine.memory.trail)
    try:
        machine.memory.release(address)
    except Halt:
        return False
    machine.memory.undo(mark)
    return True


def perform(machine: Machine, effect: Effect) -> None:
    """Let the effect happen."""
    assert isinstance(effect, tuple)
    key, value = effect
    if key == FREE:
        machine.memory.release(value)
    elif key > 0:
        machine.memory.put(key, value)


Test = Callable[[tuple[Any, ...]], bool]


class Conditionals:
    """A menu of conditions on one machine.

    A condition becomes a tree over comparisons of pooled operands, so that operands which many
    conditions share are evaluated once a state.
    """

    def __init__(self, pool: Pool, menu: Menu) -> None:
        self.menu = menu
        self._machine = pool.machine
        step = pool.machine.program.functions[menu.function].code[menu.index]
        assert isinstance(step, Branch)
        self.step = step
        self._operands: dict[Expression, int] = {}
        self._tests = [
            self._tree(choice.replacement.value)
            for choice in menu.choices
            if isinstance(choice.replacement, NewValue)
        ]
        self._own = self._tree(step.condition)
        self._closures = pool.values(menu.function, list(self._operands))
        self._known: dict[tuple[Any, ...], tuple[int, int]] = {}

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

    def mine(self) -> Effect:
        """The condition's own truth, or CRASH."""
        try:
            return self._own(self._values())
        except _Fails:
            return CRASH

    def classes(self, subset: int) -> dict[Effect, int]:
        """The choices of `subset` by their truth; those that crash are left out."""
        values = self._values()
        known = self._known.get(values)
        if known is None:
            known = self._known[values] = self._evaluate(values)
        found: dict[Effect, int] = {}
        if known[0] & subset:
            found[True] = known[0] & subset
        if known[1] & subset:
            found[False] = known[1] & subset
        return found

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
            if found is _FAILED or found is None:
                raise _Fails
            return found & mask if mask else found

        return value

    def _tree(self, condition: Expression) -> Test:
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


def open_menu(pool: Pool, menu: Menu) -> Assignments | Conditionals:
    """The menu on the pool's machine."""
    step = pool.machine.program.functions[menu.function].code[menu.index]
    return Conditionals(pool, menu) if isinstance(step, Branch) else Assignments(pool, menu)
