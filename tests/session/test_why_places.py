"""`why PLACE`: what became of the node that a place leads to."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.errors import CommandError

PROGRAM = """\
#include <stdlib.h>
struct node { int v; struct node *down, *next; };
int main(void) {
    struct node *top, *n = calloc(1, sizeof *n);
    n->next = calloc(1, sizeof *n);
    free(n->next);
    top = n;
    return top->v;
}
"""


SCRAPPED = """\
#include <stdlib.h>
struct node { int v; struct node *next; };
static struct node *fleet;
static void scrap(void) {
    struct node *gone = fleet;
    fleet = NULL;
    free(gone);
}
int main(void) {
    fleet = calloc(1, sizeof *fleet);
    scrap();
    return fleet == NULL;
}
"""


def test_why_tells_by_which_statement_a_place_became_null(play: Callable[..., Played]) -> None:
    session = play(SCRAPPED)
    session("break 6; run; next")
    assert session("why fleet")[0].text == "fleet is null since line 6 in scrap: fleet = NULL;"
    session("next")
    assert session("why fleet")[0].text == "fleet is null since line 6 in scrap: fleet = NULL;"
    session("back 2; finish")
    assert session("why fleet")[0].text == "fleet is null: it became so somewhere behind line 6 in scrap"


def test_why_takes_a_place(play: Callable[..., Played]) -> None:
    session = play(PROGRAM)
    session("break 7; run")
    assert session("why n1->down")[0].text == "n1->down is null"
    assert session("why top")[0].text == "top has no value yet"
    told = session("why n->next")[0].text
    assert told.startswith("n->next leads to n2: n2 was allocated at line 5") and "freed at line 6" in told
    assert session("why n1")[0].text.startswith("n1 was allocated at line 4")
    for place, why in (
        ("n->v", "n->v leads to no node"),
        ("n7", "there is no node n7"),
        ("m", "no variable m"),
    ):
        with pytest.raises(CommandError, match=why):
            session(f"why {place}")
