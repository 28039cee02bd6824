"""Loops that step over two links of a node: together they may lead round before the function begins."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

TREE = """\
#include <stdio.h>
#include <stdlib.h>
struct word { int n; short last; struct word *small, *big; };
static struct word *top;
static void enter(int n)
{
    struct word *at = top, *made;
    while (at != NULL) {
        if (n < at->n) {
            if (at->small == NULL)
                break;
            at = at->small;
        } else {
            if (at->last)
                break;
            at = at->big;
        }
    }
    made = calloc(1, sizeof *made);
    made->n = n;
    made->last = 1;
    if (at == NULL) {
        top = made;
    } else if (n < at->n) {
        made->big = at;
        at->small = made;
    } else {
        made->big = at->big;
        at->big = made;
        at->last = 0;
    }
}
static struct word *least(struct word *w)
{
    while (w != NULL && w->small != NULL)
        w = w->small;
    return w;
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        enter(atoi(argv[i]));
    for (struct word *w = least(top); w != NULL; w = w->last ? w->big : least(w->big))
        printf("%d ", w->n);
    return 0;
}
"""


@pytest.mark.thorough
def test_what_leads_round_was_made_before_the_loop(play: Callable[..., Played]) -> None:
    session = play(TREE.replace("    made->last = 1;\n", ""), arguments=("5", "2", "3"))
    session("set step-budget 0.4\nrun\nrepair --no-question")
    assert "begins in main, further out" in session.texts()
    session("candidates")
    assert "made->last = 1;" in session.texts()
