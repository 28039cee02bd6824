"""A counted node that is used after it was freed was not counted somewhere, or given back too often."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import best, crash

from wolverine.repair.menus.wording import describe

SHELF = """\
#include <stdlib.h>
struct tape { int minutes, loans; };
struct slot { struct tape *tape; struct slot *below; };
static struct tape *tape(int minutes)
{
    struct tape *t = malloc(sizeof *t);
    t->minutes = minutes;
    t->loans = 1;
    return t;
}
LEND
static void take_back(struct tape *t)
{
    t->loans--;
    if (t->loans == 0)
        free(t);
}
static struct slot *shelve(struct slot *below, struct tape *t)
{
    struct slot *s = malloc(sizeof *s);
    STORE
    s->below = below;
    return s;
}
static struct slot *clear(struct slot *s)
{
    struct slot *below = s->below;
    take_back(s->tape);
    free(s);
    return below;
}
int main(void)
{
    struct slot *top = NULL;
    struct tape *live = tape(40);
    top = shelve(top, live);
    top = shelve(top, live);
    take_back(live);
    MORE
    while (top != NULL)
        top = clear(top);
    return 0;
}
"""
LEND = "static struct tape *lend(struct tape *t) { t->loans++; return t; }"


@pytest.mark.parametrize(
    ("lend", "store", "more", "found"),
    [
        (LEND, "s->tape = t;", "", "lend(t)"),  # nobody calls it so far
        ("", "s->tape = t;", "", "t->loans = t->loans + 1"),
        (LEND, "s->tape = lend(t);", "take_back(live);", "take_back(live)"),
    ],
    ids=["not counted", "counted by hand", "given back twice"],
)
def test_the_count_is_made_right(lend: str, store: str, more: str, found: str, tmp_path: Path) -> None:
    source = SHELF.replace("LEND", lend).replace("STORE", store).replace("MORE", more)
    problem = crash(source, "main", tmp_path, strict=True)
    candidate = best(problem)
    [edit] = candidate.patch.edits
    location = problem.program.location(edit.location)
    if more:
        assert (location.function, location.text) == ("main", found)
    else:
        assert location.function == "shelve"
        assert describe(problem.program, candidate.patch).endswith(found)
