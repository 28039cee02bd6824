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
