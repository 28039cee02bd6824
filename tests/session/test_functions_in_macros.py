"""A function that a macro stands for: nothing in it can be edited, and that is said."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.errors import CommandError
from wolverine.session import results

STACK = """\
#include <stdlib.h>
#define STACK(name, kind) \\
    struct name { kind v; struct name *next; }; \\
    static kind name##_top(struct name *s) \\
    { \\
        while (s->v == 0) \\
            s = s->next; \\
        return s->v; \\
    }
STACK(numbers, int)
int main(void)
{
    struct numbers *s = calloc(1, sizeof *s);
    int v = numbers_top(s);
    free(s);
    return v;
}
"""


def test_what_crashes_in_one_is_said_to_have_no_place(play: Callable[..., Played]) -> None:
    session = play(STACK)
    session("run")
    assert session.last(results.Signalled).line == 10
    with pytest.raises(CommandError, match="all of numbers_top comes out of the macro at line 10"):
        session("repair")


TAKING = """\
#include <stdlib.h>
struct n { struct n *l, *r; int k; };
#define TAKING(name) struct n *name(struct n *e) \\
{ \\
    struct n *child; \\
    int kept; \\
    if (e->l == NULL) child = e->r; \\
    else if (e->r == NULL) child = e->l; \\
    else { child = e; goto done; } \\
    kept = e->k; \\
    if (child) child->k = kept; \\
done: \\
    return child; \\
}
TAKING(take)
int main(void)
{
    struct n *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
    a->r = b;
    b = take(a);
    free(a);
    free(b);
    return 0;
}
"""


def test_its_jumps_are_followed(play: Callable[..., Played]) -> None:
    session = play(TAKING)
    session("run")
    assert not [each for each in session.heard if isinstance(each, (results.Note, results.ConcreteStep))]


def test_a_breakpoint_in_one_stops_where_its_parameters_have_values(play: Callable[..., Played]) -> None:
    session = play(TAKING)
    session("break take")
    session("run")
    assert session.places()["take::e"] == "n1"
