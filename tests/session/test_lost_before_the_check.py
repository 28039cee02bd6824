"""An assertion fails that counts nodes, of which some were lost: what was printed then is wrong, too."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

DEALT = """\
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
struct card { int suit; struct card *under; };
static struct card *on(struct card *under, int suit)
{
    struct card *c = malloc(sizeof *c);
    c->suit = suit;
    c->under = under;
    return c;
}
static struct card *shuffled(struct card *one, struct card *other)
{
    struct card pack, *c = &pack;
    while (one && other) {
        c->under = one;
        one = one->under;
        c = c->under;
        c->under = other;
        other = other->under;
        c = c->under;
    }
    c->under = one;
    return pack.under;
}
int main(void)
{
    struct card *pack = shuffled(on(NULL, 1), on(on(on(on(NULL, 5), 4), 3), 2));
    int all = 0;
    for (struct card *c = pack; c; c = c->under) {
        printf("%d ", c->suit);
        all++;
    }
    while (pack) {
        struct card *c = pack->under;
        free(pack);
        pack = c;
    }
    assert(all == 5);
    return 0;
}
"""


@pytest.mark.thorough
def test_what_was_lost_is_kept_rather_than_counted_all_the_same(play: Callable[..., Played]) -> None:
    session = play(DEALT, work=None)
    session("run; repair --no-question")
    (edit,) = session.last(results.Repaired).edits
    assert 14 <= edit.line <= 24
    assert "other" in edit.after
    session("continue")
    assert session.last(results.Exited).code == 0
