"""An array of no length at a struct's end fills the rest of its node."""

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
int main(void) {
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
    session("break 11; run")
    picture = session.last(results.Graph).picture
    assert "items 7 0 0" in picture
    assert 's   "hello"' in picture
    assert session.fields("n1")["items"] == [7, 0, 0]
    session("change b->items[2] 44")
    assert "44" in session("print b->items[2]")[0].text
    assert session.last(results.Changed).place == "n1.items[2]"
    session("next")
    assert session.fields("n1")["len"] == 44


def test_it_ends_where_the_node_ends(play: Callable[..., Played]) -> None:
    session = play(PROGRAM, json=False)
    session("break 11; run")
    with pytest.raises(CommandError, match="the last element is 2"):
        session("change b->items[3] 1")
