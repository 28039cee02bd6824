"""Closures made without compiling do what the generated source does."""

from __future__ import annotations

from random import Random
from typing import Any, Literal

import pytest

from wolverine.core.expressions import (
    AddressOf,
    Binary,
    Cast,
    Conditional,
    Constant,
    Dereference,
    Element,
    Expression,
    Load,
    Logical,
    LValue,
    Member,
    Unary,
    VariableReference,
)
from wolverine.core.types import (
    INT,
    ArrayType,
    Field,
    IntType,
    PointerType,
    StructReference,
    StructType,
    Types,
)
from wolverine.semantics.address import KIND_SHIFT, kind_of
from wolverine.semantics.arithmetic import FUNCTIONS
from wolverine.semantics.direct import Direct, Evaluate
from wolverine.semantics.faults import Undetermined
from wolverine.semantics.generate import Generator
from wolverine.semantics.unknown import Unknown

_INTEGERS = (
    INT,
    IntType("char", 1),
    IntType("unsigned char", 1, False),
    IntType("unsigned int", 4, False),
    IntType("long", 8),
    IntType("_Bool", 1, False),
)
_NODE = StructReference("node")
_POINTER = PointerType(_NODE)
_FIELDS: tuple[PointerType | IntType, ...] = (_POINTER, *_INTEGERS)
_TYPES = Types(
    {"node": StructType("node", 64, tuple(Field(f"f{i}", 8 * i, t) for i, t in enumerate(_FIELDS)))}
)
_LEVELS: tuple[Literal["local", "global"], ...] = ("local", "global")
_VARIABLES = [
    VariableReference(f"v{i}", ctype, level)
    for i, (ctype, level) in enumerate((t, x) for t in (_POINTER, *_FIELDS) for x in _LEVELS)
]
_BASE = 1 << 40


def _address(variable: VariableReference) -> tuple[bool, int]:
    at = 100 * (1 + int(variable.name[1:]))
    return (True, at) if variable.level == "local" else (False, 50_000 + at)


class _Missing(Exception):  # noqa: N818
    pass


def _miss(key: Any) -> Any:
    raise _Missing(key)


def _within(index: Any, length: int, reach: int, name: str) -> Any:
    if isinstance(index, int) and not 0 <= index < length + reach:
        raise _Missing((index, length, reach, name))
    return index


