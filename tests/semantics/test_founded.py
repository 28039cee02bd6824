"""Pointers that lead to one node for good, and the fresh heaps on which they do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest

from wolverine.core.graph import MemoryGraph
from wolverine.core.program import Program
from wolverine.core.types import StructReference
from wolverine.semantics.fresh import fresh_graphs

HEAD = """\
#include <stdlib.h>
struct node { int v; struct node *next, *prev; };
struct queue { struct node *front, *back; };
static struct node *made(int v)
{
    struct node *n = malloc(sizeof *n);
    if (n == NULL)
        return NULL;
    n->v = v;
    n->next = n->prev = NULL;
    return n;
}
"""

ENDS = """\
static struct queue *queue(void)
{
    struct queue *q = malloc(sizeof *q);
    q->front = made(0);
    q->back = made(0);
    q->front->next = q->back;
    q->back->prev = q->front;
    return q;
}
static void work(struct queue *q, int v)
{
    struct node *n = made(v);
    n->prev = q->back->prev;
    n->next = q->back;
    n->prev->next = n;
    q->back->prev = n;
}
int main(void)
{
    struct queue *q = queue();
    work(q, 3); work(q, 4);
    return 0;
}
"""
DUMMY = """\
struct list { struct node *head; int length; };
static void begin(struct list *list)
{
    list->head = made(0);
    list->length = 0;
}
static void work(struct list *list, int v)
{
    struct node *n = made(v);
    n->next = list->head->next;
    list->head->next = n;
    list->length++;
}
int main(void)
{
    struct list list;
    begin(&list);
    work(&list, 3); work(&list, 4);
    return 0;
}
"""
GLOBAL = """\
static struct node *head;
static void begin(void)
{
    head = made(0);
}
static void work(int v)
{
    struct node *n = made(v);
    n->next = head->next;
    head->next = n;
}
int main(void)
{
    begin();
    work(3); work(4);
    return 0;
}
"""
APPENDED = """\
static struct node *first, *last;
static void work(int v)
{
    struct node *n = made(v);
    if (last)
        last->next = n;
    else
        first = n;
    last = n;
}
int main(void)
{
    work(3); work(4); work(5);
    return 0;
}
"""
BUILT = """\
static int work(struct queue *q)
{
    int sum = 0;
    for (struct node *n = q->front; n; n = n->next)
        sum += n->v;
    return sum;
}
int main(void)
{
    struct queue q;
    q.front = made(3);
    q.front->next = made(4);
    q.back = q.front->next;
    return work(&q);
}
"""
EMPTIED = """\
static void work(struct queue *q, int v)
{
    struct node *n = made(v);
    if (q->back)
        q->back->next = n;
    else
        q->front = n;
    q->back = n;
}
int main(void)
{
    struct queue q = { NULL, NULL };
    work(&q, 3); work(&q, 4); work(&q, 5);
    return 0;
}
"""
PUSHED = """\
static struct node *head;
static void work(int v)
{
    struct node *n = made(v);
    n->next = head;
    head = n;
}
int main(void)
{
    work(3); work(4); work(5);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("body", "least"),
    [(ENDS, 2), (DUMMY, 1), (GLOBAL, 1), (APPENDED, 0), (BUILT, 0), (EMPTIED, 0), (PUSHED, 0)],
    ids=["ends", "dummy", "global", "appended", "built", "emptied", "pushed"],
)
def test_what_is_there_from_the_beginning_on_is_on_all_fresh_heaps(
    lower: Callable[[str], Program],
    walk: Callable[[Program], Iterator[tuple[tuple[tuple[str, int], ...], MemoryGraph]]],
    body: str,
    least: int,
) -> None:
    program = lower(HEAD + body)
    stops = [(len(stack), graph) for stack, graph in walk(program) if stack[0][0] in ("main", "work")]
    entries = [graph for (before, _), (depth, graph) in pairwise(stops) if depth > before]
    counts = {
        sum(node.type == StructReference("node") for node in heap.nodes.values())
        for heap in fresh_graphs(program, entries[-1], (("work", 0),))
    }
    assert (min(counts), max(counts)) == (least, 5)
