"""Functions as values: shown and corrected by name, followed where they are called, repaired around."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.errors import CommandError
from wolverine.session import results

SORTED = """\
#include <stdlib.h>
struct item { int key; struct item *next; };
typedef int (*compare_fn)(const struct item *, const struct item *);
struct list { struct item *head; compare_fn compare; };
static int upwards(const struct item *a, const struct item *b) { return a->key - b->key; }
static int downwards(const struct item *a, const struct item *b) { return b->key - a->key; }
static void put(struct list *l, int key) {
    struct item *fresh = malloc(sizeof *fresh);
    struct item *before = NULL, *at = l->head;
    fresh->key = key;
    while (at != NULL && l->compare(at, fresh) < 0) {
        before = at;
        at = at->next;
    }
    fresh->next = before;
    if (before == NULL)
        l->head = fresh;
    else
        before->next = fresh;
}
int main(void) {
    struct list l = { NULL, upwards };
    put(&l, 1);
    put(&l, 3);
    l.compare = downwards;
    put(&l, 2);
    return 0;
}
"""


def test_a_function_is_shown_and_corrected_by_its_name(play: Callable[..., Played]) -> None:
    session = play(SORTED)
    session("break put; run; change l->compare downwards")
    changed = session.last(results.Changed)
    assert (changed.before, changed.after) == ({"place": "upwards"}, {"place": "downwards"})
    assert session.places()["main::l"]["compare"] == {"place": "downwards"}
    session("print l->compare == downwards")
    assert "$1 = 1" in session.texts()
    with pytest.raises(CommandError, match="there is no variable sideways"):
        session("change l->compare sideways")


def test_what_calls_through_a_pointer_is_repaired_as_the_rest(play: Callable[..., Played]) -> None:
    session = play(SORTED)
    session("break put if key == 3; run; next 9; change fresh->next 0; finish; spec; repair --no-question")
    repaired = session.last(results.Repaired)
    assert "+    fresh->next = at;" in repaired.patch
    assert "not modelled" not in session.texts()


CALLED = """\
#include <stdlib.h>
struct task { int id; void (*run)(struct task *); };
static int done;
static void work(struct task *t) { done += t->id; }
static struct task *make(int id, void (*run)(struct task *)) {
    struct task *t = calloc(1, sizeof *t);
    t->id = id;
    return t;
}
int main(void) {
    struct task *t = make(3, work);
    t->run(t);
    free(t);
    return done;
}
"""


def test_a_call_of_no_function_is_a_crash_that_is_repaired(play: Callable[..., Played]) -> None:
    session = play(CALLED, json=False)
    session("run")
    assert "t->run is null" in session.texts()
    session("repair --no-question")
    assert "+    t->run = run;" in session.last(results.Repaired).patch
    session("continue")
    assert session.last(results.Exited).code == 3


CARRIED = """\
#include <stdlib.h>
struct link { void *data; struct link *next; };
struct chain { struct link *first, *last; int (*compare)(const void *, const void *); void (*drop)(void *); };
static int by_number(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void add(struct chain *c, int number) {
    struct link *fresh = malloc(sizeof *fresh);
    fresh->data = malloc(sizeof(int));
    *(int *)fresh->data = number;
    fresh->next = NULL;
    if (c->first == NULL)
        c->first = fresh;
    else
        c->last->next = fresh;
    c->last = fresh;
}
static int take(struct chain *c, const void *key) {
    struct link *before = NULL, *at = c->first;
    while (at != NULL && c->compare(at->data, key) != 0) {
        before = at;
        at = at->next;
    }
    if (at == NULL)
        return 0;
    if (before == NULL)
        c->first = at->next;
    else
        before->next = at->next;
    c->drop(at->data);
    free(at);
    return 1;
}
int main(void) {
    struct chain c = { NULL, NULL, by_number, free };
    add(&c, 1);
    add(&c, 2);
    for (int round = 0; round < 1; round++) {
        int key = 2;
        take(&c, &key);
    }
    add(&c, 3);
    while (c.first != NULL)
        take(&c, c.first->data);
    return 0;
}
"""


def test_a_library_function_is_followed_through_a_pointer(play: Callable[..., Played]) -> None:
    session = play(CARRIED)
    session("break take; run; finish")
    assert not [each.reason for each in session.heard if isinstance(each, results.ConcreteStep)]


@pytest.mark.thorough
def test_functions_are_tried_with_the_callbacks_and_the_keys_that_they_were_given(
    play: Callable[..., Played],
) -> None:
    session = play(CARRIED)
    session("run; repair --no-question")
    patch = session.last(results.Repaired).patch
    assert "+    if (at == c->last)\n+        c->last = before;" in patch


SHELVES = """\
#include <stdlib.h>
struct book { int *note; struct book *next; };
struct shelves { struct book **rows; void (*drop)(void *); };
static void put(struct shelves *s, int number) {
    struct book *b = malloc(sizeof *b);
    b->note = malloc(sizeof number);
    *b->note = number;
    b->next = s->rows[number % 3];
    s->rows[number % 3] = b;
}
static void discard(struct shelves *s, int number) {
    struct book *b = s->rows[number % 3], *before = NULL;
    while (b != NULL && *b->note != number) {
        before = b;
        b = b->next;
    }
    if (b == NULL)
        return;
    if (before == NULL)
        s->rows[number % 3] = NULL;
    else
        before->next = b->next;
    s->drop(b->note);
    free(b);
}
int main(void) {
    struct shelves *s = malloc(sizeof *s);
    s->rows = calloc(3, sizeof *s->rows);
    s->drop = free;
    put(s, 4);
    put(s, 1);
    discard(s, 1);
    return 0;
}
"""


def test_a_library_function_that_is_held_stays_what_it_is(play: Callable[..., Played]) -> None:
    """What is asserted of the pointer to it holds, whatever else a repair changes."""
    session = play(SHELVES)
    session("tbreak 25; run; change n2[1] n3; spec; repair --no-question")
    repaired = session.last(results.Repaired)
    assert "+        s->rows[number % 3] = b->next;" in repaired.patch
    assert not [each for each in session.texts().splitlines() if "disregarded" in each]


LOGGED = """\
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
struct job { int number; struct job *next; };
struct queue { struct job *first, **end; int told; void (*tell)(struct queue *, const char *, ...); };
static void count(struct queue *q, const char *form, ...) {
    va_list rest;
    q->told++;
    va_start(rest, form);
    vprintf(form, rest);
    va_end(rest);
}
static void put(struct queue *q, int number) {
    struct job *j = malloc(sizeof *j);
    j->number = number;
    j->next = NULL;
    *q->end = j;
    q->end = &j->next;
    q->tell(q, "put %d\\n", number);
}
static int take(struct queue *q) {
    struct job *j = q->first;
    int number = j->number;
    q->first = j->next;
    free(j);
    q->tell(q, "took %d of %s\\n", number, "these");
    return number;
}
int main(void) {
    struct queue q = { NULL, NULL, 0, count };
    q.end = &q.first;
    for (int i = 0; i < 3; i++) {
        put(&q, i);
        put(&q, i + 10);
        take(&q);
        take(&q);
    }
    return 0;
}
"""


def test_what_takes_any_number_of_arguments_is_followed_through_a_pointer(
    play: Callable[..., Played],
) -> None:
    session = play(LOGGED)
    session("break take; run; finish")
    reasons = {each.reason for each in session.heard if isinstance(each, results.ConcreteStep)}
    assert not [each for each in reasons if "pointer" in each]
    assert session.places()["main::q"]["told"] == 3


@pytest.mark.thorough
def test_what_is_used_after_it_was_freed_is_told_behind_such_calls(play: Callable[..., Played]) -> None:
    session = play(LOGGED)
    session("run")
    assert "n2 is used after it was freed, by line 17 in put: *q->end = j;" in session.texts()
    session("repair --no-question")
    assert session.last(results.Repaired).patch


ASKED = """\
#include <stdlib.h>
struct item { int key; struct item *next; };
static int dropped;
static void drop(struct item *one) { dropped += one->key; free(one); }
static int clear(struct item *at, void (*with)(struct item *)) {
    int count = 0;
    if (!*with)
        return -1;
    while (at != NULL) {
        struct item *next = at->next;
        if (*with && at->key > 0)
            (*with)(at);
        at = next;
        count++;
    }
    return *with == drop ? count : 0;
}
int main(void) {
    struct item *list = NULL;
    for (int i = 0; i < 3; i++) {
        struct item *fresh = malloc(sizeof *fresh);
        fresh->key = i + 1;
        fresh->next = list;
        list = fresh;
    }
    int count = *drop != NULL ? clear(list, drop) : 0;
    return count + dropped;
}
"""


def test_what_a_pointer_to_a_function_leads_to_is_that_pointer_again(play: Callable[..., Played]) -> None:
    """`*with` decays to a pointer at once (C17 6.3.2.1); the model has followed all of it to the end."""
    session = play(ASKED)
    session("break clear; run; finish; spec; next")
    assert session.places()["main::count"] == 3
    session("continue")
    assert "not modelled" not in session.texts()
    assert session.last(results.Exited).code == 9
