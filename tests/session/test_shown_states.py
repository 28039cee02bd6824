"""A state that was shown and left as it is speaks for what was executed before it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wolverine.session import results
from wolverine.session.constraints import trace_of
from wolverine.session.shown import aside

DEQUE = """\
#include <stdio.h>
#include <stdlib.h>
struct node { int item; struct node *left, *right; };
struct deque { struct node *front, *back; int length; };
void check(struct deque *d)
{
    if (d->length < 0)
        abort();
}
void push_front(struct deque *d, int item)
{
    struct node *n = malloc(sizeof *n);
    n->item = item;
    n->left = NULL;
    n->right = d->front;
    if (d->front)
        d->front->left = n;
    if (!d->back)
        d->back = n;
    d->front = n;
    d->length++;
}
int pop_back(struct deque *d)
{
    struct node *n = d->back;
    int item = n->item;
    d->back = n->left;
    if (d->back)
        d->back->right = NULL;
    free(n);
    d->length--;
    check(d);
    return item;
}
int main(void)
{
    const char *title = "deque";
    struct deque d = {NULL, NULL, 0};
    push_front(&d, 1);
    printf("%s %d\\n", title, pop_back(&d));
    return 0;
}
"""


def _aside(session: Any) -> frozenset[str]:
    inner = session.session.execution
    return aside(inner.model, inner.path)


@pytest.mark.thorough
def test_what_ran_before_a_stop_is_repaired_last(play: Callable[..., Any]) -> None:
    session = play(DEQUE)
    session("break pop_back\nrun\nfinish\nchange d.front null\nspec\nrepair --no-question")
    assert _aside(session) == {"push_front", "main"}
    [edit] = session.last(results.Repaired).edits
    assert 22 <= edit.line <= 33


def test_a_call_that_was_stepped_over_is_not_put_aside(play: Callable[..., Any]) -> None:
    session = play(DEQUE)
    session("start\nnext 2\nnext\nchange d.length 2")
    assert _aside(session) == {"check", "pop_back"}
    session("undo\nnext\nchange d.front null")
    assert _aside(session) == {"push_front"}


DRAWER = """\
#include <stdio.h>
#include <stdlib.h>
struct note { int text; struct note *over; };
struct drawer { struct note *top; struct note *read; };
static void put(struct drawer *d, int text)
{
    struct note *n = malloc(sizeof *n);
    n->text = text;
    n->over = d->top;
    d->top = n;
    d->read = NULL;
}
static void drop(struct drawer *d)
{
    struct note *n = d->top;
    d->top = n->over;
    d->read = NULL;
    free(n);
}
static int look(struct drawer *d)
{
    return d->read->text;
}
int main(void)
{
    struct drawer d = {NULL, NULL};
    put(&d, 1);
    put(&d, 2);
    d.read = d.top;
    drop(&d);
    printf("%d\\n", look(&d));
    return 0;
}
"""


def test_what_ran_behind_the_last_corrected_stop_may_have_led_to_a_failure(play: Callable[..., Any]) -> None:
    session = play(DRAWER)
    session("tbreak put\nrun\nfinish\nchange d.read d.top\nspec\ncontinue")
    inner = session.session.execution
    assert "drop" in aside(inner.model, inner.path)
    assert trace_of(inner.model, inner.path, 0, frozenset()).aside == frozenset()


def test_nothing_is_put_aside_where_anything_may_have_run(play: Callable[..., Any]) -> None:
    session = play(DEQUE)
    session("start\nbreak 40\ncontinue\nchange d.front null")
    assert _aside(session) == frozenset()


TICKETS = """\
#include <stdlib.h>
struct ticket { int done; struct ticket *below; };
static struct ticket *top;
static void push(int done)
{
    struct ticket *made = malloc(sizeof *made);
    made->done = done;
    made->below = made;
    top = made;
}
static void sweep(void)
{
    struct ticket **link = &top;
    struct ticket *at = top;
    while (at != NULL) {
        if (at->done) {
            *link = at->below;
            free(at);
        } else
            link = &at->below;
        at = at->below;
    }
}
int main(void)
{
    push(0);
    push(1);
    sweep();
    while (top != NULL) {
        struct ticket *below = top->below;
        free(top);
        top = below;
    }
    return 0;
}
"""


def test_what_was_repaired_before_puts_nothing_aside(play: Callable[..., Any]) -> None:
    session = play(TICKETS)
    session("tbreak 10\nrun\nnext\nchange top->below null\nspec\nrepair --no-question")
    [edit] = session.last(results.Repaired).edits
    assert edit.line == 8
    session("tbreak sweep\ncontinue\nnext 9\nrepair --no-question")
    assert [each.after for each in session.last(results.Repaired).edits] == [
        "struct ticket *saved = at->below;",
        "at = saved",
    ]
