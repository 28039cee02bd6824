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
    session("set var n->down = (void *)0x41; set var n->next = (void *)&n")
    assert session("why n->down")[0].text == "n->down leads to 0x41, where there is nothing of the program's"
    assert session("why n->next")[0].text == "n->next leads to no node: it is &n"
    for place, why in (
        ("n->v", "n->v leads to no node"),
        ("n7", "there is no node n7"),
        ("m", "no variable m"),
    ):
        with pytest.raises(CommandError, match=why):
            session(f"why {place}")


GROWN = """\
#include <stdlib.h>
struct word { int v; };
int main(void) {
    struct word **few = calloc(2, sizeof *few), **many = calloc(4, sizeof *many);
    struct word **lost = calloc(1, sizeof *lost);
    few[1] = malloc(sizeof **few);
    many[3] = lost[0] = few[1];
    free(few);
    lost = NULL;
    return many[3] == NULL;
}
"""


def test_what_is_freed_or_lost_does_not_count_as_what_leads_to_a_node(play: Callable[..., Played]) -> None:
    session = play(GROWN)
    session("break 10; run")
    assert session("why n4")[0].text.endswith("it can be reached: n2[3]")
    session("change n4 freed")
    assert session("why n4")[0].text.endswith("n2[3], n3 still lead there")