class _Words:
    """Random expressions."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def place(self, depth: int) -> LValue:
        random = self._random
        if depth and random.random() < 0.1:
            ctype: Any = random.choice(_FIELDS)
            base = Dereference(
                Cast(self.expression(_POINTER, depth - 1), PointerType(ctype)), ArrayType(ctype, 8)
            )
            return Element(base, self.expression(random.choice(_INTEGERS), depth - 1), ctype)
        if depth and random.random() < 0.6:
            number = self._random.randrange(len(_FIELDS))
            pointer = self.expression(_POINTER, depth - 1)
            return Member(Dereference(pointer, _NODE), f"f{number}", 8 * number, _FIELDS[number])
        return self._random.choice(_VARIABLES)

    def expression(self, ctype: Any, depth: int) -> Expression:
        random = self._random
        if depth and random.random() < 0.08:
            one, two = self.expression(ctype, depth - 1), self.expression(ctype, depth - 1)
            return Conditional(self.condition(depth - 1), one, two, ctype)
        if isinstance(ctype, PointerType):
            if random.random() < 0.1:
                return Constant(0, ctype)
            if depth and random.random() < 0.1:
                steps = self.expression(random.choice(_INTEGERS), depth - 1)
                return Binary(random.choice("+-"), self.expression(ctype, depth - 1), steps, ctype)
            if depth and random.random() < 0.1:
                return AddressOf(Dereference(self.expression(ctype, depth - 1), _NODE), ctype)
        elif random.random() < 0.15:
            return Constant(ctype.wrap(random.randrange(-300, 300)), ctype)
        elif depth and random.random() < 0.4:
            if random.random() < 0.5:
                return Cast(self.expression(random.choice(_INTEGERS), depth - 1), ctype)
            one, two = self.expression(ctype, depth - 1), self.expression(ctype, depth - 1)
            return Binary(random.choice("+-*"), one, two, ctype)
        while True:
            place = self.place(depth)
            if place.type == ctype:
                return Load(place)

    def condition(self, depth: int) -> Expression:
        random = self._random
        kind = random.random()
        if depth and kind < 0.3:
            return Logical(
                random.choice(("&&", "||")), self.condition(depth - 1), self.condition(depth - 1), INT
            )
        if depth and kind < 0.4:
            return Unary("!", self.condition(depth - 1), INT)
        ctype = random.choice(_FIELDS)
        if kind < 0.5:
            return self.expression(ctype, depth)
        signs = ("==", "!=") if isinstance(ctype, PointerType) else ("==", "!=", "<", "<=", ">", ">=")
        one, two = self.expression(ctype, depth), self.expression(ctype, depth)
        return Binary(random.choice(signs), one, two, INT)


def _memory(random: Random) -> dict[int, Any]:
    """Cells of all variables and of three nodes; some hold nothing, some what is not known."""
    cells: dict[int, Any] = {}
    nodes = [1 << 20, 2 << 20, 3 << 20]
    spots = [((_BASE if local else 0) + at, v.type) for v in _VARIABLES for local, at in (_address(v),)]
    spots += [(node + 8 * i, t) for node in nodes for i, t in enumerate(_FIELDS)]
    for address, ctype in spots:
        kind = random.random()
        if kind < 0.12:
            continue
        key = address + (kind_of(ctype) << KIND_SHIFT)
        if kind < 0.17:
            cells[key] = Unknown()
        elif isinstance(ctype, PointerType):
            cells[key] = random.choice((0, *nodes))
        elif isinstance(ctype, IntType) and ctype.name == "_Bool":
            cells[key] = random.randrange(2)
        elif isinstance(ctype, IntType):
            half = 1 << 8 * ctype.size - 1
            cells[key] = random.choice((0, 1, -1, 7, -half, half - 1))
    return cells


def _outcome(closure: Evaluate) -> tuple[object, ...]:
    try:
        found = closure(_BASE)
    except Exception as problem:  # the kind of the exception is part of what is compared
        return (type(problem), "" if isinstance(problem, Undetermined) else _spelled(problem.args[0]))
    return (type(found), _spelled(found))


def _spelled(found: Any) -> object:
    if isinstance(found, Unknown) and found.operation:
        return (found.operation, *map(_spelled, found.arguments))
    return found.number if isinstance(found, Unknown) else found


def _truth(closure: Evaluate | None) -> Evaluate | None:
    return None if closure is None else lambda base: bool(closure(base))


@pytest.mark.parametrize("seed", range(40))
def test_closures_do_what_the_source_does(seed: int) -> None:
    random = Random(seed)
    words = _Words(random)
    generator = Generator(_TYPES, _address, lambda _text, _data: 0)
    cells = _memory(random)
    direct = Direct(cells, _miss, _address, _TYPES, _within)
    names = {"cells": cells, "get": cells.get, "miss": _miss, "within": _within, **FUNCTIONS}
    made = 0
    for _ in range(150):
        place, condition = words.place(2), words.condition(2)
        value = words.expression(random.choice(_FIELDS), 2)
        for closure, source in (
            (direct.key(place), generator.key(place)),
            (direct.raw(value, value.type), generator.raw(value, value.type)),
            (direct.value(value), generator.value(value)),
            (_truth(direct.truth(condition)), f"bool({generator.truth(condition)})"),
        ):
            if closure is None:
                continue
            made += 1
            compiled = eval(f"lambda base: {source}", dict(names))
            assert _outcome(closure) == _outcome(compiled), (value, place, condition, source)
    assert made > 300


def test_what_needs_source_is_left_to_it() -> None:
    direct = Direct({}, _miss, _address, _TYPES, _within)
    one = Load(_VARIABLES[0])
    assert direct.truth(Binary("<", one, one, INT)) is None  # the order of pointers
    assert (
        direct.raw(Binary("+", Load(_VARIABLES[8]), Constant(1, _INTEGERS[2]), _INTEGERS[2]), _INTEGERS[2])
        is None
    )
