"""Two faults in two functions, each shown by a picture of its own, repaired together."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from played_session import Played
from sanitized import plain, printed, sanitized

STRIPS = """\
#include <stdio.h>
#include <stdlib.h>
struct strip { int from, width, owner; struct strip *left, *right; };
static struct strip *field;
static int owners;
static void halve(struct strip *s, int width)
{
    struct strip *other = malloc(sizeof *other);
    other->from = s->from + width;
    other->width = s->width - width;
    other->owner = 0;
    other->left = s;
    other->right = s->right;
    if (other->right != NULL)
        other->right->left = other;
    s->right = other;
    s->width = width;
}
static void swallow(struct strip *s)
{
    struct strip *gone = s->right;
    s->width += gone->width;
    s->right = gone->right;
    if (gone->right != NULL)
        gone->right->left = s;
    free(gone);
}
static void lease(int width)
{
    struct strip *s = field;
    while (s != NULL && (s->owner != 0 || s->width < width))
        s = s->right;
    if (s == NULL)
        return;
    if (s->width > width)
        halve(s, width);
    s->owner = ++owners;
}
static void end_lease(int owner)
{
    struct strip *s = field;
    while (s != NULL && s->owner != owner)
        s = s->right;
    if (s == NULL)
        return;
    s->owner = 0;
    if (s->right != NULL && s->right->owner == 0)
        swallow(s);
    if (s->left != NULL && s->left->owner == 0)
        swallow(s->left);
}
int main(int argc, char **argv)
{
    struct strip *last = NULL;
    field = calloc(1, sizeof *field);
    field->width = 50;
    for (int i = 1; i < argc; i++)
        if (atoi(argv[i]) < 0)
            end_lease(-atoi(argv[i]));
        else
            lease(atoi(argv[i]));
    for (struct strip *s = field; s != NULL; s = s->right) {
        printf("%d+%d:%d ", s->from, s->width, s->owner);
        last = s;
    }
    while (last != NULL) {
        struct strip *gone = last;
        last = gone->left;
        printf("%d ", gone->from);
        free(gone);
    }
    return 0;
}
"""
FORGOTTEN = """    if (gone->right != NULL)
        gone->right->left = s;
"""


@pytest.mark.thorough
def test_the_second_is_put_under_the_test_that_it_needs(play: Callable[..., Played], tmp_path: Path) -> None:
    wrong = STRIPS.replace("other->right->left = other;", "other->right->left = s;").replace(FORGOTTEN, "")
    assert len(wrong) < len(STRIPS) - len(FORGOTTEN)
    session = play(wrong, arguments=("9", "12", "3", "-1", "5", "-2"), work=None)
    session("tbreak halve if s->right != 0\nrun\nfinish\nchange n2->left n5\nspec")
    session("tbreak swallow\ncontinue\nfinish\nchange n3->left n5\nspec")
    session(f"repair --no-question\nrewrite {tmp_path / 'out.c'}")
    (tmp_path / "right.c").write_text(STRIPS)
    right, mended = plain(tmp_path / "right.c"), sanitized(tmp_path / "out.c")
    for arguments in ("9 12 3 -1 5 -2", "10 20 -1 5 -2", "9 12 -2 -1 4", "5 5 5 -3 -1 -2", "7 -1 7 7 -3"):
        assert printed(mended, arguments) == printed(right, arguments), arguments
