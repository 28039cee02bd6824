"""Repairs of programs in which arrays in structs are filled up to a number beside them."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

HALL = """\
#include <stdlib.h>
struct guest { int number; struct guest *behind; };
struct hall { int doors, guests; struct guest *first[6]; };
static struct hall *hall(int doors)
{
    struct hall *h = calloc(1, sizeof *h);
    h->doors = doors;
    return h;
}
static void come(struct hall *h, int door)
{
    struct guest *g = malloc(sizeof *g);
    g->number = ++h->guests;
    g->behind = h->first[door];
    h->first[door] = g;
}
static void leave(struct hall *h)
{
    for (int i = 0; i < h->doors; i++)
        while (h->first[i] != NULL) {
            struct guest *g = h->first[i];
            free(g);
        }
    free(h);
}
int main(void)
{
    struct hall *h = hall(2);
    come(h, 0);
    come(h, 1);
    leave(h);
    return 0;
}
"""


def test_a_repair_does_not_lose_what_never_hangs_behind_the_number(play: Callable[..., Played]) -> None:
    """Were all of the array filled, the right one would lose nodes there; the wrong one makes a new hall."""
    session = play(HALL, json=False)
    session("run; repair --no-question")
    (edit,) = session.last(results.Repaired).edits
    assert (edit.kind, edit.line) == ("insert", 22)
    assert edit.after in ("h->first[i] = g->behind;", "h->first[i] = h->first[i]->behind;")
