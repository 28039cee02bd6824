"""What callers go on with behind a call."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import Constant, Load, lvalue_text
from wolverine.core.program import Assign
from wolverine.repair.source.retained import retained, stores_itself, surrendered

LISTS = """\
#include <stdlib.h>
struct node { int data; struct node *next, *other; };
struct node *first;
static int use(const struct node *p) { return p != NULL; }
static struct node *f(struct node *a, struct node *b) { return a != NULL ? a : b; }
CALLER
int main(void)
{
    return 0;
}
"""
CALLERS = {
    "int c(struct node *x) { struct node *y = f(x, NULL); return use(y) + use(x); }": {0},
    "int c(struct node *x) { struct node *y = f(x, x); return use(y); }": set[int](),
    "int c(struct node *x) { x = f(x, NULL); return use(x); }": set[int](),
    "int c(struct node *x) { x = f(x, first); return use(x); }": {1},
    "int c(struct node *x) { first = f(first, x); return use(x); }": {1},
    "struct node *c(struct node *x) { return f(x, x->next); }": {1},
    "void c(struct node *x) { x->next = f(x->next, x->other); }": {1},
    "void c(struct node *x) { x->other = f(x->next, x->other); }": {0},
    "void c(struct node **x) { x[0] = f(x[0], x[1]); }": {1},
    "void c(struct node **x) { x[1] = f(*x, x[1]); }": {0},
    "void c(struct node *x) { f(x, NULL); use(x); x = f(x, x); }": set[int](),
    "int c(struct node *x) { while (use(x)) x->other = f(x, NULL); return 0; }": {0},
    "struct node *g(struct node *x) { return f(x, NULL); } int c(struct node *x) { g(x); return use(x); }": {
        0
    },
    "struct node *g(struct node *x) { return f(x, NULL); } void c(struct node *x) { x = g(x); }": set[int](),
    "int c(void) { return 0; }": set[int](),
}


@pytest.mark.parametrize("caller", CALLERS)
def test_what_is_read_behind_the_call_or_stays_in_its_place_is_gone_on_with(
    caller: str, tmp_path: Path
) -> None:
    assert retained(program_of(LISTS.replace("CALLER", caller), tmp_path), "f") == CALLERS[caller]


STACK = """\
#include <stdlib.h>
struct node { int data; struct node *next; };
struct stack { struct node *top; };
static struct node *made(int data) { struct node *n = malloc(sizeof *n); n->data = data; return n; }
static void f(struct stack *s, struct node *n) { BODY }
static void shown(struct node *n) { while (n != NULL) n = n->next; }
CALLER
int main(void)
{
    return 0;
}
"""
PUSH = "n->next = s->top; s->top = n;"
SURRENDERS = [
    (PUSH, "void c(struct stack *s) { f(s, made(1)); shown(s->top); }", {1}),
    (PUSH, "void c(struct stack *s) { struct node *n = made(1); f(s, n); shown(s->top); }", {1}),
    (PUSH, "void c(struct stack *s) { struct node *n = made(1); f(s, n); shown(n); }", set[int]()),
    (PUSH, "void c(struct stack *s) { f(s, made(1)); f(s, s->top); }", set[int]()),
    ("shown(n); shown(s->top);", "void c(struct stack *s) { f(s, made(1)); shown(s->top); }", set[int]()),
    (PUSH, "int c(void) { return 0; }", set[int]()),
]


@pytest.mark.parametrize(("body", "caller", "expected"), SURRENDERS)
def test_what_is_stored_and_no_caller_goes_on_with_is_surrendered(
    body: str, caller: str, expected: set[int], tmp_path: Path
) -> None:
    program = program_of(STACK.replace("BODY", body).replace("CALLER", caller), tmp_path)
    assert surrendered(program, "f") == expected


LIST = """\
struct node { int data; struct node *next; };
struct list { struct node *head, *tail; };
struct node *push(struct list *l, struct node *n) { n->next = l->head; l->head = n; return n; }
struct node n;
int main(void) { struct list one = {0, 0}, *p = &one, *q = p; p->KEPT = push(p, &n); return 0; }
"""


@pytest.mark.parametrize(
    ("kept", "given", "itself"), [("head", "p", True), ("tail", "p", False), ("head", "q", False)]
)
def test_what_a_function_has_stored_need_not_be_stored_there_again(
    kept: str, given: str, itself: bool, tmp_path: Path
) -> None:
    program = program_of(LIST.replace("KEPT", kept), tmp_path)
    main = program.functions["main"]
    [target] = [
        s.target for s in main.code if isinstance(s, Assign) and lvalue_text(s.target) == f"p->{kept}"
    ]
    [held] = [each for each in main.locals if each.name == given]
    node = Constant(0, target.type)
    assert stores_itself(program, "push", (Load(held), node), target) is itself
