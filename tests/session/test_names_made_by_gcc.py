"""What gcc declares by itself (`__func__` and its like) is no variable of the program."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

PROGRAM = """\
#include <assert.h>
#include <stdio.h>
static int total;
int main(void) {
    static int calls;
    assert(total == 0);
    printf("%s\\n", __func__);
    calls++;
    return 0;
}
"""


def test_they_are_not_in_the_picture(play: Callable[..., Played]) -> None:
    session = play(PROGRAM, json=False)
    session("start; next; next; next")
    assert set(session.places()) == {"total", "main::calls"}
    assert "__" not in session.last(results.Graph).picture
    assert session.output() == "main\n"
