"""Two arguments of a call in the wrong order."""

from __future__ import annotations

from pathlib import Path

from playing import Play, program_of

from wolverine.core.patch import Repairs
from wolverine.frontend import check, emit
from wolverine.repair import search

JOIN = """\
#include <stdlib.h>
struct node { int data; struct node *left, *right; };
struct node *root;
struct node *join(int data, struct node *left, struct node *right)
{
    struct node *n = malloc(sizeof *n);
    n->data = data;
    n->left = left;
    n->right = right;
    return n;
}
void make(int data)
{
    struct node *low = join(data - 1, NULL, NULL), *high = join(data + 1, NULL, NULL);
    root = join(data, low, high);
}
int main()
{
    make(5);
    return 0;
}
"""


def test_one_change(tmp_path: Path) -> None:
    """Both are changed at once, and the source is right to the letter."""
    play = Play(program_of(JOIN.replace("low, high)", "high, low)"), tmp_path))
    play.enter_function("make")
    play.to(JOIN[: JOIN.index("int main")].count("\n"), "make")
    play.change("n3->left", "n1")
    play.change("n3->right", "n2")
    play.spec()
    answer = search(play.problem())
    assert isinstance(answer, Repairs)
    patch = answer.candidates[0].patch
    check(play.program, patch)
    assert emit(play.program, patch)[0].decode() == JOIN
