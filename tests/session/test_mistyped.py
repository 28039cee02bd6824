"""What is passed as an argument of another kind: a number as a pointer, a pointer as a number."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

FREED = """\
#include <stdlib.h>
struct bag { int used; char *label; int *items; };
static struct bag *make(int room)
{
    struct bag *b = malloc(sizeof(struct bag));
    b->used = 3;
    b->label = calloc(8, 1);
    b->items = calloc(room, sizeof(int));
    return b;
}
static void drop(struct bag *b)
{
    free(b->label);
    free(b->used);
    free(b);
}
int main(void)
{
    drop(make(4));
    return 0;
}
"""
EXCHANGED = """\
#include <stdio.h>
#include <stdlib.h>
struct seat { int number; struct seat *next; };
static struct seat *after(struct seat *s, int count)
{
    while (s != NULL && count-- > 0)
        s = s->next;
    return s;
}
static void show(struct seat *first)
{
    struct seat *s = after(1, first);
    while (s != NULL) {
        printf("%d\\n", s->number);
        s = s->next;
    }
}
int main(void)
{
    struct seat *first = NULL;
    for (int i = 0; i < 3; i++) {
        struct seat *s = malloc(sizeof(struct seat));
        s->number = i;
        s->next = first;
        first = s;
    }
    show(first);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("program", "repaired"),
    [(FREED, "+    free(b->items);"), (EXCHANGED, "+    struct seat *s = after(first, 1);")],
)
def test_what_was_meant(play: Callable[..., Played], program: str, repaired: str) -> None:
    session = play(program, json=False)
    session("run; repair --no-question")
    assert repaired in session.last(results.Repaired).patch
