"""A repair after something that is not to be done twice: what went wrong stays, and that is said."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

LOGGED = """\
#include <stdio.h>
struct node { int data; struct node *next; };
static int sum(struct node *n)
{
    FILE *log = fopen("/dev/null", "w");
    fclose(log);
    int s = 0;
    while (n->next != NULL) {
        s += n->data;
        n = n->next;
    }
    return s;
}
int main(void)
{
    struct node two = {2, NULL}, one = {1, &two};
    return sum(&one);
}
"""


def test_what_went_wrong_before_a_repair_in_force_from_here_on(play: Callable[..., Played]) -> None:
    session = play(LOGGED, json=False)
    session("break sum; run; next 6; enter; next 3; leave; spec s; finish; repair --no-question")
    repaired = session.last(results.Repaired)
    assert repaired.applied == "screened"
    assert [edit.after for edit in repaired.edits] == ["n != NULL"]
    assert "what has gone wrong by now stays wrong, and `start` or `run` begins anew" in session.texts()
    session("delete; run")
    assert session.last(results.Exited).code == 3
