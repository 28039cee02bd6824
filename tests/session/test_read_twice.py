"""A loop's condition lies behind two statements that read: one in front of the loop, one in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from played_session import Played

from wolverine.session import results

QUEUES = """\
#include <stdio.h>
#include <stdlib.h>
struct guest { int number; struct guest *next; };
static struct guest *queue(void)
{
    struct guest *head = malloc(sizeof *head), *last = head;
    int number, more;
    scanf("%d %d", &number, &more);
    while (more != 0) {
        struct guest *g = malloc(sizeof *g);
        g->number = number;
        last->next = g;
        last = g;
        scanf("%d %d", &number, &more);
    }
    last->next = NULL;
    return head;
}
static void join(struct guest *first, struct guest *second)
{
    struct guest *p = first->next, *q = second->next, *last = first;
    while (p != NULL && q != NULL) {
        if (p->number < q->number) {
            last->next = p;
            last = p;
            p = p->next;
        } else {
            last->next = q;
            q = q->next;
        }
    }
    last->next = p != NULL ? p : q;
}
int main(void)
{
    struct guest *a = queue();
    struct guest *b = queue();
    join(a, b);
    return a->next->number;
}
"""


@pytest.mark.thorough
def test_what_the_last_of_them_has_read_is_known(play: Callable[..., Played], tmp_path: Path) -> None:
    given = tmp_path / "given"
    given.write_text("2 1\n0 0\n1 1\n3 1\n0 0\n")
    session = play(QUEUES, json=False, stdin=given)
    session("break join; run; finish; change n1->next n4; change n4->next n2; change n2->next n5; spec")
    session("repair --no-question")
    assert [edit.after for edit in session.last(results.Repaired).edits] == ["last = q;"]
