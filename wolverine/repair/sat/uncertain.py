"""A machine some of whose cells may hold one of several values, each under a literal.

Cells that are certain lie in the machine's memory; the others are not there, so that an expression that
reads one stops, and is evaluated for each value that the cell may hold.  So what an expression means is told
by the machine alone.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from wolverine.core.expressions import Binary, Cast, Dereference, Expression, Load, Logical, LValue, Member
from wolverine.core.types import CType, IntType, is_scalar
from wolverine.repair.execution.pool import FAILED, compiled
from wolverine.semantics.address import cell_key, kind_of
from wolverine.semantics.closures import Evaluate
from wolverine.semantics.faults import Halt
from wolverine.semantics.machine import Machine
from wolverine.solve.clauses import TRUE, Clauses

Held = Mapping[Any, int]  # values by the literals under which they are held; None: nothing is
Leaf = tuple[tuple[int, ...], Any]  # under these literals the value, or FAILED
_LEAVES = 400  # cases of one expression


class Beyond(Exception):  # noqa: N818
    """An execution cannot be told as clauses."""


class Uncertain:
    """The state of one machine; `cells` are those that are not certain."""

    def __init__(self, machine: Machine, clauses: Clauses, spend: Callable[[int], None]) -> None:
        self.machine = machine
        self.clauses = clauses
        self.cells: dict[int, Held] = {}
        self.freed: dict[int, int] = {}  # by node the literal under which it is, where that is not certain
        self._spend = spend
        self._closures: dict[tuple[str, str, int, CType | None], tuple[Any, Evaluate]] = {}
        self._known: dict[tuple[int, CType | None, int], tuple[Expression, list[Leaf]]] = {}

    def saved(self) -> tuple[dict[int, Held], dict[int, int]]:
        """What is not certain, for `restore`."""
        return dict(self.cells), dict(self.freed)

    def restore(self, saved: tuple[dict[int, Held], dict[int, int]]) -> None:
        """What is not certain is as it was."""
        self.cells, self.freed = dict(saved[0]), dict(saved[1])
        self._known.clear()

    def changed(self) -> None:
        """Cells were written otherwise than by `put`."""
        self._known.clear()

    # -- looking -----------------------------------------------------------------------------------

    def keys(self, place: LValue) -> list[Leaf]:
        """The cell that a place names; FAILED where nothing can be written there."""
        return [(literals, self._writable(key)) for literals, key in self._keys(place)]

    def values(self, expression: Expression, ctype: CType) -> list[Leaf]:
        """The value as a cell of the type holds it; None where it is a copy of nothing."""
        return self._remembered(expression, ctype, lambda: self._values(expression, ctype))

    def truths(self, expression: Expression) -> list[Leaf]:
        """What a condition says."""
        return self._remembered(expression, None, lambda: self._truths(expression))

    def held(self, key: int) -> Held:
        """What a cell may hold; FAILED where it cannot be read."""
        found = self.cells.get(key)
        if found is not None:
            return found
        value = self.machine.memory.cells.get(key)
        if value is None:
            try:
                value = self.machine.memory.miss(key)
            except Halt:
                value = FAILED
        return {value: TRUE}

    def _remembered(
        self, expression: Expression, ctype: CType | None, look: Callable[[], list[Leaf]]
    ) -> list[Leaf]:
        frame = self.machine.frame
        name = id(expression), ctype, frame.base if frame is not None else 0
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = expression, self._grouped(look())
            self._spend(len(known[1]))
        return known[1]

    def _grouped(self, leaves: list[Leaf]) -> list[Leaf]:
        """One literal for each value, and one for all failures."""
        if all(len(literals) < 2 for literals, _ in leaves) and len({v for _, v in leaves}) == len(leaves):
            return leaves
        made = self.fresh(list(dict.fromkeys(value for _, value in leaves)))
        for literals, value in leaves:
            self.clauses.add((made[value], *(-literal for literal in literals)))
        return [((literal,) if literal != TRUE else (), value) for value, literal in made.items()]

    def _keys(self, place: LValue) -> list[Leaf]:
        offset, inner = 0, place
        while isinstance(inner, Member):
            offset, inner = offset + inner.offset, inner.base
        if not isinstance(inner, Dereference):
            return self._cases(self._compiled("keys", place, None))
        return [
            (literals, cell_key(place.type, raw + offset) if type(raw) is int else FAILED)
            for literals, raw in self.values(inner.pointer, inner.pointer.type)
        ]

    def _values(self, expression: Expression, ctype: CType) -> list[Leaf]:
        place = _copied(expression, ctype)
        if place is None:
            return self._cases(self._compiled("values", expression, ctype))
        found: list[Leaf] = []
        for literals, key in self._keys(place):
            read = {FAILED: TRUE} if key is FAILED else self.held(key)
            found += [
                ((*literals, literal) if literal != TRUE else literals, raw) for raw, literal in read.items()
            ]
        return found

    def _truths(self, condition: Expression) -> list[Leaf]:
        match condition:
            case Logical(word, left, right):
                found: list[Leaf] = []
                for literals, value in self.truths(left):
                    if value is FAILED or value is (word == "||"):
                        found.append((literals, value))
                    else:
                        found += [((*literals, *more), other) for more, other in self.truths(right)]
                return found
            case Binary("==" | "!=" as word, left, right) if left.type == right.type:
                return [
                    ((*one, *two), _equal(word, first, second))
                    for one, first in self.values(left, left.type)
                    for two, second in self.values(right, left.type)
                ]
            case Binary("<" | "<=" | ">" | ">=" as word, left, right) if _signed(left) and _signed(right):
                compare = _ORDERS[word]
                return [
                    ((*one, *two), compare(first, second) if _numbers(first, second) else FAILED)
                    for one, first in self.values(left, left.type)
                    for two, second in self.values(right, right.type)
                ]
        return [
            (literals, value if value is FAILED else bool(value))
            for literals, value in self._cases(self._compiled("truths", condition, None))
        ]

    def _compiled(self, kind: str, wanted: Any, ctype: CType | None) -> Evaluate:
        machine = self.machine
        assert machine.frame is not None
        function = machine.frame.linked.name
        name = kind, function, id(wanted), ctype
        if name not in self._closures:
            if kind == "keys":
                made = compiled(machine.evaluators.keys, function, [wanted])
            elif kind == "truths":
                made = compiled(machine.evaluators.truths, function, [wanted])
            else:
                made = compiled(machine.evaluators.values, function, [(wanted, ctype)])
            self._closures[name] = wanted, made[0]
        return self._closures[name][1]

    def _cases(self, closure: Evaluate) -> list[Leaf]:
        found: list[Leaf] = []
        for leaf in self._explored(closure, ()):
            found.append(leaf)
            if len(found) > _LEAVES:
                raise Beyond("an expression has too many values")
        return found

    def _explored(self, closure: Evaluate, literals: tuple[int, ...]) -> Iterator[Leaf]:
        machine = self.machine
        memory, base = machine.memory, machine.frame.base  # type: ignore[union-attr]
        try:
            while True:
                try:
                    value = closure(base)
                    break
                except KeyError as missing:
                    key = missing.args[0]
                    if key in self.cells:
                        yield from self._each(key, closure, literals)
                        return
                    memory.resolve(key)
        except Halt:
            value = FAILED
        if value is None:
            raise Beyond("it may be a copy of nothing")
        yield literals, value

    def _each(self, key: int, closure: Evaluate, literals: tuple[int, ...]) -> Iterator[Leaf]:
        cells = self.machine.memory.cells
        for held, literal in self.cells[key].items():
            if held is None or held is FAILED:
                yield (*literals, literal), FAILED
                continue
            cells[key] = held
            try:
                yield from self._explored(closure, (*literals, literal))
            finally:
                cells.pop(key, None)

    def _writable(self, key: Any) -> Any:
        if key is FAILED or key in self.machine.memory.cells or key in self.cells:
            return key
        try:
            memory = self.machine.memory
            memory.check(key)
        except Halt:
            return FAILED
        for cells in (memory.cells, self.cells):
            if next(memory.overlapping(key, cells), None) is not None:
                raise Beyond("another member of a union is written")
        return key

    # -- writing -----------------------------------------------------------------------------------

    def put(self, key: int, held: Held) -> None:
        """A cell may hold these values from now on."""
        self._known.clear()
        self.machine.memory.admit((key,))
        if len(held) == 1:
            [(value, _)] = held.items()
            self.cells.pop(key, None)
            self.machine.memory.put(key, value)
        else:
            self.machine.memory.put(key, None)
            self.cells[key] = held

    def fresh(self, values: Sequence[Any]) -> Held:
        """Literals for values, at most one of which holds."""
        if len(values) == 1:
            return {values[0]: TRUE}
        made = {value: self.clauses.new() for value in values}
        self.clauses.at_most_one(list(made.values()))
        return made

    def merged(self, condition: int, met: Held, failed: Held) -> Held:
        """What is held where one of two things is, by a condition."""
        if met == failed:
            return met
        made = self.fresh(list(dict.fromkeys((*met, *failed))))
        for value, literal in met.items():
            self.clauses.add((-condition, -literal, made[value]))
        for value, literal in failed.items():
            self.clauses.add((condition, -literal, made[value]))
        return made

    def clear(self, keys: Sequence[int]) -> None:
        """Cells of a variable that comes into being hold nothing."""
        self._known.clear()
        for key in keys:
            self.cells.pop(key, None)
            self.machine.memory.put(key, None)


def _copied(expression: Expression, ctype: CType) -> LValue | None:
    """The place whose cell an expression copies, if it does no more."""
    while isinstance(expression, Cast) and kind_of(expression.type) == kind_of(ctype):
        expression = expression.operand
    if isinstance(expression, Load) and is_scalar(expression.type):
        return expression.place if kind_of(expression.type) == kind_of(ctype) else None
    return None


def _equal(word: str, one: Any, two: Any) -> Any:
    if one is FAILED or two is FAILED or one is None or two is None:
        return FAILED
    return bool(one == two) is (word == "==")


def _signed(expression: Expression) -> bool:
    return isinstance(expression.type, IntType) and expression.type.signed


def _numbers(one: Any, two: Any) -> bool:
    return type(one) is int and type(two) is int


_ORDERS: Mapping[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
