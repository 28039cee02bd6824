"""Orders by two fields."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import Load, text
from wolverine.core.program import Assign
from wolverine.repair.source.ties import tied

BOATS = """\
struct boat { int length; int year; struct boat *next; };
static int before(const struct boat *a, const struct boat *b, const struct boat *c)
{
    return a != b && (ORDER);
}
int main(void) { struct boat a = { 1, 2, 0 }; return before(&a, &a, &a); }
"""
TIED = {
    "a->length > b->length || a->year < b->year": [
        "a != b && (a->length > b->length || a->length == b->length && a->year < b->year)"
    ],
    "a->length > b->length || b->year > a->year": [
        "a != b && (a->length > b->length || a->length == b->length && b->year > a->year)"
    ],
    "a->length > b->length || a->length < b->length": [],
    "a->length > b->length || a->year < c->year": [],
    "a->length != b->length || a->year < b->year": [],
    "a->length > b->length && a->year < b->year": [],
    "a->length > 3 || a->year < b->year": [],
}


@pytest.mark.parametrize("order", TIED)
def test_the_second_field_decides_where_the_first_ones_are_equal(order: str, tmp_path: Path) -> None:
    program = program_of(BOATS.replace("ORDER", order), tmp_path)
    [value] = [
        step.value
        for step in program.functions["before"].code
        if isinstance(step, Assign) and not isinstance(step.value, Load)
    ]
    assert [text(each) for each in tied(value)] == TIED[order]
