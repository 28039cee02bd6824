"""Lists in an order by two fields."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

FLEET = """\
#include <stdlib.h>
struct boat { int length, year; struct boat *next; };
static struct boat *fleet;
static void moor(int length, int year)
{
    struct boat *b = malloc(sizeof *b), **at = &fleet;
    b->length = length;
    b->year = year;
    while (*at != NULL && ((*at)->length > b->length || (*at)->year < b->year))
        at = &(*at)->next;
    b->next = *at;
    *at = b;
}
int main(void)
{
    moor(9, 2001);
    moor(7, 1990);
    moor(8, 1995);
    moor(8, 1999);
    return 0;
}
"""


def test_the_second_field_is_asked_only_where_the_first_ones_are_equal(play: Callable[..., Played]) -> None:
    session = play(FLEET)
    session("break moor if length == 8 && year == 1995; run; next 3; enter; next; leave; spec")
    session("repair --no-question")
    (edit,) = session.last(results.Repaired).edits
    wanted = "(*at)->length > b->length || (*at)->length == b->length && (*at)->year < b->year"
    assert wanted in edit.after
