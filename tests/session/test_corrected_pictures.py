"""Bugs that do not crash: a picture is corrected, and the program is right on other inputs too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sanitized import plain, printed, sanitized
from thorough import WORK, usual

from wolverine.session import results

HEAD = """\
#include <stdio.h>
#include <stdlib.h>
"""
CHAIN = (
    HEAD
    + """\
struct song { int id; struct song *prev, *next; };
struct list { struct song *playing, *first, *last; int n; };
void append(struct list *l, int id)
{
    struct song *s = calloc(1, sizeof *s);
    s->id = id;
    if (l->first == NULL) {
        l->first = s;
        l->playing = s;
    } else {
        APPENDED
        l->last->next = s;
    }
    l->last = s;
    l->n++;
}
void drop(struct list *l, int id)
{
    struct song *s = l->first;
    while (s != NULL && s->id != id)
        s = s->next;
    if (s == NULL)
        return;
    if (s->prev != NULL)
        s->prev->next = s->next;
    else
        l->first = s->next;
    if (s->next != NULL)
        s->next->prev = s->prev;
    else
        l->last = s->prev;
    DROPPED
    free(s);
}
int main(int argc, char **argv)
{
    struct list l = {NULL, NULL, NULL, 0};
    for (int i = 1; i < argc; i++)
        if (atoi(argv[i]) > 0)
            append(&l, atoi(argv[i]));
        else
            drop(&l, -atoi(argv[i]));
    for (struct song *s = l.first; s != NULL; s = s->next)
        printf("%d ", s->id);
    for (struct song *s = l.last; s != NULL; s = s->prev)
        printf("%d ", s->id);
    printf("of %d\\n", l.n);
    return 0;
}
"""
)
BACK, LESS = "s->prev = l->last;", "l->n--;"
WHOLE = CHAIN.replace("APPENDED", BACK).replace("DROPPED", LESS)

LEASES = (
    HEAD
    + """\
struct lease { int key; struct lease *after; };
struct pool { struct lease *head; int held; };
void grant(struct pool *p, int key)
{
    struct lease *fresh = malloc(sizeof *fresh);
    fresh->key = key;
    fresh->after = p->head;
    p->head = fresh;
    p->held++;
}
struct lease *revoke(struct pool *p, int key)
{
    struct lease *at = p->head, *behind = NULL;
    while (at != NULL && at->key != key) {
        behind = at;
        at = at->after;
    }
    if (at == NULL)
        return NULL;
    if (behind == NULL)
        p->head = at->after;
    else
        behind->after = at->after;
    p->held--;
    return at;
}
int main(int argc, char **argv)
{
    struct pool p = {NULL, 0};
    for (int i = 1; i < argc; i++)
        if (atoi(argv[i]) > 0)
            grant(&p, atoi(argv[i]));
        else
            free(revoke(&p, -atoi(argv[i])));
    for (struct lease *l = p.head; l != NULL; l = l->after)
        printf("%d ", l->key);
    printf("of %d\\n", p.held);
    return 0;
}
"""
)

COUNTED = (
    HEAD
    + """\
struct cell { int v; struct cell *next; };
void attach(int v, struct cell **end)
{
    struct cell *c = malloc(sizeof *c);
    c->v = v;
    c->next = NULL;
    (*end)->next = c;
    *end = c;
}
int main(int argc, char **argv)
{
    struct cell *dummy = malloc(sizeof *dummy), *end;
    int left = argc - 1, at = 1;
    dummy->next = NULL;
    end = dummy;
    while (left--)
        attach(atoi(argv[at++]), &end);
    for (struct cell *c = dummy->next; c; c = c->next)
        printf("%d ", c->v);
    return 0;
}
"""
)

STACK = (
    HEAD
    + """\
