"""Comparisons of which one says nothing beside the other."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import best, crash, program_of, words

from wolverine.core.expressions import Binary, Constant, Expression, Load, Logical, VariableReference
from wolverine.core.program import Branch
from wolverine.core.types import INT, PointerType
from wolverine.repair.ranking.absorbed import absorbs, asks_of_another, forestalls

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


def test_one_of_what_is_asked_twice_is_another() -> None:
    one, other, more = (_of_pointer(name, "!=") for name in "pqr")
    assert asks_of_another(Logical("&&", one, one), Logical("&&", other, one))
    assert asks_of_another(
        Logical("||", Logical("&&", one, Logical("&&", other, one)), other),
        Logical("||", Logical("&&", one, Logical("&&", other, more)), other),
    )
    assert not asks_of_another(Logical("&&", one, one), one)
    assert not asks_of_another(Logical("&&", one, one), Logical("&&", one, _of_pointer("p", "==")))
    assert not asks_of_another(Logical("&&", one, one), Logical("&&", other, more))
    assert not asks_of_another(Logical("&&", one, one), Logical("&&", other, other))
    assert not asks_of_another(Logical("&&", one, other), Logical("&&", one, more))
    assert not asks_of_another(Logical("&&", one, one), Logical("&&", one, Logical("||", other, more)))


ZIPPED = """\
#include <stdlib.h>
struct coin { int worth, year; struct coin *next; };
static int older(const struct coin *one, const struct coin *other)
{
    return one->year - other->year;
}
static struct coin *zipped(struct coin *left, struct coin *right,
                           int (*order)(const struct coin *, const struct coin *))
{
    struct coin first, *last = &first;
    while (right != NULL && right != NULL) {
        if (order(left, right) <= 0) {
            last->next = left;
            left = left->next;
        } else {
            last->next = right;
            right = right->next;
        }
        last = last->next;
    }
    last->next = left != NULL ? left : right;
    return first.next;
}
int main(void)
{
    struct coin old = {5, 1900, NULL}, new = {2, 2000, NULL};
    return zipped(&old, &new, older)->worth;
}
"""


def test_it_is_rather_about_the_pointer_that_is_not_asked_for(tmp_path: Path) -> None:
    problem = crash(ZIPPED, "zipped", tmp_path)
    either = ("left != NULL && right != NULL", "right != NULL && left != NULL")
    found = best(problem)
    assert words(problem.program, found) in either
    assert found.against < 0.5


MERGED = """struct term { int power, factor; struct term *next; };
int ahead(struct term *a, struct term *b) {
    if (a->power > b->power)
        return 1;
    else if (a->power < b->power)
        return 2;
    return 3;
}
"""


@pytest.mark.parametrize(
    ("operator", "useless"),
    [("<", True), ("!=", True), ("<=", True), (">=", False), (">", False), ("==", False)],
)
def test_an_else_if_that_asks_for_what_is_known_then(tmp_path: Path, operator: str, useless: bool) -> None:
    """Behind `a->power >= b->power` it always holds: then the `return` behind it is lost, but not the arm."""
    code = program_of(MERGED, tmp_path).functions["ahead"].code
    first, second = (step for step in code if isinstance(step, Branch))
    assert isinstance(first.condition, Binary)
    asked = Binary(operator, first.condition.left, first.condition.right, INT)
    assert forestalls(code, first, asked) is useless
    assert not forestalls(code, second, asked)
