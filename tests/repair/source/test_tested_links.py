"""A link that was copied, with the test of it, from the mirror image."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, best, program_of, words

from wolverine.repair.menus.wording import replacement_text
from wolverine.repair.source.tested_links import links_exchanged

TURN = """\
#include <stdlib.h>
struct leaf { int n; struct leaf *up, *less, *more; };
static struct leaf *root;
static void turn(struct leaf *x)
{
    struct leaf *y = x->up;
    y->more = x->less;
    if (x->more)
        x->more->up = y;
    x->less = y;
    y->up = x;
    x->up = NULL;
    root = x;
} // end
static struct leaf *leaf(int n, struct leaf *up)
{
    struct leaf *l = malloc(sizeof *l);
    l->n = n;
    l->up = up;
    l->less = l->more = NULL;
    return l;
}
int main(void)
{
    root = leaf(1, NULL);
    root->more = leaf(3, root);
    root->more->less = leaf(2, root->more);
    root->more->more = leaf(4, root->more);
    turn(root->more);
    return 0;
}
"""


def offered(text: str, folder: Path) -> list[set[str]]:
    program = program_of(text, folder)
    found = links_exchanged(program, program.functions["turn"])
    return [{replacement_text(edit.replacement).rstrip(";") for edit in edits} for edits in found]


@pytest.mark.parametrize(
    ("test", "wanted"),
    [
        ("if (x->more)", {"x->less", "x->less->up = y"}),
        ("if (y && x->more != NULL)", {"y && x->less != NULL", "x->less->up = y"}),
        ("if (y == NULL)\n        y = x;\n    else if (x->more)", {"x->less", "x->less->up = y"}),
    ],
)
def test_test_and_statement_change_together(test: str, wanted: set[str], tmp_path: Path) -> None:
    assert wanted in offered(TURN.replace("if (x->more)", test), tmp_path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("if (x->more)", "if (x->more == NULL)"),
        ("if (x->more)", "while (x->more)"),
        ("x->more->up = y;", "y->up = y;"),
        ("x->more->up = y;", "{ x->more->up = y; leaf(1, x->more); }"),
    ],
)
def test_not_where_something_else_names_the_link(old: str, new: str, tmp_path: Path) -> None:
    text = (
        TURN.replace(old, new, 1)
        .replace(
            "static struct leaf *root;", "struct leaf *leaf(int, struct leaf *);\nstatic struct leaf *root;"
        )
        .replace("static struct leaf *leaf", "struct leaf *leaf")
    )
    assert offered(text, tmp_path) == []


def test_the_mirror_image_is_adapted(tmp_path: Path) -> None:
    play = Play(program_of(TURN, tmp_path))
    play.enter_function("turn")
    play.to(14)
    play.change("n3->up", "n1")
    play.change("n4->up", "n2")
    play.spec()
    found = words(play.program, best(play.problem()))
    assert "x->less" in found and "x->less->up = y" in found, found