struct tree { char op; struct tree *l, *r; };
struct item { struct tree *t; struct item *below; };
struct item *top;
void push(struct tree *t)
{
    struct item *i = malloc(sizeof *i);
    i->t = t;
    i->below = top;
    top = i;
}
struct tree *pop(void)
{
    struct item *i = top;
    struct tree *t = i->t;
    top = i->below;
    free(i);
    return t;
}
struct tree *build(const char *s)
{
    for (; *s; s++) {
        struct tree *t = calloc(1, sizeof *t);
        t->op = *s;
        if (*s == '-' || *s == '/') {
            t->r = pop();
            t->l = pop();
        }
        push(t);
    }
    return pop();
}
void show(struct tree *t)
{
    if (t == NULL)
        return;
    printf("(");
    show(t->l);
    printf("%c", t->op);
    show(t->r);
    printf(")");
}
int main(int argc, char **argv)
{
    struct tree *t = NULL;
    if (argc > 1)
        t = build(argv[1]);
    show(t);
    return 0;
}
"""
)

BLOCKS = (
    HEAD
    + """\
struct block { int start, len; struct block *next; };
struct block *spare;
int take(int len)
{
    for (struct block **at = &spare; *at != NULL; at = &(*at)->next) {
        struct block *b = *at;
        int found = b->start;
        if (b->len < len)
            continue;
        if (b->len == len) {
            *at = b->next;
            free(b);
        } else {
            b->start += len;
            b->len -= len;
        }
        return found;
    }
    return -1;
}
int main(int argc, char **argv)
{
    spare = malloc(sizeof *spare);
    spare->start = 0;
    spare->len = 100;
    spare->next = NULL;
    for (int i = 1; i < argc; i++)
        printf("%d ", take(atoi(argv[i])));
    for (struct block *b = spare; b; b = b->next)
        printf("[%d %d]", b->start, b->len);
    return 0;
}
"""
)

QUEUE = (
    HEAD
    + """\
struct item { int v; struct item *link; };
struct queue { struct item *head, *last; };
void enter(struct queue *q, int v)
{
    struct item *i = malloc(sizeof *i);
    i->v = v;
    i->link = NULL;
    q->last->link = i;
    q->last = i;
}
int leave(struct queue *q)
{
    struct item *i = q->head->link;
    if (i == NULL)
        return 0;
    q->head->link = i->link;
    if (q->head->link == NULL)
        q->last = q->head;
    free(i);
    return 1;
}
int main(int argc, char **argv)
{
    struct queue q;
    q.head = q.last = calloc(1, sizeof *q.head);
    for (int i = 1; i < argc; i++)
        if (atoi(argv[i]) > 0)
            enter(&q, atoi(argv[i]));
        else
            printf("%d ", leave(&q));
    for (struct item *i = q.head->link; i; i = i->link)
        printf("%d ", i->v);
    return 0;
}
"""
)

CUT = (
    HEAD
    + """\
struct node { int v; struct node *next; };
struct node *head;
void drop(int v)
{
    struct node *at = head, *before = head;
    while (at != NULL) {
        if (at->v == v) {
            if (at == head)
                head = at->next;
            else
                before->next = at->next;
            free(at);
            return;
        }
        before = at;
        at = at->next;
    }
}
int main(int argc, char **argv)
{
    for (int i = argc - 1; i > 1; i--) {
        struct node *n = malloc(sizeof *n);
        n->v = atoi(argv[i]);
        n->next = head;
        head = n;
    }
    if (argc > 1)
        drop(atoi(argv[1]));
    for (struct node *n = head; n; n = n->next)
        printf("%d ", n->v);
    return 0;
}
"""
)


ALARMS = (
    HEAD
    + """\
struct alarm { int number; int wait; struct alarm *next; };
static struct alarm *soonest;
static void planned(int number, int wait)
{
    struct alarm *at = soonest, *before = NULL, *made = malloc(sizeof *made);
    while (at != NULL && at->wait <= wait) {
        wait -= at->wait;
        before = at;
        at = at->next;
    }
    made->number = number;
    made->wait = wait;
    made->next = at;
    if (at != NULL)
        at->wait -= wait;
    if (before != NULL)
        before->next = made;
    else
        soonest = made;
}
static void dropped(int number)
{
    struct alarm *at = soonest, *before = NULL;
    while (at != NULL && at->number != number) {
        before = at;
        at = at->next;
    }
    if (at == NULL)
        return;
    if (at->next != NULL)
        at->next->wait += at->wait;
    if (before != NULL)
        before->next = at->next;
    else
        soonest = at->next;
    free(at);
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (atoi(argv[i]) < 0)
            dropped(-atoi(argv[i]));
        else
            planned(i, atoi(argv[i]));
    for (struct alarm *a = soonest; a != NULL; a = a->next)
        printf("%d+%d ", a->number, a->wait);
    return 0;
}
"""
)


@dataclass(frozen=True)
class Bug:
    """A right program, what its author wrote instead of one part, and how it is played."""

    text: str
    right: str
    wrong: str
    arguments: str
    commands: str
    others: tuple[str, ...]
    work: int | None = WORK


BY_PLACE = (
    HEAD
    + """\
