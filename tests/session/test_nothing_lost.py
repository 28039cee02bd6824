"""A rotation that makes a tree endless: the nodes that hang in between are not lost either."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

TREE = """\
#include <stdio.h>
#include <stdlib.h>
struct tree { int key; struct tree *left, *right; };
static struct tree *raise(struct tree *x)
{
    struct tree *y = x->right;

    y->left = x;
    return y;
}
static struct tree *put(struct tree *t, int key)
{
    if (t == NULL) {
        t = malloc(sizeof *t);
        t->key = key;
        t->left = t->right = NULL;
    } else if (key < t->key)
        t->left = put(t->left, key);
    else
        t->right = put(t->right, key);
    return t;
}
static void show(struct tree *t)
{
    if (t != NULL) {
        show(t->left);
        printf("%d ", t->key);
        show(t->right);
    }
}
static void done(struct tree *t)
{
    if (t != NULL) {
        done(t->left);
        done(t->right);
        free(t);
    }
}
int main(int argc, char **argv)
{
    struct tree *root = NULL;
    for (int i = 1; i < argc; i++)
        root = put(root, atoi(argv[i]));
    show(root);
    if (root != NULL && root->right != NULL)
        root = raise(root);
    show(root);
    done(root);
    return 0;
}
"""


@pytest.mark.thorough
def test_who_frees_nodes_does_not_lose_them(play: Callable[..., Played]) -> None:
    """Nothing hangs there in this run, and null is nearer; to do nothing (`y = x`) would be as near."""
    session = play(TREE, arguments=("1", "2", "3"))
    session("run\nrepair --no-question --function raise")
    repaired = session.last(results.Repaired)
    assert [edit.after.strip() for edit in repaired.edits] == ["x->right = y->left;"]
