"""Numbers of rows and columns that are handed on in the wrong order: the array lies beyond its end."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

BOARD = """\
#include <stdio.h>
#include <stdlib.h>
static int **board(int high, int wide)
{
    int **made = malloc(high * sizeof(int *));
    for (int y = 0; y < high; y++)
        made[y] = calloc(wide, sizeof(int));
    return made;
}
static int **turned(int **old, int high, int wide)
{
    int **new = board(high, wide);
    for (int y = 0; y < high; y++)
        for (int x = 0; x < wide; x++)
            new[x][y] = old[y][x];
    return new;
}
static void drop(int **old, int high)
{
    for (int y = 0; y < high; y++)
        free(old[y]);
    free(old);
}
int main(void)
{
    int **one = board(2, 4), **two;
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < 4; x++)
            one[y][x] = 10 * y + x;
    two = turned(one, 2, 4);
    printf("%d\\n", two[3][1]);
    drop(one, 2);
    drop(two, 4);
    return 0;
}
"""


@pytest.mark.thorough
def test_they_are_exchanged_where_the_array_is_made(play: Callable[..., Played]) -> None:
    session = play(BOARD)
    session("run; repair --no-question")
    edits = session.last(results.Repaired).edits
    assert {(each.line, each.before, each.after) for each in edits} == {
        (12, "high", "wide"),
        (12, "wide", "high"),
    }
    session("continue")
    assert "13\n" in session.output()
