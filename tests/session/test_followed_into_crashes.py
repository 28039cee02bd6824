"""The model goes with the process through what is wrong already and crashes it only later."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

RING = """\
#include <stdlib.h>
struct node { int v; struct node *next; };
struct node *ring(int n)
{
    struct node *first = NULL, *last = NULL;
    for (int i = 0; i < n; i++) {
        struct node *p = malloc(sizeof *p);
        p->v = i;
        if (first == NULL)
            first = p;
        else
            last->next = p;
        last = p;
    }
    return first;
}
int length(struct node *start)
{
    int n = 1;
    for (struct node *p = start; p->next != start; p = p->next)
        n++;
    return n;
}
int main(void)
{
    struct node *r = ring(3);
    return length(r);
}
"""

CHAIN = """\
#include <stdlib.h>
struct node { int v; struct node *next; };
struct node *head;
void cut(struct node *gone)
{
    struct node **p = &head;
    while (*p != gone)
        p = &(*p)->next;
    *p = gone->next;
}
int main(void)
{
    struct node *one = calloc(1, sizeof *one), *two = calloc(1, sizeof *two);
    head = one;
    cut(two);
    return 0;
}
"""


def test_a_link_that_was_never_set_leads_where_the_process_goes(play: Callable[..., Any]) -> None:
    session = play(RING)
    session("start\nspec\ncontinue")
    assert "at an address that no process has: p leads nowhere (0xcdcdcdcdcdcdcdcd)" in session.texts()
    assert "not modelled" not in session.texts()


def test_the_address_of_a_field_behind_null_leads_nowhere(play: Callable[..., Any]) -> None:
    session = play(CHAIN)
    session("start\nspec\ncontinue")
    assert "p leads nowhere (0x8)" in session.texts()
    assert "not modelled" not in session.texts()


def test_what_was_computed_from_fresh_memory_is_followed(play: Callable[..., Any]) -> None:
    session = play(
        "#include <stdlib.h>\n"
        "struct all { char c; short s; int i; long l; unsigned u; void *p; };\n"
        "int main(void)\n{\n"
        "    struct all *a = malloc(sizeof *a), *b = malloc(sizeof *b);\n"
        "    long sum = a->c + a->s + a->i + a->l / 3 + a->u % 7;\n"
        "    if (a->p == b->p)\n        sum++;\n"
        "    b->u = a->u + 1;\n"
        "    return sum == 3;\n}\n"
    )
    session("start\nspec\nnext 6")
    assert "not modelled" not in session.texts()
