"""Messages about what is used before it has a value name it by its fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wolverine.session import results
from wolverine.session.tracing import Tracer

SOURCE = """\
#include <stdlib.h>
struct link { struct link *prev, *next; };
struct person { struct link link; int age; };
int linked(struct person *p) { return p->link.next != 0; }
int main(void)
{
    struct person *q = malloc(sizeof *q), *p = malloc(sizeof *p);
    q->age = 1;
    if (linked(p))
        p->age = 3;
    free(q);
    free(p);
    return 0;
}
"""


def test_a_node_that_no_picture_has_shown_is_seen_as_the_statement_sees_it(play: Callable[..., Any]) -> None:
    session = play(SOURCE)
    session("run")
    assert "n2.link.next is used before it has a value, by line 4 in linked" in session.texts()


PARTS = """\
#include <stdlib.h>
struct part { struct part *next; };
static struct part *fill(struct part **parts, int count) {
    struct part *all = NULL;
    for (int i = 0; i < count; i++) {
        struct part *made = malloc(sizeof *made);
        made->next = all;
        all = parts[i] = made;
    }
    return all;
}
static void scribble(void) {
    struct part *volatile old[12];
    for (int i = 0; i < 12; i++)
        old[i] = malloc(sizeof *old[i]);
}
static void run(int count) {
    struct part *parts[6];
    struct part *all = fill(parts, count);
    while (all->next != NULL || count > 0) {
        all = all->next;
        count--;
    }
    free(all);
}
int main(void) {
    scribble();
    run(2);
    return 0;
}
"""


@pytest.mark.thorough
def test_nothing_is_set_behind_a_repair_that_the_model_alone_did_not_set(
    play: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    session = play(PARTS)
    session("run")
    assert session.places()["run::parts"][2] == {"uninitialised": True}
    advance = Tracer.advance

    def too_far(tracer: Tracer, *arguments: Any, **named: Any) -> Any:
        with monkeypatch.context() as within:
            if "recorded" in named:  # the repaired program is followed anew
                within.setattr("wolverine.session.tracing.FOLLOWED", 10)
            return advance(tracer, *arguments, **named)

    monkeypatch.setattr(Tracer, "advance", too_far)
    session("repair --no-question")
    assert session.last(results.Repaired).applied == "native"
    assert session.places()["run::parts"][2:] == [{"uninitialised": True}] * 4


QUEUE = """\
#include <stdio.h>
#include <stdlib.h>
struct job { int number; struct job *behind; };
static struct job *job(int number)
{
    struct job *j = malloc(sizeof *j);
    j->number = number;
    return j;
}
int main(void)
{
    struct job *first = job(1), *j;
    first->behind = job(2);
    for (j = first; j != NULL; j = j->behind)
        printf("%d ", j->number);
    return 0;
}
"""


def test_the_field_is_named_that_a_variable_was_set_to(play: Callable[..., Any]) -> None:
    session = play(QUEUE)
    session("run")
    assert "n2.behind (in main::j) is used before it has a value, by line 14 in main" in session.texts()
    assert session.texts().count("n2 was allocated at line 6 in job, called at line 13 in main") == 1
