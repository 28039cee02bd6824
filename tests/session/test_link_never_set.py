"""A link that the program follows and sets nowhere: what is missing where it is null sets it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

OFFICES = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct office { char name[16]; struct office *above, *below, *beside; };
static struct office *opened(const char *name)
{
    struct office *o = calloc(1, sizeof *o);
    strcpy(o->name, name);
    return o;
}
static struct office *found(struct office *o, const char *name)
{
    if (o == NULL || strcmp(o->name, name) == 0)
        return o;
    struct office *in = found(o->below, name);
    return in != NULL ? in : found(o->beside, name);
}
static void attach(struct office *o, struct office *new)
{
    struct office *last = o->below;
    new->above = o;
    while (last->beside)
        last = last->beside;
    last->beside = new;
}
static void show(struct office *o, int depth)
{
    for (; o; o = o->beside) {
        printf("%d%s ", depth, o->name);
        show(o->below, depth + 1);
    }
}
int main(int argc, char **argv)
{
    struct office *top = opened("top");
    for (int i = 1; i + 1 < argc; i += 2) {
        struct office *o = found(top, argv[i]);
        if (o != NULL)
            attach(o, opened(argv[i + 1]));
    }
    show(top, 0);
    return 0;
}
"""


@pytest.mark.thorough
def test_the_empty_case_sets_the_link_that_nothing_sets(play: Callable[..., Played]) -> None:
    session = play(OFFICES, arguments=("top", "a", "top", "b", "a", "c"), json=False)
    session("run; repair --no-question; continue")
    [edit] = session.last(results.Repaired).edits
    assert "o->below = new" in edit.after
    assert "return" in edit.after
    assert session.last(results.Exited).code == 0
