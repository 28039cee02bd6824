"""A link back that one node lacks: the crash by it comes later, and elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from played_session import Played
from sanitized import plain, printed, sanitized

from wolverine.session import results

PAGES = """\
#include <stdio.h>
#include <stdlib.h>
struct page { int number; struct page *later, *earlier; };
struct book { struct page *cover, *open; };
static struct page *blank(int number)
{
    struct page *p = calloc(1, sizeof *p);
    p->number = number;
    return p;
}
static void insert(struct page *after, int number)
{
    struct page *p = blank(number);
    p->later = after->later;
    p->earlier = after;
    if (p->later != NULL)
        p->later->earlier = p;
    after->later = p;
}
static void leaf(struct book *b, int steps)
{
    for (; steps > 0 && b->open->later != NULL; steps--)
        b->open = b->open->later;
    for (; steps < 0 && b->open != b->cover; steps++)
        b->open = b->open->earlier;
    printf("%d ", b->open->number);
}
int main(int argc, char **argv)
{
    struct book b = {blank(0), NULL};
    b.open = b.cover;
    for (int i = 1; i < argc; i++)
        if (argv[i][0] == '+' || argv[i][0] == '-')
            leaf(&b, atoi(argv[i]));
        else
            insert(b.open, atoi(argv[i]));
    while (b.cover != NULL) {
        struct page *p = b.cover;
        b.cover = p->later;
        free(p);
    }
    return 0;
}
"""
FORGOTTEN = "    p->earlier = after;\n"


@pytest.mark.thorough
def test_what_made_the_node_is_repaired(play: Callable[..., Played], tmp_path: Path) -> None:
    assert PAGES.count(FORGOTTEN) == 1
    session = play(PAGES.replace(FORGOTTEN, ""), arguments=("4", "5", "6", "+3", "-3"))
    session(f"run\nrepair --no-question\nrewrite {tmp_path / 'out.c'}")
    assert any("link back was null" in each.text for each in session.heard if isinstance(each, results.Note))
    (tmp_path / "right.c").write_text(PAGES)
    right, mended = plain(tmp_path / "right.c"), sanitized(tmp_path / "out.c")
    for arguments in ("4 5 6 +3 -2", "1 +1 2 +1 -2 3 +9 -1", "-1 1 +1 -1", "1 2 +1 -5 3 +2"):
        assert printed(mended, arguments) == printed(right, arguments), arguments
