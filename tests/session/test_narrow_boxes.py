"""Boxes that are too narrow for the word of their state."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

PROGRAM = """\
#include <stdlib.h>
int main(void) {
    char *a = malloc(1);
    *a = 'x';
    free(a);
    return 0;
}
"""


def test_a_mark_does_not_read_as_a_part_of_the_name(play: Callable[..., Played]) -> None:
    session = play(PROGRAM, json=False)
    session("start; next; next; next")
    picture = session.last(results.Graph).picture
    assert "n1 x" in picture
    assert "n1x" not in picture
