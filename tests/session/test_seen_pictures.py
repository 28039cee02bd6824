"""Who corrects a few places of a picture has seen the rest of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from wolverine.core.graph import NodeId, VariableId
from wolverine.session import results
from wolverine.session.constraints import pictured

TOTAL = """\
#include <stdlib.h>
struct node { int value; struct node *next; };
struct list { struct node *head; int sum, total; };
void add(struct list *l, int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = l->head;
    l->head = n;
    l->sum += value;
    l->total = value;
}
int main(void)
{
    int x = 4, y = 7, z = 11;
    struct list l = {NULL, 0, 0};
    add(&l, x);
    add(&l, y);
    return z - 11;
}
"""


def test_the_rest_of_a_corrected_picture_speaks_for_repairs(play: Callable[..., Any]) -> None:
    session = play(TOTAL)
    session("break 19\nrun\nchange l.total 11")
    inner = session.session.execution
    [shown] = pictured(inner.model, inner.path, frozenset())
    values = {place.object: value for place, value in shown.cells.items() if place.offset == 0}
    assert (values[NodeId(1)], values[NodeId(2)]) == (4, 7)
    session("repair --no-question")
    [edit] = session.last(results.Repaired).edits  # not `y = 11`, which is closer
    assert edit.line == 11


TURN = """\
#include <stdlib.h>
struct node { int value; struct node *next; };
struct node *head;
int steps(int n, int k)
{
    struct node *at = head;
    int first = 1, i;
    for (i = 0; i < n - k; i++)
        at = at->next;
    return at->value + first;
}
int main(void)
{
    for (int i = 4; i > 0; i--) {
        struct node *n = malloc(sizeof *n);
        n->value = i;
        n->next = head;
        head = n;
    }
    return steps(4, 2);
}
"""


def test_locals_that_are_read_yet_belong_to_the_picture(play: Callable[..., Any]) -> None:
    session = play(TURN)
    session("break 10\nrun\nchange at n3")
    inner = session.session.execution
    [shown] = pictured(inner.model, inner.path, frozenset())
    names = {place.object.name for place in shown.cells if isinstance(place.object, VariableId)}
    assert names & {"first", "at", "i", "n", "k"} == {"first", "at"}  # the others are read no more


SIZES = """\
#include <stdlib.h>
struct tree { int value, size; struct tree *left, *right; };
void recount(struct tree *t)
{
    t->size = 1;
    if (t->left != NULL)
        t->size += t->left->size;
    if (t->right != NULL)
        t->size += t->right->size;
}
void add(struct tree **at, int value)
{
    if (*at == NULL) {
        *at = malloc(sizeof **at);
        (*at)->value = value;
        (*at)->left = (*at)->right = NULL;
    } else if (value < (*at)->value)
        add(&(*at)->left, value);
    else
        add(&(*at)->right, value);
    recount(*at);
}
void drop(struct tree **at, int value)
{
    struct tree *old = *at;
    if (value < old->value)
        drop(&old->left, value);
    else if (value > old->value)
        drop(&old->right, value);
    else if (old->left != NULL) {
        old->value = old->left->value;
        drop(&old->left, old->value);
        recount(old);
    } else {
        *at = old->right;
        free(old);
    }
}
int main(void)
{
    struct tree *root = NULL;
    add(&root, 3);
    add(&root, 8);
    add(&root, 5);
    drop(&root, 5);
    return root->size;
}
"""


def test_the_picture_before_was_right_as_well(play: Callable[..., Any]) -> None:
    session = play(SIZES)
    session("break 45\nrun\nnext\nchange root->size 2\nchange root->right->size 1\nrepair --no-question")
    [edit] = session.last(results.Repaired).edits  # not in `recount`, by which they were wrong before
    assert edit.line in (25, 26)


REAR = """\
#include <stdlib.h>
struct node { int v; struct node *next; };
static struct node *rear;
static void add(int v)
{
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->next = n;
    if (rear != NULL) {
        n->next = rear->next;
        rear->next = n;
    }
    rear = n;
}
static void drop(void)
{
    struct node *first = rear->next;
    if (first == rear)
        rear = NULL;
    else
        rear = rear->next->next;
    free(first);
}
int main(void)
{
    add(1);
    add(2);
    add(3);
    drop();
    drop();
    return rear->v;
}
"""


def test_what_is_put_back_as_it_was_is_not_set_at_all(play: Callable[..., Any]) -> None:
    session = play(REAR)
    session("break drop; run; finish; change rear n3; change n3->next n2; repair --no-question")
    [edit] = session.last(results.Repaired).edits
    assert (edit.line, edit.after) == (21, "rear->next = rear->next->next")


ENDS = """\
#include <stdio.h>
#include <stdlib.h>
struct node { int v; struct node *prev, *next; };
struct list { int count; struct node *head, *tail; };
static struct node *made(int v)
{
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->prev = n->next = NULL;
    return n;
}
static void add_first(struct list *l, int v)
{
    struct node *n = made(v);
    if (l->head == NULL) {
        l->head = l->tail = n;
    } else {
        l->head->prev = n;
        n->next = l->head;
        l->head = n;
    }
    l->count++;
}
static void add_last(struct list *l, int v)
{
    struct node *n = made(v);
    if (l->tail == NULL) {
        l->head = l->tail = n;
    } else {
        l->tail->next = n;
        n->prev = l->tail;
        l->tail = n;
    }
    l->count++;
}
static void cut(struct list *l, int v)
{
    struct node *n = l->head;
    while (n != NULL && n->v != v)
        n = n->next;
    if (n == NULL)
        return;
    if (n->prev != NULL)
        n->prev->next = n->next;
    if (n->next != NULL)
        n->next->prev = n->prev;
    if (n->prev == NULL && n->next == NULL)
        l->head = l->tail = NULL;
    free(n);
    l->count--;
}
static void print(const struct list *l)
{
    for (const struct node *n = l->head; n != NULL; n = n->next)
        printf("%d ", n->v);
    printf("(%d)\\n", l->count);
}
int main(void)
{
    struct list l = {0, NULL, NULL};
    char op;
    int v;
    while (scanf(" %c%d", &op, &v) == 2) {
        if (op == 'f')
            add_first(&l, v);
        else if (op == 'l')
            add_last(&l, v);
        else if (op == 'c')
            cut(&l, v);
        else
            print(&l);
    }
    while (l.head != NULL)
        cut(&l, l.head->v);
    return 0;
}
"""


def test_two_edits_are_looked_for_behind_the_last_picture_that_was_right(
    play: Callable[..., Any], tmp_path: Path
) -> None:
    given = tmp_path / "given"
    given.write_text("l 1 l 2 l 3 c 1 c 3 p 0")
    session = play(ENDS, stdin=given)
    session("break cut; run; finish; change l.head n2; continue; finish; change l.tail n2")
    session("repair --no-question")
    edits = [(each.line, each.after) for each in session.last(results.Repaired).edits]
    assert edits == [(43, "l->head = n->next;"), (45, "l->tail = n->prev;")]
