"""The address of a field is compared with a pointer to another type: another field was meant."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

RING = """\
#include <stdio.h>
#include <stdlib.h>
struct bead { int colour; struct bead *next; };
struct chain { int beads; struct bead end; };
static struct chain chain;
static void thread(int colour)
{
    struct bead *b = malloc(sizeof(struct bead));
    b->colour = colour;
    b->next = chain.end.next;
    chain.end.next = b;
    chain.beads++;
}
static void show(void)
{
    int sum = 0;
    for (struct bead *b = chain.end.next; b != &chain.end; b = b->next)
        sum += b->colour;
    printf("%d beads, %d\\n", chain.beads, sum);
}
int main(void)
{
    chain.end.next = &chain.end;
    thread(3);
    thread(4);
    show();
    return 0;
}
"""


@pytest.mark.thorough
def test_the_field_of_the_type_that_is_wanted(play: Callable[..., Played]) -> None:
    session = play(RING.replace("b != &chain.end;", "b != &chain.beads;"), json=False)
    session("set step-budget 1; run; repair --no-question")
    [edit] = session.last(results.Repaired).edits
    assert edit.after == "b != &chain.end"
