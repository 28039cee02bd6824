"""Programs that go by the clock and by random numbers are followed, repaired and carried out again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wolverine.session import results

REVERSED = """\
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
struct node { int v; struct node *next; };
struct node *head;
static void push(int v)
{
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->next = head;
    head = n;
}
static void reverse(void)
{
    struct node *prev = NULL, *cur = head;
    while (cur) {
        struct node *next = cur->next;
        cur->next = prev;
        prev = cur;
        cur = next;
    }
    head = cur;
}
static double chance(void)
{
    return (double)rand() / RAND_MAX;
}
int main(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    srand((unsigned)(time(NULL) ^ now.tv_nsec));
    int n = HOW_MANY;
    for (int i = 0; i < n; i++)
        push(rand() % 100);
    if (rand() % 2 == 0)
        push(101);
    reverse();
    for (struct node *p = head; p; p = p->next)
        printf("%d ", p->v);
    return 0;
}
"""


@pytest.mark.parametrize(
    "how_many",
    [
        "(int)(3 * chance()) + 3",
        "rand() / (RAND_MAX / 3 + 1) + 3",
        pytest.param("rand() % 3 + 3", marks=pytest.mark.thorough),
    ],
)
def test_what_random_numbers_have_made_is_repaired(play: Callable[..., Any], how_many: str) -> None:
    """Only the link behind the loop is wrong; the clock that seeds the numbers has gone on by then."""
    session = play(REVERSED.replace("HOW_MANY", how_many))
    session("break reverse\nrun\nfinish")
    session("change head n1\nrepair --no-question")
    repaired = session.last(results.Repaired)
    assert [each.after for each in repaired.edits] == ["head = prev"]
    assert repaired.applied == "native"
    session("continue")
    made = session.last(results.Graph).graph
    assert session.last(results.Exited).code == 0
    assert len(session.output().split()) == len(made.nodes)
    assert "does not follow" not in session.texts()
