"""Bugs that people make: `run`, `repair`, `continue`, and the program is right on other inputs too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sanitized import plain, printed, sanitized
from thorough import WORK, usual

LIST = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { int v; struct node *next; };
struct node *push(struct node *head, int v)
{
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->next = head;
    return n;
}
"""


@dataclass(frozen=True)
class Bug:
    """A right program, and what its author wrote instead of one part; `arguments` bring it out."""

    text: str
    right: str
    wrong: str
    arguments: str = ""
    work: int | None = WORK


BUGS = {
    "a link back that nothing ever sets": Bug(
        """\
#include <stdio.h>
#include <stdlib.h>
struct item { int v; struct item *next, *prev; };
struct list { struct item *first; int size; };
void push(struct list *l, int v)
{
    struct item *n = calloc(1, sizeof *n);
    n->v = v;
    n->next = l->first;
    HERE
    l->first = n;
    l->size++;
}
void unlink_item(struct list *l, struct item *old)
{
    if (old == l->first)
        l->first = old->next;
    else
        old->prev->next = old->next;
    if (old->next != NULL)
        old->next->prev = old->prev;
    l->size--;
    free(old);
}
int main(int argc, char **argv)
{
    struct list l = { NULL, 0 };
    struct item *at, *next;
    for (int i = 1; i < argc; i++)
        push(&l, atoi(argv[i]));
    for (at = l.first; at != NULL; at = next) {
        next = at->next;
        if (at->v % 2 != 0)
            unlink_item(&l, at);
    }
    printf("%d:", l.size);
    while (l.first != NULL) {
        printf(" %d", l.first->v);
        unlink_item(&l, l.first);
    }
    return 0;
}
""",
        "if (l->first != NULL) l->first->prev = n;",
        "",
        "3 4 5 6",
    ),
    "what realloc has freed": Bug(
        """\
#include <stdio.h>
#include <stdlib.h>
struct vector { void **items; int size, room; };
void add(struct vector *v, const long *value)
{
    if (v->size == v->room) {
        void **more = realloc(v->items, (v->room *= 2) * sizeof(void *));
        HERE
        v->items = more;
    }
    long *copy = malloc(sizeof *copy);
    *copy = *value;
    v->items[v->size++] = copy;
}
int main(int argc, char **argv)
{
    struct vector v = { malloc(sizeof(void *)), 0, 1 };
    for (int i = 1; i < argc; i++) {
        long value = atol(argv[i]);
        add(&v, &value);
    }
    for (int i = 0; i < v.size; i++) {
        printf("%ld ", *(long *)v.items[i]);
        free(v.items[i]);
    }
    free(v.items);
    return 0;
}
""",
        "",
        "free(v->items);",
        "4 5 6",
    ),
    "a mark that is tested and never set": Bug(
        """\
#include <stdio.h>
#include <stdlib.h>
struct edge { int to; struct edge *next; };
struct edge *edges[9];
int marked[9];
void join(int a, int b)
{
    struct edge *e = malloc(sizeof *e);
    e->to = b;
    e->next = edges[a];
    edges[a] = e;
}
void walk(int v)
{
HERE    printf("%d ", v);
    for (struct edge *e = edges[v]; e != NULL; e = e->next)
        if (!marked[e->to])
            walk(e->to);
}
int main(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i++) {
        join(atoi(argv[i]) % 9, atoi(argv[i + 1]) % 9);
        join(atoi(argv[i + 1]) % 9, atoi(argv[i]) % 9);
    }
    walk(0);
    for (int i = 0; i < 9; i++)
        while (edges[i] != NULL) {
            struct edge *e = edges[i];
            edges[i] = e->next;
            free(e);
        }
    return 0;
}
""",
        "    marked[v] = 1;\n",
        "",
        "0 3 1 0 2",
    ),
    "the first node has none before it": Bug(
        LIST
        + """\
struct node *without(struct node *head, int v)
{
    struct node *cur = head, *prev;
    while (cur != NULL && cur->v != v) {
        prev = cur;
        cur = cur->next;
    }
    if (cur == NULL)
        return head;
    HERE
    free(cur);
    return head;
}
int main(int argc, char **argv)
{
    struct node *l = NULL;
    for (int i = 1; i < argc; i++)
        l = push(l, atoi(argv[i]));
    l = without(l, 3);
    for (struct node *p = l; p; p = p->next)
        printf("%d ", p->v);
    return 0;
}
""",
        "if (cur == head) head = cur->next; else prev->next = cur->next;",
        "prev->next = cur->next;",
        "1 2 3",
        work=None,
    ),
    "the first one, where the search begins behind it": Bug(
        LIST
        + """\
struct node *drop(struct node *head, struct node *old)
{
    struct node *at = head;
    HERE
    free(old);
    return head;
}
int main(int argc, char **argv)
{
    struct node *head = NULL, *at;
    int i = 1;
    for (; i < argc; i++)
        if (head == NULL || atoi(argv[i]) != head->v)
            head = push(head, atoi(argv[i]));
    if (head != NULL && head->next != NULL)
        head = drop(head, head->next);
    while (head != NULL && (at = head) != NULL) {
        printf(" %d", at->v);
        head = drop(head, at);
    }
    return 0;
}
""",
        """if (old == head)
        head = old->next;
    else {
        while (at->next != old)
            at = at->next;
        at->next = old->next;
    }""",
        """while (at->next != old)
        at = at->next;
    at->next = old->next;""",
        "1 2 3",
    ),
    "a count that begins anywhere": Bug(
        LIST
        + """\
int count(struct node *l)
{
    int c;
    HERE
    while (l != NULL) {
        c++;
        l = l->next;
    }
    return c;
}
int main(int argc, char **argv)
{
    struct node *l = NULL;
    for (int i = 1; i < argc; i++)
        l = push(l, i);
    printf("%d", count(l));
    return 0;
}
""",
        "c = 0;",
        "",
        "1 2",
    ),
    "no room for the zero": Bug(
        LIST
        + """\
char *copy(const char *s)
{
    char *t = HERE;
    strcpy(t, s);
    return t;
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        puts(copy(argv[i]));
    puts(copy("end"));
    return 0;
}
""",
        "malloc(strlen(s) + 1)",
        "malloc(strlen(s))",
    ),
    "names that are copied to where nothing is": Bug(
        LIST
        + """\
struct person { char *name; struct person *next; };
struct person *add(struct person *head, const char *name)
{
    struct person *p = malloc(sizeof(struct person));
    HERE
    strcpy(p->name, name);
    p->next = head;
    return p;
}
int main(int argc, char **argv)
{
    struct person *l = add(NULL, "first");
    for (int i = 1; i < argc; i++)
        l = add(l, argv[i]);
    for (struct person *p = l; p; p = p->next)
        puts(p->name);
    return 0;
}
""",
        "p->name = malloc(strlen(name) + 1);",
        "",
    ),
    "fields that nothing ever sets": Bug(
        """\
#include <stdio.h>
#include <stdlib.h>
struct tree { int v; struct tree *l, *r; };
struct tree *leaf(int v)
{
    struct tree *t = malloc(sizeof(struct tree));
    t->v = v;
    HERE
    return t;
}
struct tree *insert(struct tree *t, int v)
{
    if (t == NULL)
        return leaf(v);
    if (v < t->v)
        t->l = insert(t->l, v);
    else
        t->r = insert(t->r, v);
    return t;
}
void show(struct tree *t)
{
    if (t) { show(t->l); printf("%d ", t->v); show(t->r); }
}
int main(int argc, char **argv)
{
    struct tree *t = insert(NULL, 5);
    for (int i = 1; i < argc; i++)
        t = insert(t, atoi(argv[i]));
    show(t);
    return 0;
}
""",
        "t->l = t->r = NULL;",
        "",
        "3 8",
    ),
    "an end that is looked at by name": Bug(
        """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { char name[20]; int count; struct item *next; };
struct item *find(struct item *p, const char *name)
{
    while (HERE)
        p = p->next;
    return p;
}
int main(int argc, char **argv)
{
    struct item *l = NULL;
    for (int i = 0; i < argc; i++) {
        const char *name = i ? argv[i] : "zero";
        struct item *f = find(l, name);
        if (f == NULL) {
            f = calloc(1, sizeof *f);
            strcpy(f->name, name);
            f->next = l;
            l = f;
        }
        f->count++;
    }
    for (struct item *p = l; p; p = p->next)
        printf("%s %d ", p->name, p->count);
    return 0;
}
""",
        "p != NULL && strcmp(p->name, name) != 0",
        "strcmp(p->name, name) != 0",
        "1 2 1",
    ),
    "bytes for numbers": Bug(
        LIST
        + """\
struct stack { int *data; int top; };
struct stack *create(int size)
{
    struct stack *s = malloc(sizeof(struct stack));
    s->data = HERE;
    s->top = 0;
    return s;
}
int main(int argc, char **argv)
{
    struct stack *s = create(argc + 4);
    for (int i = 0; i < argc + 4; i++)
        s->data[s->top++] = i;
    while (s->top > 0)
        printf("%d ", s->data[--s->top]);
    return 0;
}
""",
        "malloc(size * sizeof(int))",
        "malloc(size)",
    ),
    "the children of what was freed": Bug(
        """\
#include <stdio.h>
#include <stdlib.h>
struct tree { int v; struct tree *l, *r; };
struct tree *leaf(int v)
{
    struct tree *t = calloc(1, sizeof *t);
    t->v = v;
    return t;
}
void destroy(struct tree *t)
{
    if (t == NULL)
        return;
    destroy(t->l);
    HERE
}
int main(int argc, char **argv)
{
    struct tree *t = leaf(2);
    t->l = leaf(1);
    t->r = leaf(3);
    t->r->l = leaf(argc);
    destroy(t);
    puts("done");
    return 0;
}
""",
        "destroy(t->r); free(t);",
        "free(t); destroy(t->r);",
    ),
    "a queue's rear when its front is gone": Bug(
        LIST
        + """\
struct queue { struct node *front, *rear; };
void enter(struct queue *q, int v)
{
    struct node *n = push(NULL, v);
    if (q->rear == NULL)
        q->front = n;
    else
        q->rear->next = n;
    q->rear = n;
}
void leave(struct queue *q)
{
    struct node *first = q->front;
    if (first == NULL)
        return;
    q->front = first->next;
    HERE
    free(first);
}
int main(int argc, char **argv)
{
    struct queue q = {NULL, NULL};
    for (int i = 1; i < argc; i++) {
        int v = atoi(argv[i]);
        if (v == 3)
            leave(&q);
        else
            enter(&q, v);
    }
    for (struct node *p = q.front; p; p = p->next)
        printf("%d ", p->v);
    return 0;
}
""",
        "if (q->front == NULL) q->rear = NULL;",
        "",
        "1 2 3 3 4",
    ),
    "a list's tail when the last node is gone": Bug(
        LIST
        + """\
struct list { struct node *head, *tail; };
void append(struct list *l, int v)
{
    struct node *n = push(NULL, v);
    if (l->head == NULL)
        l->head = n;
    else
        l->tail->next = n;
    l->tail = n;
}
void drop(struct list *l, int v)
{
    struct node *before = NULL, *at = l->head;
    while (at != NULL && at->v != v) {
        before = at;
        at = at->next;
    }
    if (at == NULL)
        return;
    if (before != NULL)
        before->next = at->next;
    else
        l->head = at->next;
    HERE
    free(at);
}
int main(int argc, char **argv)
{
    struct list l = {NULL, NULL};
    for (int i = 1; i < argc; i++) {
        append(&l, atoi(argv[i]));
        if (i == 3)
            drop(&l, 3);
    }
    for (struct node *p = l.head; p; p = p->next)
        printf("%d ", p->v);
    return 0;
}
""",
        "if (l->tail == at) l->tail = before;",
        "",
        "1 2 3 4",
    ),
    "a queue's rear when the first node comes": Bug(
        LIST
        + """\
struct queue { struct node *front, *rear; int size; };
struct queue *create(void)
{
    struct queue *q = malloc(sizeof *q);
    q->front = NULL;
    q->rear = NULL;
    q->size = 0;
    return q;
}
void enqueue(struct queue *q, int v)
{
    struct node *n = push(NULL, v);
    if (q->front == NULL) {
        q->front = n;
        HERE
    } else {
        q->rear->next = n;
        q->rear = n;
    }
    q->size++;
}
int dequeue(struct queue *q)
{
    struct node *n = q->front;
    if (n == NULL)
        return -1;
    int v = n->v;
    q->front = n->next;
    if (q->front == NULL)
        q->rear = NULL;
    free(n);
    q->size--;
    return v;
}
int main(int argc, char **argv)
{
    struct queue *q = create();
    for (int i = 1; i < argc; i++) {
        if (atoi(argv[i]) == 7)
            printf("%d ", dequeue(q));
        else
            enqueue(q, atoi(argv[i]));
    }
    for (struct node *p = q->front; p; p = p->next)
        printf("%d ", p->v);
    return 0;
}
""",
        "q->rear = n;",
        "",
        "5 6 7",
    ),
    "a step in the header, and at the end of the body": Bug(
        """\
#include <stdio.h>
#include <stdlib.h>
struct row { int n; int *cells; struct row *below; };
struct table { struct row *first; int rows; };
struct table *add(struct table *t, int n)
{
    struct row *r = malloc(sizeof *r);
    r->n = n;
    r->cells = calloc(n + 1, sizeof(int));
    r->below = t->first;
    t->first = r;
    t->rows++;
    return t;
}
void drop(struct table *t)
{
    struct row *r;
    for (r = t->first; r != NULL; r = r->below) {
        free(r->cells);
        printf("%d ", r->n);
        HERE
    }
    free(t);
}
int main(int argc, char **argv)
{
    struct table *t = calloc(1, sizeof *t);
    for (int i = 1; i < argc; i++)
        t = add(t, atoi(argv[i]));
    printf("%d rows: ", t->rows);
    drop(t);
    return 0;
}
""",
        "",
        "r = r->below;",
        "1 2 3",
    ),
    "a step twice at the end of the body": Bug(
        LIST
        + """\
int sum(struct node *l)
{
    int s = 0;
    while (l) {
        s += l->v;
        l = l->next;
        HERE
    }
    return s;
}
int main(int argc, char **argv)
{
    struct node *l = NULL;
    for (int i = 1; i < argc; i++)
        l = push(l, atoi(argv[i]));
    printf("%d", sum(l));
    return 0;
}
""",
        "",
        "l = l->next;",
        "1 2 3",
    ),
    "two by two, with no test for the second": Bug(
        LIST
        + """\
void swap(struct node *head)
{
    for (struct node *p = head; HERE; p = p->next) {
        int v = p->v;
        p->v = p->next->v;
        p->next->v = v;
        p = p->next;
    }
}
int main(int argc, char **argv)
{
    struct node *l = NULL;
    for (int i = 1; i < argc; i++)
        l = push(l, atoi(argv[i]));
    swap(l);
    for (struct node *p = l; p; p = p->next)
        printf("%d ", p->v);
    return 0;
}
""",
        "p && p->next",
        "p",
        "1 2 3",
    ),
    "a ring that was never closed, gone through by a global": Bug(
        """\
#include <stdio.h>
#include <stdlib.h>
struct node { int v; struct node *next; } *head, *at, *fresh;
void enter(int v)
{
    if (head == NULL) {
        head = malloc(sizeof *head);
        head->v = v;
        head->next = head;
    } else {
        at = head;
        while (at->next != head)
            at = at->next;
        fresh = malloc(sizeof *fresh);
        fresh->v = v;
        HERE
        at->next = fresh;
    }
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        enter(atoi(argv[i]));
    if (head != NULL) {
        at = head;
        do {
            printf("%d ", at->v);
            at = at->next;
        } while (at != head);
    }
    return 0;
}
""",
        "fresh->next = head;",
        "",
        "5 7 9",
    ),
    "the last node of a list that is linked both ways is taken out": Bug(
        """\
#include <stdio.h>
#include <stdlib.h>
struct item { int v; struct item *next, *prev; };
struct list { struct item *first, *last; int size; };
void append(struct list *l, int v)
{
    struct item *n = malloc(sizeof *n);
    n->v = v;
    n->next = NULL;
    n->prev = l->last;
    if (l->last != NULL)
        l->last->next = n;
    else
        l->first = n;
    l->last = n;
    l->size++;
}
void take(struct list *l, int at)
{
    if (at < 0 || at >= l->size) {
        printf("none ");
        return;
    }
    struct item *p = l->first;
    for (int i = 0; i < at; i++)
        p = p->next;
    if (p->prev == NULL)
        l->first = p->next;
    else
        p->prev->next = p->next;
    HERE
    free(p);
    l->size--;
}
int main(int argc, char **argv)
{
    struct list l = { NULL, NULL, 0 };
    for (int i = 1; i < argc; i++) {
        append(&l, atoi(argv[i]));
        if (argv[i][0] == '7')
            take(&l, 2);
        if (argv[i][0] == '3')
            take(&l, i - 1);
    }
    for (struct item *p = l.first; p != NULL; p = p->next)
        printf("%d ", p->v);
    for (struct item *p = l.last; p != NULL; p = p->prev)
        printf("%d ", p->v);
    while (l.size > 0)
        take(&l, 0);
    return 0;
}
""",
        "if (p->next == NULL) l->last = p->prev; else p->next->prev = p->prev;",
        "p->next->prev = p->prev;",
        "5 6 7",
    ),
    "an index test that lets one too many pass": Bug(
        """\
#include <stdio.h>
#include <stdlib.h>
struct item { int v; struct item *next, *prev; };
struct list { struct item *first, *last; int size; };
void append(struct list *l, int v)
{
    struct item *n = malloc(sizeof *n);
    n->v = v;
    n->next = NULL;
    n->prev = l->last;
    if (l->last != NULL)
        l->last->next = n;
    else
        l->first = n;
    l->last = n;
    l->size++;
}
void take(struct list *l, int at)
{
    if (at < 0 || HERE) {
        printf("none ");
        return;
    }
    struct item *p = l->first;
    for (int i = 0; i < at; i++)
        p = p->next;
    if (p->prev == NULL)
        l->first = p->next;
    else
        p->prev->next = p->next;
    if (p->next == NULL)
        l->last = p->prev;
    else
        p->next->prev = p->prev;
    free(p);
    l->size--;
}
int main(int argc, char **argv)
{
    struct list l = { NULL, NULL, 0 };
    for (int i = 1; i < argc; i++) {
        append(&l, atoi(argv[i]));
        if (argv[i][0] == '7')
            take(&l, i);
        if (argv[i][0] == '3')
            take(&l, i - 1);
    }
    for (struct item *p = l.first; p != NULL; p = p->next)
        printf("%d ", p->v);
    while (l.size > 0)
        take(&l, 0);
    return 0;
}
""",
        "at >= l->size",
        "at > l->size",
        "5 6 7",
    ),
    "the last stop is followed by another one, with globals for everything": Bug(
        """\
#include <stdio.h>
#include <stdlib.h>
struct stop { int at; struct stop *next, *prev; } *begin, *t, *n, *q;
void build(int at)
{
    n = malloc(sizeof *n);
    n->at = at;
    n->next = n->prev = NULL;
    if (begin == NULL) {
        begin = n;
        return;
    }
    for (t = begin; t->next != NULL; t = t->next)
        ;
    t->next = n;
    n->prev = t;
}
void extend(int after, int at)
{
    for (t = begin; t != NULL && t->at != after; t = t->next)
        ;
    if (t == NULL)
        return;
    n = malloc(sizeof *n);
    n->at = at;
    q = t->next;
    n->next = q;
    HERE
    t->next = n;
    n->prev = t;
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (argv[i][0] == '3')
            extend(4, 3);
        else if (argv[i][0] == '7')
            extend(6, 7);
        else
            build(atoi(argv[i]));
    for (t = begin; t != NULL && t->next != NULL; t = t->next)
        printf("%d ", t->at);
    for (; t != NULL; t = t->prev)
        printf("%d ", t->at);
    while (begin != NULL) {
        t = begin;
        begin = t->next;
        free(t);
    }
    return 0;
}
""",
        "if (q != NULL) q->prev = n;",
        "q->prev = n;",
        "5 6 7",
    ),
    "a line behind the last one of an editor": Bug(
        """\
#include <stdio.h>
#include <stdlib.h>
struct letter { char c; struct letter *next; };
struct line { struct letter *from, *to; struct line *onto, *over; };
void write(struct letter **from, struct letter **to, char c)
{
    struct letter *l = malloc(sizeof *l);
    l->c = c;
    l->next = NULL;
    if (*from == NULL)
        *from = l;
    else
        (*to)->next = l;
    *to = l;
}
void first(struct letter **from, struct letter **to, struct line **top)
{
    struct line *n = malloc(sizeof *n);
    n->from = *from;
    n->to = *to;
    n->over = NULL;
    n->onto = *top;
    if (*top != NULL)
        (*top)->over = n;
    *top = n;
}
void behind(struct letter **from, struct letter **to, struct line **here)
{
    struct line *n = malloc(sizeof *n);
    n->from = *from;
    n->to = *to;
    n->onto = (*here)->onto;
    n->over = *here;
    HERE
    (*here)->onto = n;
    *here = n;
}
int main(int argc, char **argv)
{
    struct line *top = NULL, *here = NULL, *last = NULL;
    for (int i = 1; i < argc; i++) {
        struct letter *from = NULL, *to = NULL;
        if (argv[i][0] == '3') {
            if (here != NULL && here->over != NULL)
                here = here->over;
            continue;
        }
        if (argv[i][0] == '7') {
            if (here != NULL && here->onto != NULL)
                here = here->onto;
            continue;
        }
        for (char *p = argv[i]; *p; p++)
            write(&from, &to, *p);
        if (here == NULL) {
            first(&from, &to, &top);
            here = top;
        } else
            behind(&from, &to, &here);
    }
    for (struct line *n = top; n != NULL; n = n->onto) {
        printf("%c ", n->from->c);
        last = n;
    }
    for (struct line *n = last; n != NULL; n = n->over)
        printf("%c ", n->to->c);
    return 0;
}
""",
        "if ((*here)->onto != NULL) (*here)->onto->over = n;",
        "(*here)->onto->over = n;",
        "52 64",
    ),
}
INPUTS = ("", "1 2 3", "3", "3 4", "4 3 5 3", "7")


