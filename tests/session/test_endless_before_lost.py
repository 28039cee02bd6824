"""A list is closed to a ring, which cuts its end off: the loop without an end comes before what is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from played_session import Played
from sanitized import printed, sanitized

from wolverine.session import results

CARS = """\
#include <stdio.h>
#include <stdlib.h>
struct car { int seats; struct car *behind; };
int main(void)
{
    struct car *train = NULL;
    for (int i = 1; i <= 3; i++) {
        struct car *c = malloc(sizeof *c);
        c->seats = i;
        c->behind = train;
        train = c;
    }
    train->behind->behind = train;
    int seats = 0;
    for (struct car *c = train; c != NULL; c = c->behind)
        seats += c->seats;
    printf("%d\\n", seats);
    return 0;
}
"""


def test_the_loop_is_what_is_repaired(play: Callable[..., Played], tmp_path: Path) -> None:
    session = play(CARS, json=False)
    out = tmp_path / "out.c"
    session(f"set step-budget 0.4; run; repair --no-question --line 13; rewrite {out}")
    assert "the loop goes round and round" in session.texts()
    assert "goes on to its end" not in session.texts()
    assert len(session.last(results.Repaired).edits) == 1
    status, text = printed(sanitized(out))
    assert status == 0 and text.strip().isdigit()
