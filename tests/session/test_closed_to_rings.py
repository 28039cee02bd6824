"""Statements link nodes in a ring, round which a loop goes for ever."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

PAIR = """\
#include <stdio.h>
#include <stdlib.h>
struct stop { int fare; struct stop *next; };
int main(void)
{
    struct stop *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    a->fare = 3;
    b->fare = 4;
    a->next = b;
    b->next = a;
    int fares = 0;
    for (struct stop *s = a; s != NULL; s = s->next)
        fares += s->fare;
    printf("%d\\n", fares);
    return 0;
}
"""


@pytest.mark.thorough
def test_a_list_ends_where_it_was_closed_to_a_ring(play: Callable[..., Played]) -> None:
    session = play(PAIR, json=False)
    session("set step-budget 0.4; run; repair --no-question --line 9-10")
    [edit] = session.last(results.Repaired).edits
    assert (edit.line, edit.after) == (10, "b->next = NULL")
