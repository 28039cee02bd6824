"""A new node is given no element of its array of links, which is gone through then."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

RADIX = """\
#include <stdio.h>
#include <stdlib.h>
struct level { int height; int value; struct level *slot[4]; };
static struct level *top;
static struct level *make(int height)
{
    struct level *l = calloc(1, sizeof *l);
    l->height = height;
    return l;
}
static struct level *leftmost(void)
{
    struct level *l = top;
    while (l->height > 0)
        l = l->slot[0];
    return l;
}
static void grow(void)
{
    struct level *above = make(top->height + 1);
    above->slot[0] = top;
    top = above;
}
int main(void)
{
    top = make(0);
    top->value = 7;
    for (int i = 0; i < 3; i++)
        grow();
    printf("%d\\n", leftmost()->value);
    while (top != NULL) {
        struct level *below = top->slot[0];
        free(top);
        top = below;
    }
    return 0;
}
"""


def test_an_element_that_other_functions_name_is_set(play: Callable[..., Played]) -> None:
    session = play(RADIX.replace("    above->slot[0] = top;\n", ""), json=False)
    session("break leftmost; run; change n2->slot[0] n1; change n3->slot[0] n2; change n4->slot[0] n3")
    session("repair --no-question")
    assert "+    above->slot[0] = top;" in session.last(results.Repaired).patch
