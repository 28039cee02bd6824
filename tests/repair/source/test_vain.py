"""Tests of what a condition makes sure of."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.program import Branch
from wolverine.frontend import parse_expression
from wolverine.repair.source.vain import asked_in_vain, protects_nothing

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


STACK = """\
#include <stdlib.h>
struct plate { int n; struct plate *below; };
struct stack { struct plate *top, *spare; };
static void push(struct stack *s, int n) {
    struct plate *p = malloc(sizeof *p);
    p->n = n;
    p->below = s->top;
    s->top = p;
}
static void turn(struct stack *s) { s->top->n = -s->top->n; }
static void add(struct stack *s, struct stack *other, int n) {
    if (s->top == NULL) DO
}
int main(void) { struct stack s = {NULL, NULL}; add(&s, &s, 1); turn(&s); return 0; }
"""


@pytest.mark.parametrize(
    ("condition", "does", "needless"),
    [
        ("s->top != NULL", "push(s, n);", True),
        ("s->top == NULL", "push(s, n);", False),  # the first one
        ("s->top != NULL", "turn(s);", False),
        ("s->top != NULL", "push(other, n);", False),
        ("s->top != NULL", "push(s, n); else turn(s);", False),
        ("s->top != NULL", "n = 0;", False),
        ("s != NULL", "push(s, n);", False),
    ],
)
def test_a_test_for_null_that_protects_nothing(
    condition: str, does: str, needless: bool, tmp_path: Path
) -> None:
    program = program_of(STACK.replace("DO", does), tmp_path)
    function = program.functions["add"]
    index = next(i for i, step in enumerate(function.code) if isinstance(step, Branch))
    asked = parse_expression(program, "add", condition)
    assert protects_nothing(program, function, index, asked) is needless
