"""Who corrects one of several wrong links has said enough."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from played_session import Played
from sanitized import plain, printed, sanitized

TABS = """\
#include <stdio.h>
#include <stdlib.h>
struct tab { int page; struct tab *newer, *older, *beside; };
struct window { struct tab *end, *rows[3]; int open; };
struct tab *make(int page)
{
    struct tab *t = calloc(1, sizeof *t);
    t->page = page;
    t->newer = t->older = t;
    return t;
}
void append(struct tab *end, struct tab *t)
{
    t->newer = end;
    t->older = end->older;
    end->older->newer = t;
    end->older = t;
}
void visit(struct window *w, int page)
{
    struct tab **row = &w->rows[page % 3], *t;
    while (*row != NULL && (*row)->page != page)
        row = &(*row)->beside;
    t = *row;
    if (t != NULL) {
        t->newer->older = t->older;
        t->older->newer = t->newer;
    } else {
        t = *row = make(page);
        w->open++;
    }
    append(w->end, t);
    printf("%d open\\n", w->open);
}
int main(int argc, char **argv)
{
    struct window w = {0};
    w.end = make(-1);
    for (int i = 1; i < argc; i++)
        visit(&w, atoi(argv[i]));
    for (struct tab *t = w.end->newer; t != w.end; t = t->newer)
        printf("%d ", t->page);
    for (struct tab *t = w.end->older; t != w.end; t = t->older)
        printf("%d ", t->page);
    while (w.end->newer != w.end) {
        struct tab *t = w.end->newer;
        w.end->newer = t->newer;
        free(t);
    }
    free(w.end);
    return 0;
}
"""
RIGHT = """\
    t->older = end->older;
    end->older->newer = t;
    end->older = t;
"""
WRONG = """\
    end->older = t;
    t->older = end->older;
    end->older->newer = t;
"""


def test_the_other_links_of_a_ring_are_not_taken_for_right(
    play: Callable[..., Played], tmp_path: Path
) -> None:
    assert TABS.count(RIGHT) == 1
    session = play(TABS.replace(RIGHT, WRONG), arguments=("5", "7", "2", "5"))
    session("break append\nrun\nfinish\nchange n2->older n1")  # n1->newer and n2->newer are wrong as well
    session(f"repair --no-question\nrewrite {tmp_path / 'out.c'}")
    (tmp_path / "right.c").write_text(TABS)
    right, mended = plain(tmp_path / "right.c"), sanitized(tmp_path / "out.c")
    for arguments in ("", "4", "4 4", "1 2 3", "3 6 9 6", "8 1 1 8 5 2"):
        assert printed(mended, arguments) == printed(right, arguments), arguments