struct entry { int id; struct entry *next; };
void add(struct entry **list, int id)
{
    struct entry *fresh = malloc(sizeof *fresh), *last = *list;
    fresh->id = id;
    fresh->next = NULL;
    if (*list == NULL) {
        *list = fresh;
        return;
    }
    while (last->next != NULL)
        last = last->next;
    last->next = fresh;
}
void drop(int place, struct entry **list)
{
    struct entry *here = *list, *before = *list;
    if (place == 1)
        *list = here->next;
    while (place != 1) {
        before = here;
        here = here->next;
        place--;
    }
    before->next = here->next;
    free(here);
}
int length(struct entry *list)
{
    int n = 0;
    for (; list != NULL; list = list->next)
        n++;
    return n;
}
int main(int argc, char **argv)
{
    struct entry *list = NULL, *next;
    for (int i = 1; i < argc; i++) {
        int id = atoi(argv[i]);
        if (id > 0)
            add(&list, id);
        else if (-id >= 1 && -id <= length(list))
            drop(-id, &list);
    }
    for (struct entry *at = list; at != NULL; at = next) {
        next = at->next;
        printf("%d ", at->id);
        free(at);
    }
    return 0;
}
"""
)
FOUND = (
    HEAD
    + """\
struct item { int id; struct item *prev, *next; };
struct list { struct item *first, *last; };
void append(struct list *l, int id)
{
    struct item *n = malloc(sizeof *n);
    n->id = id;
    n->next = NULL;
    n->prev = l->last;
    if (l->last != NULL)
        l->last->next = n;
    else
        l->first = n;
    l->last = n;
}
void detach(struct list *l, struct item *victim)
{
    struct item *p = victim->prev;
    if (p != NULL)
        p->next = victim->next;
    else
        l->first = victim->next;
    if (victim->next != NULL)
        victim->next->prev = p;
    else
        l->last = p;
    free(victim);
}
struct item *find(struct list *l, int id)
{
    struct item *p = l->first;
    while (p != NULL && p->id != id)
        p = p->next;
    return p;
}
int main(int argc, char **argv)
{
    struct list l = {NULL, NULL};
    for (int i = 1; i < argc; i++) {
        struct item *there = find(&l, atoi(argv[i]));
        if (there != NULL)
            detach(&l, there);
        else
            append(&l, atoi(argv[i]));
    }
    while (l.first != NULL) {
        printf("%d of %d ", l.first->id, l.last->id);
        detach(&l, l.first);
    }
    return 0;
}
"""
)
LISTS = ("", "7", "1 2 3", "1 2 3 -1", "1 2 3 -2 4", "1 2 3 -3 4 5 -5", "1 -1", "1 2 -1", "1 1 2 2 -2")
BUGS = {
    "at any node that callers have looked for": Bug(
        FOUND,
        "    else\n        l->last = p;\n",
        "",
        "1 2 3 3 4",
        "break detach\nrun\nnext 4\nchange l->last n2\nspec",
        ("", "1", "1 1 2", "1 2 3 1 4", "1 2 3 2 4"),
    ),
    "what is set under no test would spoil other heaps": Bug(
        BY_PLACE,
        "    if (place == 1)\n        *list = here->next;\n",
        "",
        "5 6 7 -1",
        "break drop\nrun\nfinish\nchange list n2",
        ("5 -1", "5 6 -1 -1", "5 6 -2", "5 6 7 -2 -2 -1", "5 6 7 -3 8", "5 -2 6"),
    ),
    "the end, not any that leads to the same node": Bug(
        WHOLE, BACK, "", "1 2 3", "break append if id == 2\nrun\nfinish\nchange n2->prev n1", LISTS
    ),
    "what is counted up is counted down": Bug(
        WHOLE, LESS, "", "1 2 3 -2", "break drop\nrun\nfinish\nchange l.n 2", LISTS
    ),
    "the other end, where there is none behind": Bug(
        WHOLE,
        "    else\n        l->last = s->prev;\n",
        "",
        "1 2 3 -3",
        "break drop\nrun\nfinish\nchange l.last n2",
        LISTS[:6],
    ),
    "at a condition that counts": Bug(
        COUNTED,
        "    *end = c;\n",
        "",
        "5 6 7",
        "break attach\nrun\nfinish\nchange end n2",
        ("", "1", "1 2", "4 4 4 4"),
    ),
    "results of calls in the other order": Bug(
        STACK,
        "t->r = pop();\n            t->l = pop();",
        "t->l = pop();\n            t->r = pop();",
        "52-",
        "break build\nrun\nfinish\nchange n5->l n1\nchange n5->r n3",
        ("", "1", "42/", "31-2-", "31-42/-"),
    ),
    "numbers that change together": Bug(
        BLOCKS,
        "            b->start += len;\n",
        "",
        "10 20",
        "break take\nrun\nfinish\nchange spare->start 10",
        ("", "100", "10 20 30", "60 60", "99 1 1"),
    ),
    "the end only where nothing is left": Bug(
        QUEUE,
        "    if (q->head->link == NULL)\n        q->last = q->head;\n",
        "",
        "3 0",
        "break leave\nrun\nfinish\nchange q.last n1",
        ("", "1 2", "1 2 0 3 4 0 5", "1 0 2 3 0 0 4"),
    ),
    "what a step leaves behind": Bug(
        CUT,
        "        before = at;\n",
        "",
        "3 1 2 3 4",
        "break drop\nrun\nfinish\nchange n4->next n3\nchange n3->next n1",
        ("1 1 2 3", "3 1 2 3", "5 1 2 3 4", "4 1 2 3 4 5", "3 1 2 3 4 5"),
    ),
    "an argument in parentheses": Bug(
        COUNTED.replace("attach(atoi(argv[at++]), &end)", "attach((atoi(argv[at++])), &end)"),
        "(*end)->next = c;",
        "(*end)->next = NULL;",
        "5 6 7",
        "break attach\nrun\nfinish\nchange n1->next n2",
        ("", "1", "1 2", "4 4 4 4"),
    ),
    "the other end of a deque": Bug(
        HEAD
        + """\
