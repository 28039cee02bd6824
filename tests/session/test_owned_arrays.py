"""Arrays that hang on a struct that is a variable, and are never freed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

SHELF = """\
#include <stdlib.h>
struct item { int code, price; };
struct shelf { %s *items; int used, room; };
static void put(struct shelf *s, int code)
{
    if (s->used == s->room) {
        s->room = s->room ? 2 * s->room : 2;
        s->items = realloc(s->items, s->room * sizeof *s->items);
    }
    s->items[s->used++]%s = code;
}
int main(void)
{
    struct shelf books = { NULL, 0, 0 };
    int *seen = malloc(5 * sizeof *seen);
    for (int i = 0; i < 5; i++)
        put(&books, 7 * i);
    for (int i = 0; i < books.used; i++)
        seen[i] = books.items[i]%s;
    int last = seen[4];
    free(seen);
    return last != 28;
}
"""


@pytest.mark.parametrize("held", [("int", "", ""), ("struct item", ".code", ".code")])
def test_what_hangs_on_a_variable_is_freed_rather_than_made_in_other_sizes(
    play: Callable[..., Played], held: tuple[str, str, str]
) -> None:
    session = play(SHELF % held, json=False)
    session("run; repair --no-question; candidates")
    assert "+    free(books.items);" in session.last(results.Repaired).patch
    assert "room = " not in session.last(results.Repaired).patch
    assert "should not have been lost" not in session.texts()
    assert "you changed or named" not in session.texts()
