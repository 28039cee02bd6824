"""Structs that are passed by value although something in them was never set, which C allows."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

PROGRAM = """\
#include <stdlib.h>
struct node { int d; struct node *next; };
struct edge { int from, to, weight; };
static void del(struct node **head) {
    free(*head);
}
static void drop(struct node **heads, struct edge e) {
    del(&heads[e.from]);
    heads[e.to] = NULL;
}
int main(void) {
    struct node *heads[2] = {0};
    heads[0] = malloc(sizeof(struct node));
    heads[0]->next = NULL;
    struct edge e;
    e.from = 0;
    e.to = 1;
    drop(heads, e);
    return 0;
}
"""


def test_the_execution_is_repeated_from_where_they_were_given(play: Callable[..., Played]) -> None:
    session = play(PROGRAM)
    session("break del; run; finish; change heads[0] NULL; repair")
    assert session.last(results.Repaired).applied == "native"
