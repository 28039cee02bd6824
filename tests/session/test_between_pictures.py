"""What lies between a right picture and a corrected one comes before a chance elsewhere."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

BEADS = """\
#include <stdlib.h>
struct bead { int colour; struct bead *next, *prev; };
struct chain { struct bead *clasp, *held; };
static void thread(struct chain *c, int colour)
{
    struct bead *b = malloc(sizeof *b);
    b->colour = colour;
    if (c->clasp == NULL) {
        c->clasp = c->held = b->next = b->prev = b;
        return;
    }
    b->next = c->clasp;
    b->prev = c->clasp->prev;
    b->prev->next = b;
    c->clasp->prev = b;
}
static void pull(struct chain *c)
{
    struct bead *b = c->held;
    b->prev->next = b->next;
    b->next->prev = b->prev;
    c->held = b->next;
    free(b);
}
int main(void)
{
    struct chain *chain = calloc(1, sizeof *chain);
    for (int i = 1; i < 5; i++)
        thread(chain, i);
    chain->held = chain->held->next;
    pull(chain);
    chain->held = chain->held->prev;
    pull(chain);
    return 0;
}
"""


def test_a_statement_under_a_test_there_comes_before_one_in_what_called_it(
    play: Callable[..., Played],
) -> None:
    played = play(BEADS)
    played("break pull; run; finish; spec chain->clasp chain->held; continue; finish; change chain->clasp n4")
    played("spec chain->clasp chain->held n4->prev; repair --no-question")
    [edit] = played.last(results.Repaired).edits
    assert edit.after in (
        "if (b == c->clasp) c->clasp = b->next;",
        "if (c->clasp == b) c->clasp = b->next;",
        "if (b == c->clasp) c->clasp = c->held;",
    )
    assert 18 < edit.line <= 24
