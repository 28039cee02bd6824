"""A corrected picture cuts off a node that was just made: it is not made, rather than freed again."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

JOBS = """\
#include <stdio.h>
#include <stdlib.h>
struct job { int id; struct job *next; };
static struct job *todo, *done;
static int last, count;
static void push(struct job **top, int id)
{
    struct job *j = malloc(sizeof *j);
    j->id = id;
    j->next = *top;
    *top = j;
}
static int pop(struct job **top)
{
    struct job *j = *top;
    int id = j->id;
    *top = j->next;
    free(j);
    return id;
}
static void note(int id)
{
    push(&todo, id);
    last = id;
    count++;
}
static void work(void)
{
    int id = pop(&todo);
    push(&done, id);
    note(id);
}
int main(void)
{
    push(&todo, 3);
    push(&todo, 5);
    push(&todo, 8);
    work();
    printf("%d %d\\n", last, count);
    while (todo)
        printf("%d\\n", pop(&todo));
    while (done)
        pop(&done);
    return 0;
}
"""


def test_what_is_cut_off_as_soon_as_it_is_made_is_not_made(play: Callable[..., Played]) -> None:
    session = play(JOBS, json=False)
    session("tbreak work; run; finish; change todo n2; spec todo done; repair --no-question")
    [edit] = session.last(results.Repaired).edits
    assert (edit.kind, edit.before) == ("delete", "push(&todo, id)")
