"""Of edits that do the same on all heaps, what leaves an operation out comes before what reckons anew."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

HALVES = """\
#include <stdlib.h>
enum { HALF = 2 };
struct page { int n, items[4]; struct page *next; };
static struct page *split(struct page *p)
{
    struct page *q = calloc(1, sizeof *q);
    int i;
    for (i = 0; i < HALF - 1; i++)
        q->items[i] = p->items[i + HALF + 1];
    q->n = HALF;
    p->n = HALF;
    q->next = p->next;
    p->next = q;
    return q;
}
int main(void)
{
    struct page first = { 4, { 1, 3, 5, 7 }, NULL };
    return split(&first)->n;
}
"""


def test_what_leaves_an_operation_out_comes_first(play: Callable[..., Played]) -> None:
    session = play(HALVES)
    session("break split; run; finish; change first.next->items[0] 5; spec; repair --no-question")
    [edit] = session.last(results.Repaired).edits
    assert edit.after == "q->items[i] = p->items[i + HALF]"
