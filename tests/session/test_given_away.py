"""Nodes that a function is handed and that nobody else holds: it keeps them, or they are lost."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

ROOM = """\
#include <stdlib.h>
#include <string.h>
struct patient { int number; char ward[8]; struct patient *next; };
struct room { struct patient *first; int waiting; };
static struct patient *arrived(int number)
{
    struct patient *p = malloc(sizeof *p);
    p->number = number;
    strcpy(p->ward, "east");
    p->next = NULL;
    return p;
}
static void admit(struct room *room, struct patient *p)
{
    struct patient *before = NULL, *after = room->first;
    while (after != NULL && after->number < p->number) {
        before = after;
        after = after->next;
    }
    p->next = after;
    if (before == NULL)
        ;
    else
        before->next = p;
    room->waiting++;
}
static void discharge(struct room *room)
{
    struct patient *p = room->first;
    while (p != NULL) {
        struct patient *next = p->next;
        free(p);
        p = next;
    }
    room->first = NULL;
}
int main(void)
{
    struct room room = { NULL, 0 };
    for (int i = 5; i > 2; i--) {
        CALL
    }
    discharge(&room);
    return 0;
}
"""
CALLS = ("admit(&room, arrived(i));", "struct patient *p = arrived(i); admit(&room, p);")


@pytest.mark.parametrize("call", CALLS)
def test_what_is_handed_to_a_function_may_not_be_lost_in_it(call: str, play: Callable[..., Played]) -> None:
    session = play(ROOM.replace("CALL", call))
    session("break admit; run; finish; change main::room.first n1; repair --no-question")
    added = [line for line in session.last(results.Repaired).patch.splitlines() if line.startswith("+ ")]
    assert added == ["+        room->first = p;"]
