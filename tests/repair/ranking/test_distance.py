"""Distances of conditions."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import Binary, Constant, Expression, Load, Logical, VariableReference
from wolverine.core.types import INT, PointerType
from wolverine.frontend import parse_expression
from wolverine.repair.ranking.distance import condition_distance, parts_tests

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


ROWS = """\
struct block { int at, len; };
struct rows { int top; struct block *row[8]; };
static int look(struct rows *r, struct block *b, struct block *c, int len, int n) {
    return r->row[n] != 0 && b->at + c->len == len;
}
int main(void) { return look(0, 0, 0, 1, 2); }
"""


@pytest.mark.parametrize(
    ("condition", "nearer", "farther"),
    [
        ("r->row[r->top - 1] != 0", "r->row[r->top - 1] == 0", "r->row[0] != 0"),
        ("r->row[r->top - 1] != 0", "r->row[r->top - 1] == 0", "r->row[r->top - r->top] != 0"),
        ("r->row[r->top - 1] != 0", "r->row[n] != 0", "r->row[1 - 1] != 0"),
        ("n % 2 != 0", "n % 2 == 0", "n % 2 != 1"),
        ("n % 2 != 0", "n % 2 == 0", "n / 2 != 0"),
        ("b->at + len == c->at", "b->at + b->len == c->at", "b->at + len != c->at"),
        ("b->at + len == c->at", "b->at + b->len == c->at", "b->at + b->at == c->at"),
        ("b->at + b->len == c->at", "b->at + len == c->at", "b->at + n == c->at"),
    ],
)
def test_slips_that_are_nearer_than_others(condition: str, nearer: str, farther: str, tmp_path: Path) -> None:
    program = program_of(ROWS, tmp_path)
    before, one, other = (parse_expression(program, "look", each) for each in (condition, nearer, farther))
    assert condition_distance(before, one) < condition_distance(before, other)
