"""Of places that are the same on all heaps the plain one comes before the way there and back."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

RING = """\
#include <stdio.h>
#include <stdlib.h>
struct seat { int guest; struct seat *prev, *next; };
struct table { struct seat *host; };
static void behind(struct seat *at, struct seat *s)
{
    s->prev = at;
    s->next = at->next;
    at->next->prev = s;
    at->next = s;
}
static void last(struct table *t, struct seat *s)
{
    if (t->host->next == s)
        return;
    behind(t->host->prev, s);
}
static void first(struct table *t, struct seat *s)
{
    if (t->host->next == s)
        return;
    behind(t->host->prev, s);
}
static struct seat *seat(int guest)
{
    struct seat *s = calloc(1, sizeof *s);
    s->guest = guest;
    return s;
}
int main(void)
{
    struct table t = { seat(0) };
    struct seat *s;
    t.host->prev = t.host->next = t.host;
    last(&t, seat(1));
    last(&t, seat(2));
    first(&t, seat(3));
    for (s = t.host->next; s != t.host; s = s->next)
        printf("%d ", s->guest);
    return 0;
}
"""
# the host is n1, the guests are n2, n3 and n4, which comes behind the host
CORRECTED = """\
break first
run
finish
change n1->next n4
change n4->prev n1
change n4->next n2
change n2->prev n4
change n3->next n1
change n1->prev n3
spec
repair --no-question"""


def test_the_plain_place_comes_first(play: Callable[..., Played]) -> None:
    session = play(RING, json=False)
    session(CORRECTED)
    assert "+    behind(t->host, s);" in session.last(results.Repaired).patch
