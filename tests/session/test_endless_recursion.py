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
