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

CIRCLE = """\
#include <stdlib.h>
struct seat { int number; struct seat *next; };
static struct seat *last;
static int taken;
static void sit(int number)
{
    struct seat *s = malloc(sizeof *s);
    s->number = number;
    s->next = last->next;
    last->next = s;
    last = s;
    taken++;
}
static void rise(int number)
{
    struct seat *s = last;
    do {
        if (s->next->number == number) {
            struct seat *gone = s->next;
            s->next = gone->next;
            if (gone == last)
                last = s;
            free(gone);
            taken--;
            return;
        }
        s = s->next;
    } while (s != last);
}
int main(void)
{
    for (int i = 1; i < 4; i++)
        sit(i);
    rise(2);
    while (taken > 0)
        rise(last->number);
    return taken;
}
"""

CHAIN = """\
#include <stdlib.h>
struct link { int size; struct link *next; };
static struct link *push(struct link *first, int size)
{
    struct link *l = malloc(sizeof *l);
    l->size = size;
    l->next = first;
    return l;
}
static struct link *turned(struct link *l)
{
    struct link *before = NULL;
    while (l) {
        struct link *next = l->next;
        l->next = before;
        before = l;
    }
    return before;
}
static struct link *merged(struct link *a, struct link *b)
{
    struct link first, *last = &first;
    while (a && b) {
        if (a->size <= b->size) {
            last->next = a;
            a = a->next;
        } else {
            last->next = b;
            b = b->next;
        }
        last = last->next;
    }
    last->next = a;
    return first.next;
}
int main(void)
{
    struct link *odd = push(push(NULL, 1), 3), *even = push(push(push(NULL, 2), 4), 6);
    odd = turned(odd);
    even = turned(even);
    odd = merged(odd, even);
    while (odd) {
        struct link *next = odd->next;
        free(odd);
        odd = next;
    }
    return 0;
}
"""


@pytest.mark.thorough
def test_both_ends_of_a_list_are_forgotten(play: Callable[..., Played]) -> None:
    session = play(TRAIN, json=False)
    session("run; repair --no-question")
    assert "+    if (w->front != NULL)\n+        w->front->rear = w->rear;\n+    else\n" in patched(session)
    assert "+        t->engine = w->rear;" in patched(session)
    session("continue; repair --no-question; continue")
    assert "+    if (w->rear != NULL)\n+        w->rear->front = w->front;\n+    else\n" in patched(session)
    assert "+        t->last = w->front;" in patched(session)
    assert session.last(results.Exited).code == 0


@pytest.mark.thorough
def test_one_condition_goes_through_two_pointers(play: Callable[..., Played]) -> None:
    session = play(SHELF, json=False)
    session("run; repair --no-question; continue")
    assert "+    if (at == NULL)\n+        first = b;\n" in patched(session)
    session("repair --no-question; continue")
    assert "at->next != NULL && at->next->year < year" in patched(session)


def test_what_builds_nothing_any_more_comes_behind(play: Callable[..., Played]) -> None:
    session = play(CIRCLE, json=False)
    session("run; repair --no-question")
    assert "+    if (last == NULL)\n+        s->next = s;\n" in patched(session)


@pytest.mark.thorough
def test_a_forgotten_rest_is_found_beside_an_accepted_repair(play: Callable[..., Played]) -> None:
    """What the accepted edit changes is not tried once more: it would only thin out what tells the rest."""
    session = play(CHAIN, json=False)
    session("set step-budget 2; run; repair --no-question; continue")
    assert "+        l = next;" in patched(session)
    session("repair --no-question; continue")
    assert "+        last->next = b;" in patched(session)


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
