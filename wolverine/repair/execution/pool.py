"""Compiled places and values of one machine, and how they are looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from wolverine.core.expressions import Expression, LValue
from wolverine.repair.menus.menu import Assigned
from wolverine.semantics.address import is_null
from wolverine.semantics.closures import Evaluate
from wolverine.semantics.faults import Halt, Unmodelled
from wolverine.semantics.machine import Machine

T = TypeVar("T")
FAILED = object()  # what `look` gives where evaluating is a fault


@dataclass(frozen=True)
class Table:
    """The choices of a menu by place and by value: closures with the masks of the choices."""

    keys: list[Evaluate]
    values: list[Evaluate]
    rows: list[tuple[Evaluate, int]]
    columns: list[tuple[Evaluate, int]]


class Pool:
    """The compiled places and values of one machine, shared by all menus of a function."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._tables: dict[tuple[str, int], tuple[Assigned, Table]] = {}
        self._values: dict[tuple[str, int], tuple[Expression, Evaluate]] = {}
        self._made: dict[tuple[str, int], tuple[object, Any]] = {}

    def table(self, function: str, choices: Assigned) -> Table:
        """The choices that assign, looked at on this machine."""
        found = self._tables.get((function, id(choices)))
        if found is not None:
            return found[1]
        base = self.table(function, choices.base) if choices.base is not None else Table([], [], [], [])
        keys = base.keys + self.keys(function, choices.targets[len(base.keys) :])
        values = base.values + self.values(function, choices.values[len(base.values) :])
        if choices.base is not None and choices.pairs == len(choices.base):
            table = Table(keys, values, base.rows, base.columns)
        else:
            rows, columns = choices.masks()
            table = Table(
                keys,
                values,
                [(c, m) for c, m in zip(keys, rows, strict=True) if m],
                [(c, m) for c, m in zip(values, columns, strict=True) if m],
            )
        self._tables[function, id(choices)] = (choices, table)
        return table

    def shared(self, function: str, wanted: object, make: Callable[[], T]) -> T:
        """What is made of an object of the menus, once for all of them."""
        found = self._made.get((function, id(wanted)))
        if found is None:
            found = self._made[function, id(wanted)] = (wanted, make())
        made: T = found[1]
        return made

    def keys(self, function: str, wanted: Sequence[LValue]) -> list[Evaluate]:
        """Closures that give the cell of each place."""
        return compiled(self.machine.evaluators.keys, function, wanted)

    def condition(self, function: str, wanted: Expression) -> Evaluate:
        """A closure that gives the truth of a condition."""
        return compiled(self.machine.evaluators.truths, function, [wanted])[0]

    def values(self, function: str, wanted: Sequence[Expression]) -> list[Evaluate]:
        """Closures that give each value as a cell of its own type holds it."""
        known = self._values
        new = [e for e in wanted if (function, id(e)) not in known]
        made = compiled(self.machine.evaluators.values, function, [(e, e.type) for e in new])
        for expression, closure in zip(new, made, strict=True):
            known[function, id(expression)] = (expression, closure)
        return [known[function, id(e)][1] for e in wanted]


def compiled(
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
        return compiled(make, function, wanted[:middle]) + compiled(make, function, wanted[middle:])


def _unmodelled(_base: int) -> Any:
    raise Unmodelled("this is not modelled")


def look(machine: Machine, closure: Evaluate) -> Any:
    """The closure's value in the present state, `FAILED` where evaluating it is a fault."""
    try:
        return closure(machine.frame.base)  # type: ignore[union-attr]
    except (KeyError, Halt) as problem:
        return look_again(machine, closure, problem)


def look_again(machine: Machine, closure: Evaluate, problem: Exception) -> Any:
    """As `look`, after a first attempt that ended like this: only what nothing has set may be mended."""
    if isinstance(problem, Halt) and not machine.tolerant:
        return FAILED
    try:
        if isinstance(problem, KeyError):
            key = problem.args[0]
            if type(key) is int and is_null(key):
                return FAILED  # most often it is that
            machine.mend(key)
        return machine.attempt(closure)
    except Halt:
        return FAILED
