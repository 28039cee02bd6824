"""Tests of what a condition makes sure of."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.program import Branch
from wolverine.frontend import parse_expression
from wolverine.repair.source.vain import asked_in_vain

SUM = """\
struct digit { int d; struct digit *next; };
static int use(struct digit *a);
int sum(struct digit *a, struct digit *b) {
    int s = 0;
    while (a != 0 && b != 0) {
        if (a) {
            s += a->d;
            a = a->next;
        }
        s += use(b);
        if (b != 0)
            b = b->next;
        if (a != 0 && a->d > s)
            s = a->d;
    }
    return s;
}
static int use(struct digit *a) { return a->d; }
int main(void) { return 0; }
"""


@pytest.mark.parametrize(
    ("condition", "count"),
    [
        ("a != 0 && b != 0", 2),
        ("a != 0 || b != 0", 0),
        ("b", 1),
        ("a != b && b != 0", 1),
        ("s > 3 && b->d", 0),
    ],
)
def test_what_is_asked_again_inside(condition: str, count: int, tmp_path: Path) -> None:
    program = program_of(SUM, tmp_path)
    code = program.functions["sum"].code
    index = next(i for i, step in enumerate(code) if isinstance(step, Branch))
    assert asked_in_vain(code, index, parse_expression(program, "sum", condition)) == count
