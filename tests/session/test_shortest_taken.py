"""The shortest is taken out of a queue: its two ends, and numbers that are not the first of their struct."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

QUEUE = """\
#include <stdio.h>
#include <stdlib.h>
struct task { int id; int length; struct task *next; };
struct queue { struct task *head, *tail; };
static void add(struct queue *q, int id, int length)
{
    struct task *t = malloc(sizeof *t);
    t->id = id;
    t->length = length;
    t->next = NULL;
    if (q->head == NULL)
        q->head = t;
    else
        q->tail->next = t;
    q->tail = t;
}
static struct task *shortest(struct queue *q)
{
    struct task *best = q->head, *before = NULL, *prev = q->head, *t;
    if (q->head == NULL)
        return NULL;
    if (q->head == q->tail) {
        q->head = q->tail = NULL;
        return best;
    }
    for (t = q->head->next; t != NULL; t = t->next) {
        if (t->length < best->length) {
            best = t;
            before = prev;
        }
        prev = t;
    }
    if (best == q->head)
        q->head = q->head->next;
    else
        before->next = best->next;
    return best;
}
int main(void)
{
    struct queue q = { NULL, NULL };
    add(&q, 1, 5);
    add(&q, 2, 7);
    add(&q, 3, 4);
    free(shortest(&q));
    add(&q, 4, 6);
    return 0;
}
"""


@pytest.mark.thorough
def test_the_tail_is_the_last_of_the_list_wherever_the_shortest_is(play: Callable[..., Played]) -> None:
    session = play(QUEUE)
    line = QUEUE.splitlines().index("    return best;") + 1
    session(f"break {line}\nrun\nchange q->tail n2\nspec\nrepair --no-question")
    (edit,) = session.last(results.Repaired).edits
    assert edit.after in ("if (best == q->tail) q->tail = before;", "if (best == q->tail) q->tail = prev;")
