"""A node lost with a variable of a block, by a function that others call to keep what it takes out."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

JOBS = """\
#include <stdlib.h>
struct job { int id; struct job *next; };
struct queue { int length; struct job *first; };
static void put(struct queue *q, struct job *j)
{
    j->next = q->first;
    q->first = j;
    q->length++;
}
static void cut(struct queue *q, struct job *j)
{
    struct job **at = &q->first;
    while (*at != j)
        at = &(*at)->next;
    *at = j->next;
    q->length--;
}
static int serve(struct queue *q)
{
    if (q->length > 1) {
        struct job *j = q->first->next;
        cut(q, j);
    }
    return q->length;
}
static struct job *job(int id)
{
    struct job *j = malloc(sizeof *j);
    j->id = id;
    return j;
}
int main(void)
{
    struct queue q = {0, NULL};
    put(&q, job(1));
    put(&q, job(2));
    struct job *last = q.first->next;
    cut(&q, last);
    put(&q, last);
    last = NULL;
    serve(&q);
    serve(&q);
    while (q.first != NULL) {
        struct job *next = q.first->next;
        free(q.first);
        q.first = next;
    }
    return 0;
}
"""
_CUT = 1 + JOBS.split("\n").index("        cut(q, j);")
_CALLED = 1 + JOBS.split("\n").index("    serve(&q);")


def test_it_is_freed_by_the_caller_where_others_keep_what_is_cut(play: Callable[..., Played]) -> None:
    session = play(JOBS)
    session("run; repair --no-question")
    assert f"n2 is lost behind line {_CUT} in serve, with the end of j, and never freed" in session.texts()
    (edit,) = session.last(results.Repaired).edits
    assert (edit.line, edit.after) == (_CUT, "free(j);")
    before = session.texts()
    session("continue")
    assert session.last(results.Exited).code == 0
    assert "never freed" not in session.texts()[len(before) :]


@pytest.mark.parametrize(
    "way",
    [
        f"break {_CUT}; run; next",
        f"break {_CALLED}; run; next",
        f"break {_CALLED}; run; break {_CALLED + 1}; continue",
        "run",
    ],
)
def test_the_loss_is_dated_alike_on_every_way_to_it(way: str, play: Callable[..., Played]) -> None:
    session = play(JOBS)
    session(way)
    words = f"lost since line {_CUT} in serve: j, the last pointer to it, ended there"
    assert session("why n2")[0].text.endswith(words)
