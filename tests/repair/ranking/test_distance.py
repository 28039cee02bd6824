"""Distances of conditions."""

from __future__ import annotations

import pytest

from wolverine.core.expressions import Binary, Constant, Expression, Load, Logical, VariableReference
from wolverine.core.types import INT, PointerType
from wolverine.repair.ranking.distance import parts_tests

NODE = PointerType(INT)


def _test(name: str, operator: str) -> Expression:
    return Binary(operator, Load(VariableReference(name, NODE)), Constant(0, NODE), INT)


@pytest.mark.parametrize(
    ("operator", "one", "two", "parted"),
    [
        ("&&", ("a", "!="), ("b", "=="), True),
        ("&&", ("a", "=="), ("b", "!="), True),
        ("||", ("a", "=="), ("b", "=="), False),
        ("&&", ("a", "!="), ("b", "!="), False),
        ("&&", ("a", "=="), ("c", "!="), False),
    ],
)
def test_two_tests_for_null_that_are_no_more_alike(
    operator: str, one: tuple[str, str], two: tuple[str, str], parted: bool
) -> None:
    before = Logical("&&", _test("a", "=="), _test("b", "=="))
    assert parts_tests(before, Logical(operator, _test(*one), _test(*two))) is parted
    assert not parts_tests(Logical("&&", _test("a", "=="), _test("b", "!=")), before)
