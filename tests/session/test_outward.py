"""What is said where a function begins speaks of its callers: the trace begins further out then."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from played_session import Played

from wolverine.session import results

MERGE = """\
#include <stdlib.h>
struct node { int data; struct node *next; };
static struct node *merge(struct node *a, struct node *b)
{
    if (a == NULL) return b;
    if (b == NULL) return a;
    if (a->data <= b->data) {
        a->next = merge(a->next, b);
        return a;
    }
    b->next = merge(a, b);
    return b;
}
int main(void)
{
    struct node two = { 2, NULL }, three = { 3, NULL }, one = { 1, &three };
    struct node *all;
    all = merge(&two, &one);
    return all->data;
}
"""


def test_a_wrong_argument_is_corrected_where_the_callee_begins(play: Callable[..., Played]) -> None:
    session = play(MERGE, json=False)
    session("break merge; run; continue; change b three; spec b; repair --no-question")
    repaired = session.last(results.Repaired)
    assert repaired.applied == "native"
    assert "+    b->next = merge(a, b->next);" in repaired.patch
    assert "begins in merge, further out" in session.texts()


def test_the_outermost_function_is_main(play: Callable[..., Played]) -> None:
    wrong = MERGE.replace("merge(a, b)", "merge(a, b->next)").replace("{ 1, &three }", "{ 1, NULL }")
    session = play(wrong, json=False)
    session("break merge; run; change one.next three; spec one.next; repair --no-question")
    assert "begins in main, further out" in session.texts()
    assert session.last(results.Repaired).edits[0].line in (16, 17, 18)
    session("start; change two.data 5; spec two.data; repair")
    assert "counts as its input" in session.texts()


UNWRITTEN = """\
#include <stdlib.h>
#include <string.h>
struct node { int data; struct node *next; };
static struct node *tail(struct node *list)
{
    while (list->next)
        list = list->next->next;
    return list;
}
int main(int argc, char **argv)
{
    struct node two = { 2, NULL }, one = { 1, &two };
    struct node *last;
    if (strcmp(argv[0], "never") != 0)
        last = tail(&one);
    return last->data;
}
"""


def test_callers_variables_that_nothing_wrote_are_so_at_the_entry_too(play: Callable[..., Played]) -> None:
    session = play(UNWRITTEN, json=False)
    session("tbreak 7; run; next; change list two; spec list; repair --no-question")
    repaired = session.last(results.Repaired)
    assert repaired.applied == "native"
    assert "+        list = list->next;" in repaired.patch


UNSET = """\
#include <stdio.h>
#include <stdlib.h>
struct node { struct node *next, *prev; };
static struct node *made(struct node *next)
{
    struct node *n = malloc(sizeof *n);
    n->next = next;
    return n;
}
static int both(struct node *list)
{
    int steps = 0;
    for (struct node *p = list; p != NULL; p = p->next)
        steps++;
    for (struct node *p = list; p != NULL; p = p->prev)
        steps += p != list;
    return steps;
}
int main(void)
{
    int number;
    return scanf("%d", &number) == 1 ? both(made(NULL)) : 0;
}
"""


@pytest.mark.thorough
def test_a_local_that_took_what_nothing_had_set_is_set_where_it_came_from(
    play: Callable[..., Played], tmp_path: Path
) -> None:
    numbers = tmp_path / "numbers"
    numbers.write_text("1\n")
    session = play(UNSET, stdin=numbers, json=False)
    session("run; repair --no-question")
    assert "never set, maybe before both began: the execution under repair begins in main" in session.texts()
    assert "+    n->prev = " in session.last(results.Repaired).patch


RING = """\
#include <stdlib.h>
struct node { struct node *below, *next; };
struct ring { struct node *first; };
static void drop(struct ring *r)
{
    struct node *gone = r->first;
    while (gone->next != r->first)
        gone = gone->next;
    free(r->first);
    r->first = r->first->below;
}
int main(void)
{
    struct ring *r = malloc(sizeof *r);
    r->first = calloc(1, sizeof *r->first);
    r->first->next = r->first;
    drop(r);
    return r->first != NULL;
}
"""


def test_of_two_links_to_a_node_one_may_be_at_fault_alone(play: Callable[..., Played]) -> None:
    session = play(RING, json=False)
    session("run; repair --no-question")
    assert "n2 is used after it was freed" in session.texts()
    assert "two links" not in session.texts()
    assert {edit.line for edit in session.last(results.Repaired).edits} <= set(range(6, 12))


COUNTED = """\
#include <stdlib.h>
struct node { int key, grey; struct node *next; };
static struct node *head;
static int greys;

static void bleach(struct node *n) {
    n->grey = 0;
    greys--;
}

static void push(int key) {
    struct node *n = malloc(sizeof *n);
    n->key = key;
    n->grey = key > 2;
    greys += n->grey;
    n->next = head;
    head = n;
    while (greys > 1)
        bleach(head);
}

static int show(struct node *n) {
    int all = 0;
    for (; n != NULL; n = n->next)
        all += n->key + n->grey;
    return all;
}

int main(void) {
    push(1);
    push(2);
    push(3);
    push(4);
    return show(head);
}
"""


def test_a_later_call_is_the_same_however_often_others_came_before(
    play: Callable[..., Played],
) -> None:
    """The right program calls `bleach` less often in front of the stop in `show`."""
    session = play(COUNTED, json=False)
    session("break show; run; change n4->grey 1; change greys 2; repair --no-question")
    [edit] = session.last(results.Repaired).edits
    assert edit.line == 18
    assert session.last(results.Repaired).applied == "native"


THREADED = """\
#include <stdio.h>
#include <stdlib.h>
struct node { int key, leaf; struct node *left, *next; };
static void put_before(struct node *parent, struct node *child)
{
    child->leaf = parent->leaf;
    child->left = parent->left;
    child->next = parent;
    parent->left = child;
    parent->leaf = 0;
    child->left->next = child;
}
static void put_behind(struct node *parent, struct node *child)
{
    child->leaf = 1;
    child->left = parent;
    child->next = parent->next;
    parent->next = child;
}
static void put(struct node *parent, struct node *child)
{
    if (child->key < parent->key || parent->key == 0)
        put_before(parent, child);
    else
        put_behind(parent, child);
}
static struct node *made(int key)
{
    struct node *node = malloc(sizeof *node);
    node->key = key;
    node->leaf = 1;
    node->left = node->next = node;
    return node;
}
int main(void)
{
    struct node *head = made(0), *first = made(4), *second = made(8), *third = made(6);
    put(head, first);
    put(first, second);
    put(second, third);
    for (struct node *p = head->left; p != head; p = p->next)
        printf("%d ", p->key);
    return 0;
}
"""


@pytest.mark.thorough
def test_what_an_earlier_call_spoilt_and_one_edit_does_not_mend(play: Callable[..., Played]) -> None:
    session = play(THREADED, json=False)
    session("break put_before; run; continue; finish; change n2->next n3; change n1->next n1; spec")
    session("repair --no-question")
    assert "begins in main, further out" in session.texts()
    assert [edit.line for edit in session.last(results.Repaired).edits] == [11]
