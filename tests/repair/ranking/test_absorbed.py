"""Comparisons of which one says nothing beside the other."""

from __future__ import annotations

import pytest

from wolverine.core.expressions import Binary, Constant, Expression, Load, Logical, VariableReference
from wolverine.core.types import INT, PointerType
from wolverine.repair.ranking.absorbed import absorbs

NODE = PointerType(INT)


def _of_number(name: str, operator: str, number: int) -> Expression:
    return Binary(operator, Load(VariableReference(name, INT)), Constant(number, INT), INT)


def _of_pointer(name: str, operator: str) -> Expression:
    return Binary(operator, Load(VariableReference(name, NODE)), Constant(0, NODE), INT)


@pytest.mark.parametrize(
    ("operator", "one", "two", "absorbed"),
    [
        ("||", ("i", "<", 0), ("i", ">=", 4), False),
        ("||", ("i", "<", 4), ("i", ">=", 4), True),
        ("||", ("i", "<", 0), ("i", "<", 4), True),
        ("||", ("i", "<", 0), ("j", "<", 4), False),
        ("&&", ("i", ">", 0), ("i", "<", 4), False),
        ("&&", ("i", "<", 0), ("i", ">", 4), True),
        ("&&", ("i", "!=", 3), ("i", "<", 3), True),
        ("&&", ("i", "!=", 3), ("i", "<", 9), False),
    ],
)
def test_numbers(operator: str, one: tuple[str, str, int], two: tuple[str, str, int], absorbed: bool) -> None:
    assert absorbs(Logical(operator, _of_number(*one), _of_number(*two))) is absorbed


def test_pointers_and_what_is_joined_with_more() -> None:
    null, led = _of_pointer("p", "=="), _of_pointer("p", "!=")
    assert absorbs(Logical("&&", null, led))
    assert absorbs(Logical("||", Logical("||", null, _of_number("i", "<", 0)), led))
    assert not absorbs(Logical("&&", led, _of_pointer("q", "!=")))
    assert not absorbs(Logical("||", Logical("&&", null, _of_number("i", "<", 0)), led))
