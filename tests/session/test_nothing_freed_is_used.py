"""A repair that reads what has just been freed meets what is asserted, since the process survives it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from played_session import Played
from sanitized import plain, printed, sanitized

SHELF = """\
#include <stdio.h>
#include <stdlib.h>
struct box { int size; struct box *behind; };
static struct box *front;
static void put(int size)
{
    struct box *b = malloc(sizeof *b);
    b->size = size;
    b->behind = front;
    front = b;
}
static int take(void)
{
    struct box *b = front;
    int size = b->size;
    front = b->behind;
    free(b);
    return size;
}
int main(int argc, char **argv)
{
    int sum = 0;
    for (int i = 1; i < argc; i++)
        put(atoi(argv[i]));
    while (front != NULL)
        sum = sum * 10 + take();
    printf("%d\\n", sum);
    return 0;
}
"""
RIGHT = "    front = b->behind;\n    free(b);\n"
WRONG = "    free(b);\n    front = NULL;\n"


def test_what_reads_freed_memory_is_no_repair_where_two_edits_do_without(
    play: Callable[..., Played], tmp_path: Path
) -> None:
    assert SHELF.count(RIGHT) == 1
    session = play(SHELF.replace(RIGHT, WRONG), arguments=("4", "7", "2"))
    session("break take\nrun\ndelete 1\nbreak 18\ncontinue\nchange front n2\nspec")
    session(f"repair --no-question\nrewrite {tmp_path / 'out.c'}")
    (tmp_path / "right.c").write_text(SHELF)
    right, mended = plain(tmp_path / "right.c"), sanitized(tmp_path / "out.c")
    for arguments in ("4 7 2", "1", "", "1 2 3 4 5"):
        assert printed(mended, arguments) == printed(right, arguments), arguments
