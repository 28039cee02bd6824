"""A list that a fault makes a ring: heaps for what walks to null are no rings."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

LIST = """\
#include <stdio.h>
#include <stdlib.h>
struct link { int v; struct link *next; };
static struct link *head;
static void put(int v)
{
    struct link *l = malloc(sizeof *l);
    l->v = v;
    l->next = LINK;
    head = l;
}
static void print(struct link *l)
{
    if (l == NULL)
        return;
    printf("%d ", l->v);
    print(l->next);
}
int main(int argc, char **argv)
{
    while (argc-- > 1)
        put(atoi(*++argv));
    print(head);
    while (head != NULL) {
        struct link *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
"""


@pytest.mark.thorough
def test_a_node_that_leads_to_itself_leads_to_the_list(play: Callable[..., Played]) -> None:
    session = play(LIST.replace("LINK", "l"), arguments=("1", "2"))
    session("run\nrepair --no-question")
    repaired = session.last(results.Repaired)
    assert [edit.after.strip() for edit in repaired.edits] == ["l->next = head"]
