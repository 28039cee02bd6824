"""What `localize` says where no executed statement wrote what differs."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

PROGRAM = """\
#include <stdlib.h>
struct node { struct node *next, *prev; } *first;
void push(struct node *n)
{
    n->next = first;
    first = n;
}
int main(void)
{
    push(calloc(1, sizeof *first));
    push(calloc(1, sizeof *first));
    return 0;
}
"""


def test_a_statement_may_be_missing_where_a_picture_was_corrected(play: Callable[..., Played]) -> None:
    session = play(PROGRAM)
    session("break push; run; continue; finish; change n1->prev n2; localize")
    assert "one may be missing" in session.last(results.Localized).explanation
