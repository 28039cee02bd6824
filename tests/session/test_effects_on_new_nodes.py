"""What the process wrote into nodes that the trace allocated is written there under a repair too."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

BOOK = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct contact { char name[16]; struct contact *next; };
static struct contact *book;
static void store(const char *name)
{
    struct contact *c, *before = NULL, *after = book;
    while (after != NULL && strcmp(after->name, name) < 0) {
        before = after;
        after = after->next;
    }
    c = malloc(sizeof *c);
    snprintf(c->name, sizeof c->name, "%s", name);
    c->next = before;
    if (before == NULL)
        book = c;
    else
        before->next = c;
}
int main(void)
{
    store("bob");
    store("al");
    store("cy");
    return book->name[0];
}
"""


@pytest.mark.parametrize("engine", ["search", "widening"])
def test_characters_keep_their_size(play: Callable[..., Played], engine: str) -> None:
    session = play(BOOK, json=False)
    session("start; next 2; change n2->next n1; spec")
    session(f"repair --no-question --engine {engine}")
    assert "+    c->next = after;" in session.last(results.Repaired).patch
