"""Queues that are elements of an array: what their two ends keep holds for each of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from played_session import Played
from sanitized import plain, printed, sanitized

from wolverine.session import results

TILLS = """\
#include <stdio.h>
#include <stdlib.h>
struct customer { int id; struct customer *after; };
struct till { struct customer *front, *rear; int waiting; } tills[3];
void join(struct till *t, int id)
{
    struct customer *c = malloc(sizeof *c);
    c->id = id;
    c->after = NULL;
    if (t->front == NULL)
        t->front = c;
    else
        t->rear->after = c;
    t->rear = c;
    t->waiting++;
}
void give_up(struct till *t, int id)
{
    struct customer *c = t->front, *ahead = NULL;
    while (c != NULL && c->id != id) {
        ahead = c;
        c = c->after;
    }
    if (c == NULL)
        return;
    if (ahead == NULL)
        t->front = c->after;
    else
        ahead->after = c->after;
    if (t->rear == c)
        t->rear = ahead;
    t->waiting--;
    free(c);
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        int n = atoi(argv[i]);
        if (n < 0)
            give_up(&tills[-n % 3], -n);
        else
            join(&tills[n % 3], n);
    }
    for (int i = 0; i < 3; i++) {
        printf("%d:", tills[i].waiting);
        while (tills[i].front != NULL) {
            struct customer *c = tills[i].front;
            tills[i].front = c->after;
            printf(" %d", c->id);
            free(c);
        }
        printf("\\n");
    }
    return 0;
}
"""
FORGOTTEN = """\
    if (t->rear == c)
        t->rear = ahead;
"""


def test_the_rear_is_moved_only_where_the_last_one_goes(play: Callable[..., Played], tmp_path: Path) -> None:
    assert TILLS.count(FORGOTTEN) == 1
    session = play(TILLS.replace(FORGOTTEN, ""), arguments=("3", "4", "6", "9", "-9"))
    session("break give_up\nrun\nbreak 29\ncontinue\nchange tills[0].rear n3\nspec")
    session(f"repair --no-question\nrewrite {tmp_path / 'out.c'}")
    [edit] = session.last(results.Repaired).edits
    assert (edit.kind, edit.after) == ("insert", "if (c == t->rear) t->rear = ahead;")
    (tmp_path / "right.c").write_text(TILLS)
    right, mended = plain(tmp_path / "right.c"), sanitized(tmp_path / "out.c")
    for arguments in ("3 4 6 9 -9 12", "3 6 9 -6 12 -3 15", "3 -3 3 6", "1 4 -1 7 -7 10", "2 -5 5 -2 8"):
        assert printed(mended, arguments) == printed(right, arguments), arguments
