"""A node that is named in an assertion, and freed: what it held says nothing."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results
from wolverine.session.moments import assertions

# `clear` unlinks what it frees, which the corrected picture does not show.
UNDONE = """\
#include <stdlib.h>
struct step { int what; struct step *below; };
struct editor { struct step *done, *undone; } editor;
static void put(struct step **pile, struct step *s)
{
    s->below = *pile;
    *pile = s;
}
static struct step *take(struct step **pile)
{
    struct step *s = *pile;
    *pile = s->below;
    s->below = NULL;
    return s;
}
static void clear(struct step **pile)
{
    while (*pile)
        free(take(pile));
}
static void type(int what)
{
    struct step *s = calloc(1, sizeof *s);
    s->what = what;
    put(&editor.done, s);
}
int main(void)
{
    type(1);
    type(2);
    put(&editor.undone, take(&editor.done));
    put(&editor.undone, take(&editor.done));
    type(3);
    clear(&editor.done);
    clear(&editor.undone);
    return 0;
}
"""
CORRECTED = "start; break type if what == 3; continue; finish; change editor.undone null; change n1 freed"


def test_nodes_that_are_freed_were_so_by_a_call_that_clears_their_links(play: Callable[..., Played]) -> None:
    played = play(UNDONE)
    played(f"{CORRECTED}; change n2 freed; spec n1 n2; repair --no-question")
    assert [edit.after for edit in played.last(results.Repaired).edits] == ["clear(&editor.undone);"]


def test_what_was_corrected_beside_freed_nodes_is_asserted_as_well(play: Callable[..., Played]) -> None:
    played = play(UNDONE)
    played(f"{CORRECTED}; spec n1")
    here = played.session.execution.path[-1]
    asserted = assertions(here, frozenset())
    assert asserted is not None
    assert list(asserted.cells.values()) == [None]  # editor.undone
    assert set(asserted.states.values()) == {"freed"}
