"""Recursion without an end: the execution under repair ends in one of its calls, and repairs come back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played
from thorough import MUCH

from wolverine.session import results

# The base case for one node is missing; the calls are not evenly spaced: `halve` comes between them.
SORT = """\
#include <stdlib.h>
struct node { int key; struct node *next; };
static struct node *halve(struct node *list)
{
    struct node *slow = list, *fast = list->next, *rest;
    while (fast != NULL && fast->next != NULL) {
        slow = slow->next;
        fast = fast->next->next;
    }
    rest = slow->next;
    slow->next = NULL;
    return rest;
}
static struct node *merge(struct node *a, struct node *b)
{
    if (a == NULL)
        return b;
    if (b == NULL)
        return a;
    if (a->key <= b->key) {
        a->next = merge(a->next, b);
        return a;
    }
    b->next = merge(a, b->next);
    return b;
}
static struct node *sort(struct node *list)
{
    struct node *rest;
    if (list == NULL)
        return list;
    rest = halve(list);
    return merge(sort(list), sort(rest));
}
int main(void)
{
    static const int keys[] = { 3, 1, 2 };
    struct node *list = NULL;
    int i;
    for (i = 0; i < 3; i++) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->key = keys[i];
        fresh->next = list;
        list = fresh;
    }
    list = sort(list);
    return 0;
}
"""


@pytest.mark.thorough
def test_the_call_that_is_stood_in_is_the_one_that_was_meant(play: Callable[..., Played]) -> None:
    session = play(SORT, work=MUCH)
    session("run; repair --no-question")
    assert "sort calls itself without an end" in session.texts()
    assert "+    if (list == NULL || list->next == NULL)" in session.last(results.Repaired).patch


# The halves of an array are none: what lies outside of it is read before the stack is full.
HEAPED = """\
#include <stdlib.h>
struct cut { int key; struct cut *low, *high; };
static struct cut *planted(const int *keys, int from, int to)
{
    struct cut *made;
    int middle = (from - to) / 2;
    if (from > to)
        return NULL;
    made = malloc(sizeof *made);
    made->key = keys[middle];
    made->low = planted(keys, from, middle - 1);
    made->high = planted(keys, middle + 1, to);
    return made;
}
int main(void)
{
    int keys[] = { 2, 3, 5, 7, 9 };
    struct cut *top = planted(keys, 0, 4);
    return top->key != 5;
}
"""


@pytest.mark.thorough
def test_what_c_forbids_on_the_way_is_repaired_where_the_model_sees_no_recursion(
    play: Callable[..., Played],
) -> None:
    session = play(HEAPED)
    session("run; repair --no-question")
    assert "lies outside main::keys" in session.texts()
    [edit] = session.last(results.Repaired).edits
    assert (edit.line, edit.after) == (6, "int middle = (from + to) / 2")


# A call takes so little that not all of its variables have memory where the stack is full.
WAITS = """\
#include <stdlib.h>
struct node { struct node *next; };
static int length(struct node *list, int so_far)
{
    char text[200];
    text[0] = 0;
    return length(list, so_far + 1) + text[0];
}
int main(void)
{
    struct node *list = calloc(1, sizeof *list);
    int n = length(list, 0);
    free(list);
    return n;
}
"""


def test_where_the_stack_is_full_the_calls_are_shown(play: Callable[..., Played]) -> None:
    session = play(WAITS)
    session("run")
    assert session.places()["length#2::list"] == "n1"
    assert session.places()["main::list"] == "n1"


CUT = """\
#include <stdlib.h>
struct node { int key; struct node *left, *right; };
static struct node *node(int key, struct node *left)
{
    struct node *made = calloc(1, sizeof *made);
    made->key = key;
    made->left = left;
    return made;
}
static struct node *cut(struct node *t, int key)
{
    struct node *gone;
    if (t == NULL)
        return NULL;
    if (key < t->key)
        t->left = cut(t, key);
    else if (key > t->key)
        t->right = cut(t->right, key);
    else {
        gone = t;
        t = t->left;
        free(gone);
    }
    return t;
}
int main(void)
{
    struct node *root = cut(node(2, node(1, NULL)), 1);
    return root->left != NULL;
}
"""


@pytest.mark.thorough
def test_a_declaration_is_not_where_a_call_begins(play: Callable[..., Played]) -> None:
    session = play(CUT)
    session("run; repair --no-question")
    assert "ends at line 13 in cut: cut calls itself without an end" in session.texts()
    [edit] = session.last(results.Repaired).edits
    assert edit.after == "t->left"
