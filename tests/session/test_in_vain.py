"""A crash that no edit of its function helps: what went through there was made wrong before."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from played_session import Played
from sanitized import plain, printed, sanitized

from wolverine.session import results

MATCHES = """\
#include <stdio.h>
#include <stdlib.h>
struct match { int winner; struct match *upper, *lower; };
static struct match *drawn(char **names, int from, int to)
{
    struct match *m;
    if (from >= to)
        return NULL;
    m = calloc(1, sizeof *m);
    if (to - from == 1) {
        m->winner = atoi(names[from]);
        if (m->winner > 0)
            return m;
        free(m);
        return NULL;
    }
    m->upper = drawn(names, from, (from + to) / 2);
    m->lower = drawn(names, (from + to) / 2, to);
    if (m->upper == NULL || m->lower == NULL) {
        struct match *rest = m->upper != NULL ? m->upper : m->lower;
        free(m);
        return rest;
    }
    return m;
}
static int played(struct match *m)
{
    int upper, lower;
    if (m->winner == 0) {
        upper = played(m->upper);
        lower = played(m->lower);
        m->winner = m->upper->winner > m->lower->winner ? upper : lower;
    }
    return m->winner;
}
static void forget(struct match *m)
{
    if (m == NULL)
        return;
    forget(m->upper);
    forget(m->lower);
    free(m);
}
int main(int argc, char **argv)
{
    struct match *m = drawn(argv, 1, argc);
    if (m == NULL)
        return 1;
    printf("%d\\n", played(m));
    forget(m);
    return 0;
}
"""
RIGHT = "m->upper == NULL || m->lower == NULL"


def test_repairs_are_looked_for_where_it_was_made(play: Callable[..., Played], tmp_path: Path) -> None:
    assert MATCHES.count(RIGHT) == 1
    session = play(MATCHES.replace(RIGHT, RIGHT.replace("||", "&&")), arguments=("4", "0", "7", "2"))
    session(f"run\nrepair --no-question\nrewrite {tmp_path / 'out.c'}")
    assert any(
        "begins in main, further out" in each.text for each in session.heard if isinstance(each, results.Note)
    )
    (tmp_path / "right.c").write_text(MATCHES)
    right, mended = plain(tmp_path / "right.c"), sanitized(tmp_path / "out.c")
    for arguments in ("4 0 7 2", "0 0 3", "5", "1 2 3 4 5", "0 6 0 7", "0 0"):
        assert printed(mended, arguments) == printed(right, arguments), arguments
