"""What was accepted in one function is offered for the one that is the same with names exchanged."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

ROTATED = """\
#include <stdlib.h>
struct node { int key; struct node *left, *right, *up; };
struct node *turn_left(struct node *at) {
    struct node *up = at->up;
    struct node *below = at->right;
    at->right = below->left;
    at->up = below;
    below->left = at;
    below->up = up;
    return below;
}
struct node *turn_right(struct node *at) {
    struct node *up = at->up;
    struct node *below = at->left;
    at->left = below->right;
    at->up = below;
    below->right = at;
    below->up = up;
    return below;
}
struct node *put(struct node *at, int key) {
    if (at == NULL) {
        at = calloc(1, sizeof *at);
        at->key = key;
    } else if (key < at->key) {
        at->left = put(at->left, key);
        at->left->up = at;
    } else {
        at->right = put(at->right, key);
        at->right->up = at;
    }
    return at;
}
int main(void) {
    int keys[] = { 20, 10, 30, 25, 40 };
    struct node *root = NULL;
    for (int i = 0; i < 5; i++)
        root = put(root, keys[i]);
    root = turn_left(root);
    root = turn_right(root);
    root = turn_left(root);
    return root->key;
}
"""


def test_the_same_is_lacking_in_the_mirror_image(play: Callable[..., Played]) -> None:
    session = play(ROTATED)
    session("break turn_left; run; next 6; change n4->up n1; spec; repair --no-question")
    assert added(session) == ["if (below->left != NULL)", "below->left->up = at;"]
    session("delete; break turn_right; continue; next 6; change n4->up n3; spec; repair --no-question")
    assert session.last(results.Repaired).candidates == 1
    assert added(session)[2:] == ["if (below->right != NULL)", "below->right->up = at;"]


def added(session: Played) -> list[str]:
    """The lines that the patch in force adds."""
    lines = session.last(results.Repaired).patch.splitlines()
    return [line[1:].strip() for line in lines if line.startswith("+") and not line.startswith("+++")]
