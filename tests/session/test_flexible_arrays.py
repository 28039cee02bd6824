"""An array of no length at a struct's end, or of one, fills the rest of its node."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.errors import CommandError
from wolverine.session import results

PROGRAM = """\
#include <stdlib.h>
#include <string.h>
struct buf { size_t len; struct buf *link; int items[]; };
struct text { int len; char s[]; };
struct tower { int height; struct tower *next[1]; };
int main(void) {
    struct tower *low = calloc(1, sizeof *low), *high = calloc(1, sizeof *high + 2 * sizeof high);
    high->next[2] = low;
    struct buf *b = calloc(1, sizeof *b + 3 * sizeof(int));
    struct text *t = malloc(sizeof *t + 6);
    strcpy(t->s, "hello");
    t->len = 5;
    b->items[0] = 7;
    b->len = b->items[2];
    return 0;
}
"""


def test_its_elements_are_drawn_and_changed(play: Callable[..., Played]) -> None:
    session = play(PROGRAM, json=False)
    session("break 14; run")
    picture = session.last(results.Graph).picture
    assert "items 7 0 0" in picture
    assert 's   "hello"' in picture
    assert session.fields("n3")["items"] == [7, 0, 0]
    assert session.fields("n2")["next"] == [None, None, "n1"]
    assert session.fields("n1")["next"] == [None]
    session("change high->next[1] n1; change high->next[2] null")
    assert session.last(results.Changed).place == "n2.next[2]"
    session("change b->items[2] 44")
    assert "44" in session("print b->items[2]")[0].text
    assert session.last(results.Changed).place == "n3.items[2]"
    session("next")
    assert session.fields("n3")["len"] == 44


def test_it_ends_where_the_node_ends(play: Callable[..., Played]) -> None:
    session = play(PROGRAM, json=False)
    session("break 14; run")
    with pytest.raises(CommandError, match="the last element is 2"):
        session("change b->items[3] 1")
    with pytest.raises(CommandError, match="the last element is 2"):
        session("change high->next[3] low")
    with pytest.raises(CommandError, match="the last element is 0"):
        session("change low->next[1] high")


LADDERS = """\
#include <stdlib.h>
struct step { short at; short room; struct step *on[]; };
static struct step *first;
static void put(int at, int room)
{
    struct step *s = calloc(1, sizeof *s + room * sizeof s);
    s->at = at;
    s->room = room;
    for (int i = 0; i < room; i++) {
        s->on[i] = first->on[i];
        first->on[i] = s;
    }
}
int main(void)
{
    first = calloc(1, sizeof *first + 3 * sizeof first);
    put(1, 2);
    put(2, 3);
    return 0;
}
"""


def test_the_model_knows_its_elements(play: Callable[..., Played]) -> None:
    session = play(LADDERS.replace("= first->on[i]", "= first->on[0]"))
    session("break put; run; continue; advance 13; change n3->on[1] n2; change n3->on[2] null; spec")
    session("repair --no-question")
    repaired = session.last(results.Repaired)
    assert repaired.applied == "native"
    assert [edit.after for edit in repaired.edits] == ["s->on[i] = first->on[i]"]
