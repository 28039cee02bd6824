"""A repair that calls another function: what was executed is followed through that one."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

CUPS = """\
#include <stdlib.h>
struct cup { int tea, milk; };
static void drain(struct cup *c)
{
    c->tea = 0;
}
static void pour(struct cup *c)
{
    c->tea++;
    if (c->tea > 3) {
        c->tea = 3;
        c->milk = 0;
    } else {
        c->milk += 2;
    }
}
int main(void)
{
    struct cup *c = calloc(1, sizeof *c);
    pour(c);
    drain(c);
    int left = c->tea + c->milk;
    if (left == 0)
        drain(c);
    free(c);
    return left;
}
"""


def test_a_longer_function_in_the_place_of_a_call(play: Callable[..., Played]) -> None:
    session = play(CUPS)
    session("break 22\nrun\nchange c->tea 2\nchange c->milk 4\nspec\nrepair --no-question\ncontinue")
    assert [edit.after for edit in session.last(results.Repaired).edits] == ["pour(c)"]
    assert session.last(results.Exited).code == 6
