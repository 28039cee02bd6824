"""Pointers to functions of libraries."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

PROGRAM = """\
#include <stdio.h>
#include <stdlib.h>
struct handler { int (*say)(const char *); void (*end)(void *); void *data; };
static int own(const char *text) { return text[0]; }
int main(void) {
    struct handler *h = calloc(1, sizeof *h);
    int (*other)(const char *) = own;
    h->say = puts;
    h->end = free;
    other = h->say;
    return 0;
}
"""


def test_they_have_names(play: Callable[..., Played]) -> None:
    session = play(PROGRAM, json=False)
    session("break 10; run")
    picture = session.last(results.Graph).picture
    assert "say  puts" in picture and "end  free" in picture
    assert "own" in picture
    session("next")
    assert "other = puts" in session.last(results.Graph).picture
    assert "0x" not in session.last(results.Graph).picture
