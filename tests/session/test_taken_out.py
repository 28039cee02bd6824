"""Nodes that are taken out of their structure while another variable leads to them yet, and never freed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

LANE = """\
#include <stdio.h>
#include <stdlib.h>
struct car { int plate; struct car *behind; };
static struct car *first, *last, *gone;
static void arrive(int plate)
{
    struct car *c = malloc(sizeof *c);
    c->plate = plate;
    c->behind = NULL;
    if (first == NULL)
        first = c;
    else
        last->behind = c;
    last = c;
}
LEAVE
int main(void)
{
    arrive(3); arrive(5);
    leave();
    leave();
    arrive(7); arrive(8);
    leave();
    while (first != NULL) {
        struct car *c = first;
        first = first->behind;
        free(c);
    }
    return 0;
}
"""
KEPT_IN_A_GLOBAL = """\
static void leave(void)
{
    gone = first;
    printf("%d\\n", gone->plate);
    first = first->behind;
}
"""
KEPT_BY_THE_LAST = """\
static int leave(void)
{
    struct car *c = first;
    first = c->behind;
    return c->plate;
}
"""
FROM_EITHER_END = """\
static void leave(void)
{
    if (first->behind == NULL || first->plate < 4) {
        gone = first;
        first = gone->behind;
        return;
    }
    gone = first->behind;
    first->behind = gone->behind;
    if (gone == last)
        last = first;
}
"""


@pytest.mark.parametrize(
    ("leave", "expected"),
    [
        (KEPT_IN_A_GLOBAL, [(20, "free(gone);")]),
        (KEPT_BY_THE_LAST, [(19, "int result = c->plate;"), (20, "free(c);"), (20, "result")]),
        (FROM_EITHER_END, [(21, "free(gone);"), (26, "free(gone);")]),
    ],
)
def test_a_node_is_freed_where_it_is_taken_out(
    play: Callable[..., Played], leave: str, expected: list[tuple[int, str]]
) -> None:
    """It is lost only when what leads to it is set anew, one call later or where another one is put in."""
    session = play(LANE.replace("LEAVE\n", leave))
    session("run\nrepair --no-question")
    assert [(each.line, each.after) for each in session.last(results.Repaired).edits] == expected
    before = session.texts()
    session("continue")
    assert session.last(results.Exited).code == 0
    assert "never freed" not in session.texts()[len(before) :]


MELDED = """\
#include <stdio.h>
#include <stdlib.h>
struct job { int due; struct job *left, *right; };
static void meld(struct job **at, struct job *one, struct job *other)
{
    struct job *first = one;
    if (one == NULL || other == NULL) {
        *at = one != NULL ? one : other;
        return;
    }
    if (other->due < one->due) {
        first = other;
        other = one;
    }
    *at = first;
    one = first->left;
    meld(&first->left, first->right, other);
    first->right = one;
}
static void done(struct job *j)
{
    if (j == NULL)
        return;
    done(j->left);
    done(j->right);
    free(j);
}
static void next(struct job **jobs)
{
    printf("%d\\n", (*jobs)->due);
    meld(jobs, (*jobs)->left, (*jobs)->right);
}
int main(void)
{
    static const int dates[] = {5, 3, 8};
    struct job *jobs = NULL;
    for (int i = 0; i < 3; i++) {
        struct job *j = calloc(1, sizeof *j);
        j->due = dates[i];
        meld(&jobs, jobs, j);
    }
    next(&jobs);
    next(&jobs);
    done(jobs);
    return 0;
}
"""


def test_whoever_hands_on_what_hangs_on_a_node_frees_it(play: Callable[..., Played]) -> None:
    session = play(MELDED)
    session("run\nrepair --no-question")
    assert "n2 is lost at line 31 in next" in session.texts()
    edits = session.last(results.Repaired).edits
    assert [(e.line, e.after) for e in edits] == [(31, "struct job *saved = *jobs;"), (31, "free(saved);")]
