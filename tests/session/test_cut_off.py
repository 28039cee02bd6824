"""Nodes to which nothing leads any more in a corrected picture: nothing is asserted of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

# A `break` is missing, so that two cards are put where one was meant.
PILE = """\
#include <stdlib.h>
struct card { int value; struct card *under; };
struct pile { struct card *top; int cards; };
static struct pile pile;
static void put(int value)
{
    struct card *c = malloc(sizeof *c);
    c->value = value;
    c->under = pile.top;
    pile.top = c;
    pile.cards++;
}
static void play(int how, int value)
{
    switch (how) {
    case 2:
        put(value);
    case 1:
        put(-value);
        break;
    }
}
int main(void)
{
    play(1, 4);
    play(2, 6);
    play(1, 3);
    return pile.cards != 3;
}
"""
CORRECTED = "break play if how == 2\nrun\nfinish\nchange pile.top n2\nchange pile.cards 2\n"


@pytest.mark.parametrize("said", ["", "change n3 freed\n"])
def test_a_node_that_was_not_wanted_need_not_be_made(play: Callable[..., Played], said: str) -> None:
    session = play(PILE)
    session(f"{CORRECTED}{said}spec\nrepair --no-question")
    assert session.last(results.SpecAdded).left_out == (() if said else (3,))
    [edit] = session.last(results.Repaired).edits
    assert (edit.line, edit.after) == (18, "break;")


def test_what_is_linked_again_is_asserted(play: Callable[..., Played]) -> None:
    session = play(PILE)
    session(f"{CORRECTED}change n2->under n3\nspec")
    assert session.last(results.SpecAdded).left_out == (1,)
    session("change n3->under n1\nspec")
    assert session.last(results.SpecAdded).left_out == ()


def test_what_the_program_has_lost_itself_is_asserted(play: Callable[..., Played]) -> None:
    session = play(PILE.replace("c->under = pile.top;", "c->under = NULL;"))
    session(CORRECTED.replace("pile.top n2", "n3->value 6") + "spec")
    assert session.last(results.SpecAdded).left_out == ()
