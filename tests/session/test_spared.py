"""What somebody put back in a node is not to be set in others; of equal ways the shorter comes first."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

BEADS = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct bead { struct bead *left, *right; long *weight; };
static struct bead *bead(void)
{
    struct bead *b = malloc(sizeof *b);
    b->weight = malloc(sizeof *b->weight);
    *b->weight = 0;
    b->left = b->right = b;
    return b;
}
static void link(struct bead *first, struct bead *b)
{
    b->left = first;
    b->right = first->right;
    first->right->left = b;
    first->right = b;
}
static struct bead *thread(struct bead *first, const long *weight)
{
    if (first == NULL)
        return NULL;
    link(first, bead());
    STORED
    return first->right;
}
int main(void)
{
    long weights[] = { 5, 8, 3 };
    struct bead *first = bead(), *b;
    *first->weight = 1;
    for (int i = 0; i < 3; i++)
        first = thread(first, &weights[i]);
    for (b = first->left; b != first; b = b->left)
        printf("%ld ", *b->weight);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("stored", "repaired"),
    [
        (
            "memcpy(first->right->left->weight, weight, sizeof *weight);",
            "memcpy(first->right->weight, weight, sizeof *weight);",
        ),
        ("*first->right->left->weight = *weight;", "*first->right->weight = *weight;"),
    ],
)
def test_the_number_of_another_node_is_spared(
    play: Callable[..., Played], stored: str, repaired: str
) -> None:
    session = play(BEADS.replace("STORED", stored), json=False)
    # n1 is the first bead, and n2 its weight; n3 with n4 is threaded in front of it
    session(
        "break thread\nrun\nnext 3\nchange *n1->weight 1\nchange *n3->weight 5\nspec\nrepair --no-question"
    )
    assert f"+    {repaired}" in session.last(results.Repaired).patch
