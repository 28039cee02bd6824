"""A repair under which a loop takes other rounds than those that were stepped through."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

MATRIX = """\
#include <stdlib.h>
struct cell { int r, c; struct cell *right, *down; };
struct matrix { struct cell *row[3], *col[3]; };
static void put(struct matrix *m, int r, int c)
{
    struct cell **p, *n = malloc(sizeof *n);
    n->r = r;
    n->c = c;
    for (p = &m->row[r]; *p && (*p)->c < c; p = &(*p)->right)
        ;
    n->right = *p;
    *p = n;
    p = &m->col[c];
    while (*p
           && (*p)->r < r)
        p = &(*p)->right;
    n->down = *p;
    *p = n;
}
int main(void)
{
    struct matrix *m = calloc(1, sizeof *m);
    put(m, 0, 0);
    put(m, 0, 2);
    put(m, 1, 0);
    put(m, 2, 0);
    return m->col[0]->right == NULL;
}
"""


@pytest.mark.thorough
def test_rounds_that_were_stepped_through_do_not_hide_the_edit(play: Callable[..., Played]) -> None:
    session = play(MATRIX, work=None)
    session("tbreak 25; run; tbreak put; continue; advance 13")
    assert [[session("next"), session.line()][1] for _ in range(6)] == [14, 16, 14, 16, 14, 17]
    session("finish; change n2->down n4; change n3->right null; spec; repair --no-question")
    assert [each.after for each in session.last(results.Repaired).edits] == ["p = &(*p)->down"]
