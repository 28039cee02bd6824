"""A node is freed only where another one is behind it: the last one is lost."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

LANE = """\
#include <stdio.h>
#include <stdlib.h>
struct car { int plate; struct car *ahead, *behind; };
struct lane { struct car *first, *last; int cars; };
static void drop(struct car *c) { free(c); }
static void arrive(struct lane *l, int plate)
{
    struct car *c = calloc(1, sizeof *c);
    c->plate = plate;
    if (l->cars++ == 0) {
        l->first = l->last = c;
        return;
    }
    c->ahead = l->last;
    l->last->behind = c;
    l->last = c;
}
static int leave(struct lane *l)
{
    struct car *next = l->first->behind;
    int plate = l->first->plate;
    if (next) {
        next->ahead = NULL;
        drop(l->first);
    }
    l->first = next;
    l->cars--;
    return plate;
}
static int turn(struct lane *l)
{
    struct car *next = l->last->ahead;
    int plate = l->last->plate;
    if (next != NULL) {
        next->behind = NULL;
        drop(l->last);
    }
    l->last = next;
    l->cars--;
    return plate;
}
int main(void)
{
    struct lane l = { 0 };
    arrive(&l, 1); arrive(&l, 2);
    printf("%d %d\\n", leave(&l), leave(&l));
    arrive(&l, 3); arrive(&l, 4);
    printf("%d %d\\n", turn(&l), turn(&l));
    return 0;
}
"""


def test_it_is_freed_behind_the_test_in_all_places(play: Callable[..., Played]) -> None:
    session = play(LANE, json=False)
    session("run; repair --no-question")
    patch = session.last(results.Repaired).patch
    assert "-        drop(l->first);" in patch and "+    drop(l->first);" in patch
    assert "-        drop(l->last);" in patch and "+    drop(l->last);" in patch


@pytest.mark.parametrize(("name", "last"), [("first", "next->ahead"), ("last", "next->behind")])
def test_it_is_freed_behind_the_test_where_one_place_forgets_it(
    play: Callable[..., Played], name: str, last: str
) -> None:
    text = LANE.replace(
        f"        {last} = NULL;\n        drop(l->{name});\n    }}\n",
        f"        {last} = NULL;\n    }}\n    drop(l->{name});\n",
    )
    session = play(text, json=False)
    session("run; repair --no-question")
    other = "last" if name == "first" else "first"
    repaired = session.last(results.Repaired)
    assert len(repaired.edits) == 2
    assert f"+    drop(l->{other});" in repaired.patch
