"""A link back that an insertion sets wrongly: what is freed later is still led to, and used."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

ROUND = """\
#include <stdio.h>
#include <stdlib.h>

struct stop { int number; struct stop *after, *before; };
struct line { struct stop *here; int stops; };

static void add(struct line *l, int number)
{
    struct stop *s = malloc(sizeof *s);
    s->number = number;
    if (l->here == NULL) {
        s->after = s->before = s;
    } else {
        s->before = l->here;
        s->after = l->here->after;
        l->here->after = s;
        s->after->before = l->here;
    }
    l->here = s;
    l->stops++;
}

static void close_here(struct line *l)
{
    struct stop *s = l->here;
    if (s == NULL)
        return;
    s->before->after = s->after;
    s->after->before = s->before;
    l->here = s->after == s ? NULL : s->after;
    free(s);
    l->stops--;
}

static void go(struct line *l, int n)
{
    for (; n > 0; n--)
        l->here = l->here->after;
    for (; n < 0; n++)
        l->here = l->here->before;
}

static void show(struct line *l)
{
    struct stop *s = l->here;
    for (int i = 0; i < l->stops; i++, s = s->before)
        printf("%d ", s->number);
    printf("\\n");
}

int main(void)
{
    struct line l = { NULL, 0 };
    for (int i = 1; i < 4; i++)
        add(&l, i);
    go(&l, -1);
    close_here(&l);
    show(&l);
    go(&l, 1);
    while (l.here != NULL)
        close_here(&l);
    return 0;
}
"""


@pytest.mark.thorough
def test_a_link_back_that_is_set_wrongly_is_set_right(play: Callable[..., Played]) -> None:
    """Not where it is followed, nor in what calls it: elsewhere all that is done keeps to the links back."""
    session = play(ROUND, json=False)
    session("run; repair --no-question; continue")
    [edit] = session.last(results.Repaired).edits
    assert "s->after->before = s" in edit.after or "l->here = s" in edit.after
    assert 13 < edit.line < 22
    assert session.last(results.Exited).code == 0
