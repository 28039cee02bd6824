"""Who corrects a few places of a picture has seen the rest of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

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


@pytest.mark.thorough
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
static struct node *head, *tail;
static void add(int v)
{
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->next = NULL;
    n->prev = tail;
    if (tail == NULL)
        head = n;
    else
        tail->next = n;
    tail = n;
}
static void cut(struct node *n)
{
    if (n->prev != NULL)
        n->prev->next = n->next;
    if (n->next != NULL)
        n->next->prev = n->prev;
    free(n);
}
int main(void)
{
    int v;
    while (scanf("%d", &v) == 1)
        if (v > 0)
            add(v);
        else
            cut(v ? tail : head);
    return 0;
}
"""


@pytest.mark.thorough
def test_rather_two_edits_than_one_that_changes_the_last_picture_that_was_right(
    play: Callable[..., Any], tmp_path: Path
) -> None:
    given = tmp_path / "given"
    given.write_text("1 2 3 0 -1")
    session = play(ENDS, stdin=given)
    session("break cut; run; finish; change head n2; continue; finish; change tail n2")
    session("repair --no-question")
    edits = [each.after for each in session.last(results.Repaired).edits]
    assert edits == ["head = n->next;", "tail = n->prev;"]  # beside what is done to the neighbours
    assert "line 29: v > 0 becomes v >= 0" in session.texts() + session("candidates")[0].text


BACK = """\
#include <stdio.h>
#include <stdlib.h>
struct node { int v; struct node *prev, *next; };
static struct node *made(void)
{
    return calloc(1, sizeof(struct node));
}
static void insert(int v, struct node *l, struct node *p)
{
    struct node *n = made();
    if (n == NULL)
        printf("out of space\\n");
    else {
        n->v = v;
        n->prev = p;
        n->next = p->next;
        p->next = n;
    }
}
int main(void)
{
    struct node *l = made();
    int v;
    while (scanf("%d", &v) == 1)
        insert(v, l, l);
    for (l = l->next; l != NULL && l->next != NULL; l = l->next)
        printf("%d ", l->next->prev->v);
    return 0;
}
"""


@pytest.mark.thorough
def test_rather_one_statement_under_a_test_than_two_behind_the_last_picture_that_was_right(
    play: Callable[..., Any], tmp_path: Path
) -> None:
    given = tmp_path / "given"
    given.write_text("1 2 3")
    session = play(BACK, stdin=given, work=None)
    session("break insert; run; continue; finish; change n2->prev n3; repair --no-question")
    [edit] = session.last(results.Repaired).edits
    assert edit.after == "if (p->next != NULL) p->next->prev = n;"


QUEUE = """\
#include <stdlib.h>
struct node { int v; struct node *next; };
void put(struct node **front, struct node **rear, int v)
{
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->next = NULL;
    if (*rear == NULL) {
        *front = *rear = n;
    } else {
        (*rear)->next = n;
    }
}
int main(void)
{
    struct node *front = NULL, *rear = NULL;
    put(&front, &rear, 1);
    put(&front, &rear, 2);
    return 0;
}
"""


def test_a_statement_that_might_stand_elsewhere_does_not_tell_what_a_function_is_given(
    play: Callable[..., Any],
) -> None:
    session = play(QUEUE)
    session("break put; run; continue; finish; change rear n2; repair --no-question")
    [edit] = session.last(results.Repaired).edits
    assert (edit.line, edit.after) == (11, "*rear = n;")
