"""A recursion through what leads back to itself marks nodes, and does not ask for the marks."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

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


@pytest.mark.thorough
@pytest.mark.parametrize(("last", "test"), [("NULL", "r == NULL || r->seen"), ("well", "r->seen")])
def test_what_was_seen_is_not_entered_again(play: Callable[..., Played], last: str, test: str) -> None:
    text = CAVE.replace("LAST", last).replace("    TEST\n        return 0;\n", "")
    session = play(text, json=False, work=None)
    session("run; repair --no-question --function plunder")
    patch = session.last(results.Repaired).patch
    assert f"+    if ({test})\n+        return 0;" in patch


TRAIL = """\
#include <stdio.h>
#include <stdlib.h>
struct room { int turn; struct room *left, *right; };
static int turn, steps, *trail;
static void walk(struct room *r)
{
    if (r == NULL)
        return;
    r->turn = turn;
    trail[steps++] = turn;
    walk(r->left);
    walk(r->right);
}
int main(void)
{
    struct room hall = { 0, NULL, NULL }, hole = { 0, &hall, NULL };
    hall.right = &hole;
    for (turn = 1; turn < 3; turn++) {
        trail = malloc(2 * sizeof *trail);
        steps = 0;
        walk(&hall);
        printf("%d ", steps);
        free(trail);
    }
    return 0;
}
"""


@pytest.mark.thorough
def test_the_number_of_a_walk_is_a_mark_and_what_is_the_same_of_all_calls_is_said_once(
    play: Callable[..., Played],
) -> None:
    session = play(TRAIL, json=False)
    session("run; repair --no-question --function walk")
    assert "+    if (r == NULL || r->turn == turn)" in session.last(results.Repaired).patch
    assert session.texts().count("had been made when walk began") == 1
