"""A number that every caller keeps below a length: what a loop goes by is tried with no greater ones."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

TRAIN = """\
#include <stdio.h>
#include <stdlib.h>
struct car { int number; struct car *behind; };
struct train { struct car *first; int length; };
static void insert(struct train *t, int place, int number)
{
    struct car *c = malloc(sizeof *c), *before = t->first;
    int i;
    c->number = number;
    t->length++;
    if (place == 0) {
        c->behind = before;
        t->first = c;
        return;
    }
    for (i = 0; i < place; i++)
        before = before->behind;
    c->behind = before->behind;
    before->behind = c;
}
int main(void)
{
    struct train t = {NULL, 0};
    int places[] = {0, 0, 0, 0, 0, 2, 7, 5, 1}, i;
    for (i = 0; i < 9; i++)
        if (places[i] <= t.length)
            insert(&t, places[i], i);
    for (struct car *c = t.first; c != NULL; c = c->behind)
        printf("%d ", c->number);
    return t.length - 8;
}
"""


@pytest.mark.thorough
def test_a_walk_is_not_tried_beyond_what_callers_allow(play: Callable[..., Played]) -> None:
    """Repairs that leave the loop after one round crash on fewer heaps that never come."""
    played = play(TRAIN)
    played("break insert if place == 2; run; finish; change n4->behind n6; change n6->behind n3")
    played("change n3->behind n2; spec; repair --no-question")
    repaired = played.last(results.Repaired)
    assert "+    for (i = 1; i < place; i++)" in repaired.patch.splitlines()
