"""A loop without a condition: gcc gives its jump back the line of what the loop begins with."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

PROGRAM = """\
#include <stdio.h>
#include <stdlib.h>
struct node { int v; struct node *next; };
static int length(struct node *p)
{
    int k = 0;
    for (;;) {
        if (!p) return k;
        k++;
        p = p->next;
    }
}
int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->v = i;
        fresh->next = list;
        list = fresh;
    }
    printf("%d\\n", length(list));
    return 0;
}
"""


def test_a_breakpoint_where_the_loop_begins_is_one_stop_a_round(play: Callable[..., Played]) -> None:
    played = play(PROGRAM)
    played("break 8\nrun")
    lines, counted = [], []
    for _ in range(10):
        played("next")
        lines.append(played.line())
        counted.append(played.places()["length::k"])
    assert lines == [9, 10, 8, 9, 10, 8, 9, 10, 8, 12]
    assert counted == [0, 1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert not [heard for heard in played.heard if isinstance(heard, results.ConcreteStep)]
    assert "not modelled" not in played.texts()


def test_continue_runs_through_the_jump(play: Callable[..., Played]) -> None:
    played = play(PROGRAM)
    played("break 8\nrun")
    counted = []
    for _ in range(3):
        played("continue")
        counted.append(played.places()["length::k"])
    assert counted == [1, 2, 3]
    played("back")
    assert played.places()["length::k"] == 2
