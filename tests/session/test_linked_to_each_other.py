"""A list goes round because two statements link two nodes to each other."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

DECK = """\
#include <stdio.h>
#include <stdlib.h>
struct card { int value; struct card *next; };
struct deck { struct card top; struct card *at; int cards; };
static struct deck deck;
static void insert(struct card *before, int value)
{
    struct card *c = malloc(sizeof(struct card));
    c->value = value;
    c->next = before->next;
    before->next = c;
    deck.at = c;
    deck.cards++;
}
static int sum(void)
{
    int sum = 0;
    for (struct card *c = deck.top.next; c != NULL; c = c->next)
        sum += c->value;
    return sum;
}
int main(void)
{
    deck.at = &deck.top;
    insert(deck.at, 2);
    insert(deck.at, 3);
    insert(&deck.top, 4);
    printf("%d of %d\\n", sum(), deck.cards);
    return 0;
}
"""


@pytest.mark.thorough
def test_one_of_them_leads_on(play: Callable[..., Played]) -> None:
    session = play(DECK.replace("c->next = before->next;", "c->next = before;"), json=False)
    session("set step-budget 1; run; repair --no-question")
    [edit] = session.last(results.Repaired).edits
    assert edit.after == "c->next = before->next"