struct dnode { int v; struct dnode *prev, *next; };
struct deque { struct dnode *front, *rear; int count; };
void push(struct deque *d, int v)
{
    struct dnode *n = malloc(sizeof *n);
    n->v = v;
    n->prev = NULL;
    n->next = d->front;
    if (d->front == NULL)
        d->rear = n;
    else
        d->front->prev = n;
    d->front = n;
    d->count++;
}
void drop(struct deque *d)
{
    struct dnode *n = d->rear;
    if (n == NULL)
        return;
    d->rear = n->prev;
    if (d->rear == NULL) d->front = NULL; else d->rear->next = NULL;
    free(n);
    d->count--;
}
int main(int argc, char **argv)
{
    struct deque *d = calloc(1, sizeof *d);
    for (int i = 1; i < argc; i++) {
        if (atoi(argv[i]) > 0)
            push(d, atoi(argv[i]));
        else
            drop(d);
    }
    printf("%d:", d->count);
    for (struct dnode *n = d->front; n != NULL; n = n->next)
        printf(" %d", n->v);
    for (struct dnode *n = d->rear; n != NULL; n = n->prev)
        printf(" %d", n->v);
    return 0;
}
""",
        "if (d->rear == NULL) d->front = NULL; else d->rear->next = NULL;",
        "if (d->rear != NULL) d->rear->next = NULL;",
        "1 0 2",
        "break drop\nrun\nfinish\nchange n1->front null",
        ("", "1 2 0", "1 2 3 0 0", "1 2 3 0 0 0 4"),
    ),
    "what is behind the node before in a chain": Bug(
        HEAD
        + """\
