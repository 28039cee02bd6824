"""A recursion lacks its base case, and what makes nodes could be called for null as well."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

GRAFT = """\
#include <stdio.h>
#include <stdlib.h>
struct twig { int leaves; struct twig *low, *high; };
static struct twig *twig(int leaves)
{
    struct twig *t = malloc(sizeof *t);
    t->leaves = leaves;
    t->low = t->high = NULL;
    return t;
}
static struct twig *fork(int leaves, struct twig *low, struct twig *high)
{
    struct twig *t = twig(leaves);
    t->low = low;
    t->high = high;
    return t;
}
static struct twig *graft(const struct twig *t)
{
    return fork(t->leaves, graft(t->low), graft(t->high));
}
static int count(const struct twig *t)
{
    return t == NULL ? 0 : t->leaves + count(t->low) + count(t->high);
}
static void fell(struct twig *t)
{
    if (t == NULL)
        return;
    fell(t->low);
    fell(t->high);
    free(t);
}
int main(void)
{
    struct twig *t = fork(1, twig(2), fork(3, twig(4), NULL));
    struct twig *copy = graft(t);
    printf("%d %d\\n", count(t), count(copy));
    fell(t);
    fell(copy);
    return 0;
}
"""


@pytest.mark.thorough
def test_null_is_returned_rather_than_a_new_node(play: Callable[..., Played]) -> None:
    session = play(GRAFT, json=False)
    session("run; repair --no-question; continue")
    assert "+    if (t == NULL)\n+        return NULL;" in session.last(results.Repaired).patch
    assert session.last(results.Exited).code == 0