USUAL = usual(
    BUGS,
    "the first one, where the search begins behind it",
    "a list's tail when the last node is gone",
    "an index test that lets one too many pass",
    "a queue's rear when its front is gone",
    "a step in the header, and at the end of the body",
    "a step twice at the end of the body",
    "a link back that nothing ever sets",
    "a mark that is tested and never set",
    "the first node has none before it",
    "a queue's rear when the first node comes",
    "a ring that was never closed, gone through by a global",
    "the last node of a list that is linked both ways is taken out",
    "the last stop is followed by another one, with globals for everything",
    "a line behind the last one of an editor",
    "two by two, with no test for the second",
)


@pytest.mark.parametrize("name", USUAL)
def test_run_and_repair(name: str, play: Callable[..., Any], tmp_path: Path) -> None:
    bug = BUGS[name]
    session = play(bug.text.replace("HERE", bug.wrong), arguments=tuple(bug.arguments.split()), work=bug.work)
    session(f"run\nrepair --no-question\nrewrite {tmp_path / 'repaired.c'}")
    (tmp_path / "right.c").write_text(bug.text.replace("HERE", bug.right))
    right, repaired = plain(tmp_path / "right.c"), sanitized(tmp_path / "repaired.c")
    for arguments in INPUTS:
        assert printed(repaired, arguments) == printed(right, arguments), arguments