struct entry { int key; struct entry *next; };
struct entry *table[5];
void enter(int key)
{
    struct entry *e = malloc(sizeof *e);
    e->key = key;
    e->next = table[key % 5];
    table[key % 5] = e;
}
void leave(int key)
{
    struct entry *at = table[key % 5], *before = at;
    if (at == NULL)
        return;
    if (at->key == key) {
        table[key % 5] = at->next;
        free(at);
        return;
    }
    for (at = at->next; at != NULL; at = at->next) {
        if (at->key == key) {
            before->next = at->next;
            free(at);
            return;
        }
        before = at;
    }
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (atoi(argv[i]) > 0)
            enter(atoi(argv[i]));
        else
            leave(-atoi(argv[i]));
    }
    for (int i = 0; i < 5; i++)
        for (struct entry *e = table[i]; e != NULL; e = e->next)
            printf("%d ", e->key);
    return 0;
}
""",
        "        before = at;\n",
        "",
        "16 11 6 1 -11",
        "break leave\nrun\nfinish\nchange n4->next n3\nchange n3->next n1",
        ("", "1 -1", "6 1 -1", "6 1 -6", "16 11 6 1 -1", "16 11 6 1 -16", "2 7 3 -2 -7"),
    ),
    "a number that is counted only where something is found": Bug(
        HEAD
        + """\
struct emp { int pay; struct emp *next; };
struct dept { int id; int n; struct emp *staff; struct dept *next; };
struct dept *company;
struct dept *department(int id)
{
    struct dept *d;
    for (d = company; d != NULL; d = d->next)
        if (d->id == id)
            return d;
    d = calloc(1, sizeof *d);
    d->id = id;
    d->next = company;
    company = d;
    return d;
}
void hire(struct dept *d, int pay)
{
    struct emp *e = malloc(sizeof *e);
    e->pay = pay;
    e->next = d->staff;
    d->staff = e;
    d->n++;
}
void dismiss(struct dept *d, int pay)
{
    struct emp **at, *e;
    for (at = &d->staff; (e = *at) != NULL; at = &e->next)
        if (e->pay == pay) {
            *at = e->next;
            free(e);
            d->n--;
            return;
        }
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        int v = atoi(argv[i]);
        if (v > 0)
            hire(department(v / 10), v % 10);
        else
            dismiss(department(-v / 10), -v % 10);
    }
    for (struct dept *d = company; d != NULL; d = d->next)
        printf("%d:%d ", d->id, d->n);
    return 0;
}
""",
        "            d->n--;\n",
        "",
        "11 12 23 -12",
        "break dismiss\nrun\nfinish\nchange n1->n 1",
        ("", "11 -12", "11 12 -13 -11", "11 22 23 -22", "11 22 23 -11"),
    ),
    "beside an array of rows whose length is given": Bug(
        HEAD
        + """\
struct node { int v; struct node *next; };
struct node *gathered(int rows, int columns, int a[rows][columns])
{
    struct node *first = NULL, *last = NULL;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            if (a[i][j] != 0) {
                struct node *n = malloc(sizeof *n);
                n->v = a[i][j];
                n->next = NULL;
                if (first == NULL)
                    first = n;
                else
                    last->next = n;
                last = n;
            }
    return first;
}
int main(int argc, char **argv)
{
    int a[2][3] = {{0}};
    for (int i = 1; i < argc && i < 7; i++)
        a[(i - 1) / 3][(i - 1) % 3] = atoi(argv[i]);
    for (struct node *n = gathered(2, 3, a); n != NULL; n = n->next)
        printf("%d ", n->v);
    return 0;
}
""",
        "                last = n;\n",
        "                if (last == NULL) last = n;\n",
        "5 0 6 7",
        "break gathered\nrun\nfinish\nchange n1->next n2\nchange n2->next n3",
        ("", "1", "0 0 1 2", "1 2 3 4 5 6"),
    ),
    "the second of two lists that one is divided into": Bug(
        """\
#include <stdio.h>
#include <stdlib.h>

struct cell { int n; struct cell *next; };

