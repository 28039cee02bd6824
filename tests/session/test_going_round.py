"""An index of an array in which the others go round has left it: the remainder was forgotten."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

WAITING = """\
#include <stdio.h>
#define SEATS 3
static int seats[SEATS], front, waiting;
static int sit(int guest)
{
    if (waiting == SEATS)
        return 0;
    WHERE
    waiting++;
    return 1;
}
static int call(void)
{
    int guest = seats[front];
    front = (front + 1) % SEATS;
    waiting--;
    return guest;
}
int main(void)
{
    sit(11);
    sit(12);
    call();
    sit(13);
    sit(14);
    call();
    sit(15);
    while (waiting > 0)
        printf("%d\\n", call());
    return 0;
}
"""


@pytest.mark.parametrize(
    ("where", "repaired"),
    [
        ("int at = front + waiting; seats[at] = guest;", "int at = (front + waiting) % SEATS"),
        ("seats[front + waiting] = guest;", "seats[(front + waiting) % SEATS] = guest"),
    ],
)
def test_it_goes_round_as_elsewhere(where: str, repaired: str, play: Callable[..., Played]) -> None:
    session = play(WAITING.replace("WHERE", where), json=False)
    session("run; repair --no-question")
    [edit] = session.last(results.Repaired).edits
    assert (edit.line, edit.after) == (8, repaired)
