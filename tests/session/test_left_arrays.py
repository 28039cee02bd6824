"""Subscripts that leave an array and stay in the struct around it."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

WINDOW = """\
#include <stdlib.h>
struct window { int last[3]; int at; int seen; };
static struct window w;
static void note(int value)
{
    w.last[w.at] = value;
    w.at = w.at + 1;
    w.seen++;
}
int main(void)
{
    for (int i = 1; i <= 3; i++)
        note(10 * i);
    int *p = NULL;
    note(50);
    return w.at + *p;
}
"""


def test_no_repair_leaves_an_array(play: Callable[..., Played]) -> None:
    session = play(WINDOW, json=False)
    session("break 8; run; continue 2; change w.at 0; spec; repair --no-question; candidates")
    assert "w.at = 0" in session.last(results.Repaired).patch
    assert "w.last[w.at] = 0;" not in session.texts()


def test_the_repair_begins_where_an_array_is_left_first(play: Callable[..., Played]) -> None:
    session = play(WINDOW, json=False)
    session("run; repair --no-question")
    assert "where it first does what C forbids: index 3 lies outside w.last, which has 3" in session.texts()
