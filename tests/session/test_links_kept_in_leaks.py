"""A link that is overwritten before it is followed, where only lost nodes show it."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

SORTED_OUT = """\
#include <stdio.h>
#include <stdlib.h>
struct job { int size; struct job *after; };
struct pool { struct job *all; struct job **lanes; int count; };

static void spread(struct pool *p, int lanes)
{
    p->lanes = calloc(lanes, sizeof *p->lanes);
    p->count = lanes;
    struct job *j = p->all;
    while (j) {
        int lane = j->size % lanes;
        j->after = p->lanes[lane];
        p->lanes[lane] = j;
        j = j->after;
    }
    p->all = NULL;
}

int main(void)
{
    struct pool p = {NULL, NULL, 0};
    for (int i = 1; i <= 5; i++) {
        struct job *j = malloc(sizeof *j);
        j->size = i;
        j->after = p.all;
        p.all = j;
    }
    spread(&p, 3);
    for (int lane = 0; lane < p.count; lane++)
        while (p.lanes[lane]) {
            struct job *j = p.lanes[lane];
            p.lanes[lane] = j->after;
            printf("%d ", j->size);
            free(j);
        }
    free(p.lanes);
    return 0;
}
"""


def test_the_rest_of_a_list_is_kept(play: Callable[..., Played]) -> None:
    session = play(SORTED_OUT, json=False)
    session("run; repair --no-question")
    assert [edit.after for edit in session.last(results.Repaired).edits] == [
        "struct job *saved = j->after;",
        "j = saved",
    ]
    session("continue")
    assert session.output() == "5 3 1 4 2 5 "  # the first run lost the rest
