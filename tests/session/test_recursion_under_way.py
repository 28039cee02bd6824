"""Recursion without an end that takes its time: it is stopped long before the stack is full."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

CAVES = """\
#include <stdio.h>
#include <stdlib.h>
struct cave { int dark; struct cave *next; };
static int lamps(struct cave *c)
{
    printf("%200s\\n", "");
    if (c->next->dark)
        return 1;
    return 1 + lamps(c->next);
}
int main(void)
{
    struct cave *all[2];
    for (int i = 0; i < 2; i++)
        all[i] = calloc(1, sizeof *all[i]);
    for (int i = 0; i < 2; i++)
        all[i]->next = all[(i + 1) % 2];
    return lamps(all[0]) != 2;
}
"""


def test_what_each_call_should_mark_is_found_in_the_call(play: Callable[..., Played]) -> None:
    session = play(CAVES, json=False)
    session("set step-budget 0.1; run; repair --no-question --line 6-7")
    assert "lamps calls itself without an end" in session.texts()
    assert "further out" not in session.texts()
    [edit] = session.last(results.Repaired).edits
    assert edit.after == "c->dark = 1;"
