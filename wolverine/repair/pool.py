"""Compiled places and values of one machine, and how they are looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from wolverine.core.expressions import Expression, LValue
from wolverine.repair.menu import Menu
from wolverine.semantics.compiled import Evaluate
from wolverine.semantics.faults import Halt, Unmodelled
from wolverine.semantics.machine import Machine

FAILED = object()  # what `look` gives where evaluating is a fault


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
        for place, closure in zip(new, compiled(self.machine.keys, function, new), strict=True):
            self._keys[function, place] = closure
        return [self._keys[function, p] for p in wanted]

    def values(self, function: str, wanted: Sequence[Expression]) -> list[Evaluate]:
        """Closures that give each value as a cell of its own type holds it."""
        new = [e for e in dict.fromkeys(wanted) if (function, e) not in self._values]
        made = compiled(self.machine.values, function, [(e, e.type) for e in new])
        for expression, closure in zip(new, made, strict=True):
            self._values[function, expression] = closure
        return [self._values[function, e] for e in wanted]


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
    except (KeyError, Halt):
        try:
            return machine.attempt(closure)
        except Halt:
            return FAILED