static void divide(struct cell **low, struct cell **high, int limit)
{
    struct cell *each = *low;
    while (each) {
        if (each->n < limit) {
            *low = each;
            low = &each->next;
        } else {
            *high = each;
            high = &each->next;
        }
        each = each->next;
    }
    *low = NULL;
    *high = NULL;
}

static void print(const struct cell *c)
{
    for (; c; c = c->next)
        printf(" %d", c->n);
    printf("\\n");
}

int main(int argc, char **argv)
{
    struct cell *low = NULL, *high = NULL, **end = &low;
    for (int i = 2; i < argc; i++) {
        struct cell *made = malloc(sizeof *made);
        made->n = atoi(argv[i]);
        made->next = NULL;
        *end = made;
        end = &made->next;
    }
    divide(&low, &high, argc > 1 ? atoi(argv[1]) : 0);
    print(low);
    print(high);
    return 0;
}
""",
        "    *low = NULL;\n    *high = NULL;\n",
        "    *low = NULL;\n",
        "5 1 7 2 8 3",
        "break divide\nrun\nfinish\nchange n4->next null",
        ("5", "5 1", "5 7", "5 7 8 1 2", "5 1 2 7 8", "5 7 1 8 2 9"),
    ),
    "two slips, of which one asks for a test": Bug(
        HEAD
        + """\
struct card { int rank; struct card *below; };
struct card *red_first(struct card *deck)
{
    struct card *red = NULL, *black = NULL, *last_red = NULL, *last_black = NULL;
    struct card *at = deck;
    while (at != NULL) {
        struct card **first = at->rank % 2 ? &red : &black;
        struct card **last = at->rank % 2 ? &last_red : &last_black;
        if (*last == NULL)
            *first = at;
        else
            (*last)->below = at;
        *last = at;
        at = at->below;
    }
    if (last_red == NULL)
        return black;
    last_red->below = black;
    if (last_black != NULL)
        last_black->below = NULL;
    return red;
}
int main(int argc, char **argv)
{
    struct card *deck = NULL;
    for (int i = argc - 1; i > 0; i--) {
        struct card *c = malloc(sizeof *c);
        c->rank = atoi(argv[i]);
        c->below = deck;
        deck = c;
    }
    for (struct card *c = red_first(deck); c != NULL; c = c->below)
        printf("%d ", c->rank);
    return 0;
}
""",
        """    last_red->below = black;
    if (last_black != NULL)
        last_black->below = NULL;
""",
        "    last_red->below = deck;\n",
        "3 8 5 2 7",
        "break red_first\nrun\nfinish\nchange n1->below n4\nchange n2->below null",
        ("", "1", "4", "4 2", "3 1", "3 2", "2 3", "2 3 4", "1 2 4 6 3 5", "7 5 3 2"),
        work=None,
    ),
    "two links, both of them seen in the picture": Bug(
        """\
#include <stdio.h>
#include <stdlib.h>
typedef struct place { int n; struct place *low, *high; } *Place;
Place top;
Place *slot(int n)
{
    Place *at = &top;
    while (*at != NULL && (*at)->n != n)
        at = n < (*at)->n ? &(*at)->low : &(*at)->high;
    return at;
}
void put(int n)
{
    Place *at = slot(n);
    if (*at == NULL) {
        *at = calloc(1, sizeof **at);
        (*at)->n = n;
    }
}
void drop(int n)
{
    Place *at = slot(n), old = *at;
    if (old == NULL)
        return;
    if (old->low == NULL)
        *at = old->high;
    else if (old->high == NULL)
        *at = old->low;
    else {
        Place *most = &old->low, next;
        while ((*most)->high != NULL)
            most = &(*most)->high;
        next = *most;
        *most = next->low;
        next->low = old->low;
        next->high = old->high;
        *at = next;
    }
    free(old);
}
void print(Place p)
{
    if (p != NULL) {
        printf("(");
        print(p->low);
        printf("%d", p->n);
        print(p->high);
        printf(")");
    }
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        int n = atoi(argv[i]);
        if (n > 0)
            put(n);
        else
            drop(-n);
    }
    print(top);
    return 0;
}
""",
        "        *most = next->low;\n        next->low = old->low;\n",
        "        *most = next->high;\n",
        "50 20 70 10 40 30 60 -50",
        "break drop\nrun\nfinish\nchange n5->low n2\nchange n2->high n6",
        ("5 3 8 1 4 -5", "5 3 8 4 -5", "5 -5", "5 3 -5", "5 3 8 -5 -3", "9 4 12 2 7 5 6 -9 -4"),
        work=None,
    ),
    "what follows is reckoned with when something comes before it": Bug(
        ALARMS,
        """    if (at != NULL)
        at->wait -= wait;
