"""Behind a leak there may be another fault: what is linked again comes to it, and is right for all that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wolverine.session import results

CELLAR = """\
#include <stdio.h>
#include <stdlib.h>
struct wine { int year; struct wine *next; };
static struct wine *wine(int year, struct wine *next)
{
    struct wine *w = malloc(sizeof *w);
    w->year = year;
    w->next = next;
    return w;
}
static struct wine *by_year(struct wine *mine, struct wine *yours)
{
    struct wine *all = NULL, **end = &all;
    while (mine && yours) {
        if (mine->year <= yours->year) {
            *end = mine;
            mine = mine->next;
        } else {
            *end = yours;
            yours = yours->next;
        }
        end = &(*end)->next;
    }
    *end = mine;
    return all;
}
static void one_a_year(struct wine *w)
{
    while (w && w->next) {
        if (w->year == w->next->year) {
            struct wine *second = w->next;
            free(second);
            w->next = second->next;
        } else
            w = w->next;
    }
}
static struct wine *cellar(void)
{
    struct wine *red = by_year(wine(1, wine(3, NULL)), wine(2, wine(3, wine(4, NULL))));
    return by_year(red, wine(0, NULL));
}
int main(void)
{
    struct wine *all = cellar();
    one_a_year(all);
    while (all) {
        struct wine *next = all->next;
        printf("%d ", all->year);
        free(all);
        all = next;
    }
    printf("\\n");
    return 0;
}
"""


@pytest.mark.thorough
def test_the_rest_of_the_other_list_is_linked_all_the_same(play: Callable[..., Any]) -> None:
    """Not put in another order, by which the other fault would not show."""
    session = play(CELLAR, work=None)
    session("run; repair --no-question")
    patch = session.last(results.Repaired).patch
    assert "+    if (mine != NULL)\n+        *end = mine;\n+    else\n+        *end = yours;\n" in patch
