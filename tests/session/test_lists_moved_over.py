"""A list on an element of an array over which the elements behind it are moved: it is freed first."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

SHELVES = """\
#include <stdlib.h>
struct book { int pages; struct book *next; };
struct house { int shelves; struct book *first[4]; };
static void put(struct house *h, int shelf, int pages)
{
    struct book *b = malloc(sizeof *b);
    b->pages = pages;
    b->next = h->first[shelf];
    h->first[shelf] = b;
}
static void demolish(struct house *h, int shelf)
{
    for (int i = shelf; i < h->shelves - 1; i++)
        h->first[i] = h->first[i + 1];
    h->first[--h->shelves] = NULL;
}
int main(void)
{
    struct house h = {3, {NULL}};
    put(&h, 0, 10);
    put(&h, 1, 20);
    put(&h, 1, 30);
    put(&h, 2, 40);
    demolish(&h, 1);
    for (int i = 0; i < h.shelves; i++)
        while (h.first[i] != NULL) {
            struct book *rest = h.first[i]->next;
            free(h.first[i]);
            h.first[i] = rest;
        }
    return 0;
}
"""
_MOVING = 1 + SHELVES.split("\n").index("    for (int i = shelf; i < h->shelves - 1; i++)")


@pytest.mark.parametrize(
    "way", ["run", f"break {_MOVING + 2}; run; change n2 freed; change n3 freed; spec; finish; spec"]
)
def test_the_whole_list_is_freed_in_front_of_the_loop(way: str, play: Callable[..., Played]) -> None:
    """Where it is found out in the end, and where it is said on the way."""
    session = play(SHELVES)
    session(way)
    session("repair --no-question")
    (edit,) = session.last(results.Repaired).edits
    assert edit.line == _MOVING
    assert edit.after.startswith("while (h->first[shelf] != NULL) {")
    before = session.texts()
    session("delete; continue")
    assert session.last(results.Exited).code == 0
    assert "never freed" not in session.texts()[len(before) :]
