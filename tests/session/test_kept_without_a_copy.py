"""A pointer to a text is kept, and freed later on: a copy was to be kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sanitized import plain, printed, sanitized

BOATS = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct boat { int berth; char *name; struct boat *next; };
static struct boat *harbour;
static void moor(char *name, int berth)
{
    struct boat *b = malloc(sizeof *b);
    b->berth = berth;
    b->name = NAME;
    b->next = harbour;
    harbour = b;
}
static int cast_off(const char *name)
{
    struct boat **at;
    for (at = &harbour; *at != NULL; at = &(*at)->next)
        if (strcmp((*at)->name, name) == 0) {
            struct boat *gone = *at;
            int berth = gone->berth;
            *at = gone->next;
            free(gone->name);
            free(gone);
            return berth;
        }
    return -1;
}
int main(int argc, char **argv)
{
    char name[8];
    for (int i = 1; i < argc; i++) {
        strncpy(name, argv[i] + 1, 7);
        name[7] = 0;
        if (argv[i][0] == '+')
            moor(name, i);
        else
            printf("%d\\n", cast_off(name));
    }
    for (struct boat *b = harbour; b != NULL; b = harbour) {
        printf("%s %d\\n", b->name, b->berth);
        harbour = b->next;
        free(b->name);
        free(b);
    }
    return 0;
}
"""
OTHERS = ("", "+a", "-a", "+a +b -a", "+a +b +c -b -d -c", "+a +a -a -a -a")


@pytest.mark.thorough
def test_a_copy_is_kept(play: Callable[..., Any], tmp_path: Path) -> None:
    session = play(BOATS.replace("NAME", "name"), arguments=["+a", "-a"])
    session(f"run\nrepair --no-question\nrewrite {tmp_path / 'out.c'}")
    assert "was kept before cast_off began" in session.texts()
    (tmp_path / "right.c").write_text(BOATS.replace("NAME", "strdup(name)"))
    good, mended = plain(tmp_path / "right.c"), sanitized(tmp_path / "out.c")
    for each in ("+a -a", *OTHERS):
        assert printed(mended, each) == printed(good, each), each
