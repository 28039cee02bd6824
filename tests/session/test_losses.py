"""Which statement has lost a node, and the variable that led to it last."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.semantics.follow import Follower

PROGRAM = """\
#include <stdlib.h>
struct node { int v; struct node *next; };
static struct node *top;
static void push(int v)
{
    struct node *fresh = malloc(sizeof *fresh);
    fresh->v = v;
    fresh->next = top;
    top = fresh;
}
static int pop(void)
{
    struct node *old = top;
    int v = old->v;
    top = old->next;
    return v;
}
static void drop(void)
{
    struct node *all = top, *also = all;
    top = NULL;
    also = also->next;
}
int main(void)
{
    push(1);
    push(2);
    push(3);
    int v = pop();
    drop();
    return v;
}
"""


def lines(session: Played) -> list[str]:
    return [line for line in session.texts().splitlines() if " lost since " in line]


def test_the_variable_that_ended_with_its_function_is_named(play: Callable[..., Played]) -> None:
    session = play(PROGRAM)
    session("break pop; run; next 5; why n3")
    words = "lost since line 17 in pop: old, the last pointer to it, ended there"
    told = [f"n3 is {words}", f"n3 was allocated at line 6 in push, called at line 28 in main; {words}"]
    assert lines(session) == told
    session("break drop; continue; next 4; why n1")
    words = "since line 23 in drop: all and also, the last pointers to"
    assert lines(session)[2] == f"n1, n2 are lost {words} them, ended there"
    assert lines(session)[3].endswith(f"lost {words} it, ended there")


def test_it_is_named_where_the_model_has_found_the_statement(play: Callable[..., Played]) -> None:
    session = play(PROGRAM)
    session("break 29; break 30; run; continue; continue; why n3")
    words = "lost since line 17 in pop: old, the last pointer to it, ended there"
    assert lines(session)[0] == f"n3 is {words}"
    assert lines(session)[-1].endswith(f"never freed; {words}")


def test_a_statement_that_loses_the_last_pointer_is_shown_as_it_is(play: Callable[..., Played]) -> None:
    session = play(PROGRAM.replace("top = old->next;", "top = old->next, old = NULL;"))
    session("break pop; run; next 4")
    assert lines(session) == ["n3 is lost since line 15 in pop: top = old->next, old = NULL;"]


READS = """\
#include <stdio.h>
#include <stdlib.h>
struct node { int v; struct node *next; };
struct node *head;
void insert(int v) {
    struct node *fresh = calloc(1, sizeof *fresh);
    fresh->v = v;
    if (v > 0)
        head = fresh;
}
int main(void) {
    int v = getchar();
    insert(v);
    return head != NULL;
}
"""


def test_what_hangs_on_input_is_known_when_it_has_been_looked_at_again(play: Callable[..., Played]) -> None:
    session = play(READS)
    session("start; break 14; continue")
    assert session("why n1")[0].text.endswith(
        "lost since line 10 in insert: fresh, the last pointer to it, ended there"
    )


def test_where_it_is_not_known_why_says_what_is(play: Callable[..., Played]) -> None:
    session = play(READS.replace("    fresh->v = v;", "    void *to = &&on; goto *to; on: fresh->v = v;"))
    session("start; break 14; continue")
    assert session("why n1")[0].text == (
        "n1 was allocated at line 6 in insert, called at line 13 in main; lost somewhere behind that "
        "(`repair` goes back to where, when the program has ended)"
    )


CHAIN = """\
#include <stdlib.h>
struct node { struct node *next; };
int main(void)
{
    struct node *all = NULL;
    for (int i = 0; i < 30; i++) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = all;
        all = fresh;
    }
    all = NULL;
    return all != NULL;
}
"""


def test_what_is_lost_together_is_looked_for_once(
    play: Callable[..., Played], monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[int] = []
    loss = Follower.loss
    monkeypatch.setattr(
        Follower, "loss", lambda self, *args, **more: (looks.append(1), loss(self, *args, **more))[1]
    )
    session = play(CHAIN)
    session("start; break 11; continue; break 12; continue")
    assert lines(session) == ["n1, n2, n3, n4, n5 and 25 more are lost since line 11 in main: all = NULL;"]
    assert len(looks) == 1
