"""`return f(x);` that should go on: in the process, and in the source."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from played_session import Played
from sanitized import printed, sanitized

from wolverine.session import results

TREE = """\
#include <stdio.h>
#include <stdlib.h>
struct tree { int key; struct tree *left, *right; };
struct tree *add(struct tree *t, int key)
{
    if (t == NULL) {
        t = calloc(1, sizeof *t);
        t->key = key;
    } else if (key < t->key)
        t->left = add(t->left, key);
    else
        t->right = add(t->right, key);
    return t;
}
void twice(struct tree *t)
{
    if (t == NULL)
        return;
    t->key *= 2;
    return twice(t->left);
    twice(t->right);
}
void drop(struct tree *t)
{
    if (t == NULL)
        return;
    drop(t->left);
    drop(t->right);
    printf("%d ", t->key);
    free(t);
}
int main(int argc, char **argv)
{
    struct tree *root = NULL;
    for (int i = 1; i < argc; i++)
        root = add(root, atoi(argv[i]));
    twice(root);
    drop(root);
    return 0;
}
"""


@pytest.mark.thorough
def test_a_call_that_a_function_must_not_end_with(play: Callable[..., Played], tmp_path: Path) -> None:
    session = play(TREE, arguments=("5", "3", "8"))
    out = tmp_path / "out.c"
    session("break twice\nrun\ndelete 1\nfinish")
    session(f"change n3->key 16\nrepair --no-question\nrewrite {out}")
    repaired = session.last(results.Repaired)
    [edit] = repaired.edits
    assert (edit.kind, edit.before, edit.after) == ("change", "return twice(t->left)", "twice(t->left)")
    assert repaired.applied == "native"
    session("continue")
    assert session.output() == "6 16 10 "
    assert "    twice(t->left);\n    twice(t->right);\n" in out.read_text()
    assert printed(sanitized(out), "4 2 6 1 7") == (0, "2 4 14 12 8 ")
