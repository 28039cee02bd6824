"""What was executed before the picture that is corrected came out right, and does so under a repair."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from played_session import Played
from sanitized import plain, printed, sanitized

TEAMS = """\
#include <stdio.h>
#include <stdlib.h>
struct player { int strength; struct player *mate, *led; };
struct player *led_by(struct player *one, struct player *two)
{
    struct player *stronger = one;
    if (one == NULL)
        return two;
    if (two == NULL)
        return one;
    if (two->strength > one->strength) {
        stronger = two;
        two = one;
    }
    two->mate = stronger->led;
    stronger->led = two;
    return stronger;
}
struct player *regroup(struct player *bench)
{
    struct player *best = NULL;
    while (bench != NULL) {
        struct player *one = bench, *two = one->mate;
        bench = NULL;
        if (two != NULL) {
            bench = two->mate;
            two->mate = NULL;
        }
        one->mate = NULL;
        best = led_by(best, led_by(one, two));
    }
    return best;
}
void show(struct player *p)
{
    for (; p != NULL; p = p->mate) {
        printf("%d(", p->strength);
        show(p->led);
        printf(")");
    }
}
int main(int argc, char **argv)
{
    struct player *team = NULL;
    for (int i = 1; i < argc; i++) {
        struct player *p = calloc(1, sizeof *p);
        p->strength = atoi(argv[i]);
        team = led_by(team, p);
    }
    while (team != NULL) {
        struct player *gone = team;
        team = regroup(team->led);
        printf("%d ", gone->strength);
        free(gone);
        show(team);
        printf("\\n");
    }
    return 0;
}
"""
FORGOTTEN = "            two->mate = NULL;\n"


@pytest.mark.thorough
def test_what_other_calls_came_to_is_not_spoilt(play: Callable[..., Played], tmp_path: Path) -> None:
    assert TEAMS.count(FORGOTTEN) == 1
    session = play(TEAMS.replace(FORGOTTEN, ""), arguments=("9", "3", "6", "5", "4"))
    session("break regroup\nrun\nnext 8\nchange n4->mate null\nspec")
    session(f"repair --no-question\nrewrite {tmp_path / 'out.c'}")
    (tmp_path / "right.c").write_text(TEAMS)
    right, mended = plain(tmp_path / "right.c"), sanitized(tmp_path / "out.c")
    for arguments in ("9 3 6 4 5", "1 2 3 4 5 6", "7 7 7", "5 4 3 2 1", "2 9 4 8 1 7 3"):
        assert printed(mended, arguments) == printed(right, arguments), arguments