""",
        "",
        "9 6 4",
        "break planned if wait == 4\nrun\nfinish\nchange n2->wait 2",
        ("", "4", "4 2", "2 4", "4 4", "3 -1", "3 5 -2", "3 5 -1", "9 5 3 7 -2", "1 2 3 4 -4 -1"),
        work=None,
    ),
    "what follows is reckoned with when something goes": Bug(
        ALARMS,
        """    if (at->next != NULL)
        at->next->wait += at->wait;
""",
        "",
        "4 8 2 6 -1",
        "break dropped\nrun\nfinish\nchange n4->wait 4",
        ("", "4", "4 2", "2 4", "4 4", "3 -1", "3 5 -2", "3 5 -1", "9 5 3 7 -2", "1 2 3 4 -4 -1"),
    ),
    "the special case alone, of two in which something is stored": Bug(
        LEASES,
        """    if (behind == NULL)
        p->head = at->after;
    else
        behind->after = at->after;
""",
        "    p->head = at->after;\n",
        "1 2 3 -1",
        "break revoke\nrun\nfinish\nchange n2->after null\nchange main::p.head n3",
        ("", "1", "1 -1", "1 2 -2", "1 2 -1", "1 2 3 -2", "1 2 3 4 -1 -4 -2"),
    ),
}


USUAL = usual(
    BUGS,
    "two links, both of them seen in the picture",
    "what is set under no test would spoil other heaps",
    "what follows is reckoned with when something comes before it",
    "the other end of a deque",
    "two slips, of which one asks for a test",
    "the other end, where there is none behind",
    "a number that is counted only where something is found",
    "the second of two lists that one is divided into",
    "the end only where nothing is left",
    "what follows is reckoned with when something goes",
    "what is counted up is counted down",
    "what is behind the node before in a chain",
    "results of calls in the other order",
    "the special case alone, of two in which something is stored",
    "what a step leaves behind",
    "numbers that change together",
    "the end, not any that leads to the same node",
    "at any node that callers have looked for",
)


@pytest.mark.parametrize("name", USUAL)
def test_the_program_is_right_on_other_inputs(name: str, play: Callable[..., Any], tmp_path: Path) -> None:
    bug = BUGS[name]
    assert bug.text.count(bug.right) == 1
    session = play(bug.text.replace(bug.right, bug.wrong), arguments=bug.arguments.split(), work=bug.work)
    session(f"{bug.commands}\nrepair --no-question\nrewrite {tmp_path / 'out.c'}")
    assert session.last(results.Repaired).applied == "native"
    (tmp_path / "right.c").write_text(bug.text)
    right, mended = plain(tmp_path / "right.c"), sanitized(tmp_path / "out.c")
    for arguments in (bug.arguments, *bug.others):
        assert printed(mended, arguments) == printed(right, arguments), arguments


STORED = """\
#include <stdlib.h>
struct article { int number, quantity; struct article *next; };
static struct article *stock;
static void deliver(int number, int quantity)
{
    struct article *a;
    for (a = stock; a != NULL; a = a->next)
        if (a->number == number) {
            a->quantity = quantity;
            return;
        }
    a = malloc(sizeof *a);
    a->number = number;
    a->quantity = quantity;
    a->next = stock;
    stock = a;
}
int main(void)
{
    deliver(7, 4);
    deliver(9, 5);
    deliver(7, 6);
    return 0;
}
"""


def test_a_number_that_main_passes_on_is_hardly_the_fault(play: Callable[..., Any]) -> None:
    session = play(STORED)
    session("start; next 3; change n1->quantity 10; spec; repair --no-question")
    added = [line for line in session.last(results.Repaired).patch.splitlines() if line.startswith("+ ")]
    assert added == ["+            a->quantity = a->quantity + quantity;"]
