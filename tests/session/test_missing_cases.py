"""Several special cases are forgotten: what crashes next is a fault of its own."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

TRAIN = """\
#include <stdlib.h>
struct wagon { int load; struct wagon *front, *rear; };
struct train { struct wagon *engine, *last; int length; };
static void couple(struct train *t, int load)
{
    struct wagon *w = malloc(sizeof *w);
    w->load = load;
    w->rear = NULL;
    w->front = t->last;
    if (t->last)
        t->last->rear = w;
    else
        t->engine = w;
    t->last = w;
    t->length++;
}
static struct wagon *loaded_with(struct train *t, int load)
{
    struct wagon *w;
    for (w = t->engine; w; w = w->rear)
        if (w->load == load)
            return w;
    return NULL;
}
static void uncouple(struct train *t, int load)
{
    struct wagon *w = loaded_with(t, load);
    if (w == NULL)
        return;
    w->front->rear = w->rear;
    w->rear->front = w->front;
    free(w);
    t->length--;
}
int main(void)
{
    struct train t = { NULL, NULL, 0 };
    for (int i = 1; i <= 4; i++)
        couple(&t, i);
    uncouple(&t, 2);
    uncouple(&t, 1);
    uncouple(&t, 9);
    uncouple(&t, 4);
    return t.length == 1 && t.engine == t.last ? 0 : 1;
}
"""

SHELF = """\
#include <stdlib.h>
typedef struct Book { int year; struct Book *next; } Book;
static Book *put(Book *first, int year)
{
    Book *b = malloc(sizeof(Book));
    b->year = year;
    b->next = NULL;
    Book *at = first;
    while (at->next->year < year)
        at = at->next;
    b->next = at->next;
    at->next = b;
    return first;
}
int main(void)
{
    Book *shelf = NULL;
    shelf = put(shelf, 1900);
    shelf = put(shelf, 1950);
    shelf = put(shelf, 1920);
    return shelf->next->next == NULL;
}
"""

TREE = """\
#include <stdlib.h>
struct word { int key; struct word *less, *more, *above; };
static struct word *top;
static void add(int key)
{
    struct word *w = calloc(1, sizeof *w), *at = top, *above = NULL;
    w->key = key;
    while (at) {
        above = at;
        at = key < at->key ? at->less : at->more;
    }
    w->above = above;
    if (key < above->key)
        above->less = w;
    else
        above->more = w;
}
static void cut(struct word *w)
{
    struct word *below = w->less ? w->less : w->more;
    below->above = w->above;
    if (!w->above)
        top = below;
    else if (w->above->less == w)
        w->above->less = below;
    else
        w->above->more = below;
    free(w);
}
int main(void)
{
    add(5);
    add(2);
    add(8);
    add(7);
    cut(top->more);
    cut(top->less);
    return top->more->key != 7;
}
"""


def test_both_ends_of_a_list_are_forgotten(play: Callable[..., Played]) -> None:
    session = play(TRAIN, json=False)
    session("run; repair --no-question")
    assert "+    if (w->front != NULL)\n+        w->front->rear = w->rear;\n+    else\n" in patched(session)
    assert "+        t->engine = w->rear;" in patched(session)
    session("continue; repair --no-question; continue")
    assert "+    if (w->rear != NULL)\n+        w->rear->front = w->front;\n+    else\n" in patched(session)
    assert "+        t->last = w->front;" in patched(session)
    assert session.last(results.Exited).code == 0


def test_one_condition_goes_through_two_pointers(play: Callable[..., Played]) -> None:
    session = play(SHELF, json=False)
    session("run; repair --no-question; continue")
    assert "+    if (at == NULL)\n+        first = b;\n" in patched(session)
    session("repair --no-question; continue")
    assert "at->next != NULL && at->next->year < year" in patched(session)


@pytest.mark.thorough
def test_what_crashes_later_in_another_function_is_its_own_fault(play: Callable[..., Played]) -> None:
    session = play(TREE, json=False)
    session("run; repair --no-question")
    assert "top = w" in patched(session)
    session("continue; repair --no-question; continue")
    assert "+    if (below != NULL)\n+        below->above = w->above;" in patched(session)
    assert "got SIG" not in session.texts()


def patched(session: Played) -> str:
    """The patch of the last repair."""
    return session.last(results.Repaired).patch
