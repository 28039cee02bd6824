"""Pointers that are kept as integers with a flag in their lowest bits."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.errors import CommandError
from wolverine.session import results

TAGGED = """\
#include <stdlib.h>
struct node { unsigned long up; struct node *left; };
static struct node *cut(struct node *n)
{
    struct node *p = (struct node *)(n->up & ~1ul);
    p->left = NULL;
    n->up &= 1;
    return p;
}
int main(void)
{
    struct node *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
    a->left = b;
    b->up = (unsigned long)a | 1;
    if (cut(b)->left != NULL)
        return 1;
    free(b);
    free(a);
    return 0;
}
"""


def test_what_goes_through_one_is_not_told_to_lead_to_nothing(play: Callable[..., Played]) -> None:
    session = play(TAGGED)
    session("break cut")
    session("run")
    session("finish")
    assert not [
        each for each in session.heard if isinstance(each, results.Note) and "dereferenced" in each.text
    ]
    assert session.fields("n1")["left"] is None
    assert session.fields("n2")["up"] == 1


def test_a_pointer_in_the_place_of_an_integer_is_refused_with_what_to_do(play: Callable[..., Played]) -> None:
    session = play(TAGGED)
    session("break cut")
    session("run")
    with pytest.raises(
        CommandError, match=r"an unsigned long, and &n1->left leads somewhere: .*set variable"
    ):
        session("change n2->up &n1->left")
