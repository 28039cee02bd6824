"""A recursion through what leads back to itself marks nodes, and does not ask for the marks."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played
from thorough import every_other

from wolverine.session import results

CAVE = """\
#include <stdio.h>
#include <stdlib.h>
struct room { int treasure, seen; struct room *left, *right; };
static struct room *room(int treasure)
{
    struct room *r = malloc(sizeof *r);
    r->treasure = treasure;
    r->seen = 0;
    r->left = r->right = NULL;
    return r;
}
static int plunder(struct room *r)
{
    TEST
        return 0;
    r->seen = 1;
    return r->treasure + plunder(r->left) + plunder(r->right);
}
int main(void)
{
    struct room *hall = room(5), *hole = room(2), *well = room(1);
    hall->left = hole;
    hall->right = LAST;
    hole->left = well;
    hole->right = hall;
    well->left = hall;
    well->right = hole;
    printf("%d\\n", plunder(hall));
    free(hall);
    free(hole);
    free(well);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("last", "test"), every_other([("NULL", "r == NULL || r->seen"), ("well", "r->seen")])
)
def test_what_was_seen_is_not_entered_again(play: Callable[..., Played], last: str, test: str) -> None:
    text = CAVE.replace("LAST", last).replace("    TEST\n        return 0;\n", "")
    session = play(text, json=False, work=None)
    session("run; repair --no-question --function plunder")
    patch = session.last(results.Repaired).patch
    assert f"+    if ({test})\n+        return 0;" in patch
