"""Repairs of what takes the only node out of a ring: with several nodes they must not lose the others."""

from __future__ import annotations

from pathlib import Path

from playing import Play, program_of, words

from wolverine.core.patch import Repairs
from wolverine.repair import search

LEAVING = """\
#include <stdlib.h>
struct rider { int n; struct rider *next; };
static struct rider *front, *rear;
static void board(int n)
{
    struct rider *r = malloc(sizeof *r);
    r->n = n;
    if (front == NULL)
        front = r;
    else
        rear->next = r;
    rear = r;
    rear->next = front;
}
static int leave(void)
{
    struct rider *gone = front;
    int n = gone->n;
    front = front->next;
    free(gone);
    if (front == NULL)
        rear = NULL;
    else
        rear->next = front;
    return n;
}
int main(void)
{
    board(4);
    return leave();
}
"""


def test_the_last_node_is_told_from_the_others(tmp_path: Path) -> None:
    play = Play(program_of(LEAVING, tmp_path))
    play.enter_function("leave")
    play.to(21)
    play.change("front", "null")
    play.to(25)
    play.spec()
    found = search(play.problem())
    assert isinstance(found, Repairs)
    assert words(play.program, found.candidates[0]) == "if (gone == front) front = NULL"
    assert not found.candidates[0].lost_nodes
    plain = next(c for c in found.candidates if words(play.program, c) == "front = NULL")
    assert plain.lost_nodes
