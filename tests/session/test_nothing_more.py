"""A special case that another function has is put in, and stays when all that is said then is met."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from played_session import Played
from sanitized import printed, sanitized

from wolverine.session import results

STACK = """\
#include <stdio.h>
#include <stdlib.h>
struct cell { int v; struct cell *below; };
struct stack { struct cell *top; int size; };
static void push(struct stack *s, int v)
{
    struct cell *c = malloc(sizeof *c);
    c->v = v;
    c->below = s->top;
    s->top = c;
    s->size++;
}
static int peek(struct stack *s, int *found)
{
    struct cell *c = s->top;
    if (c == NULL) {
        *found = 0;
        return -1;
    }
    *found = 1;
    return c->v;
}
static int pop(struct stack *s, int *found)
{
    struct cell *c = s->top;
    int v;
    *found = 1;
    v = c->v;
    s->top = c->below;
    s->size--;
    free(c);
    return v;
}
int main(int argc, char **argv)
{
    struct stack s = { NULL, 0 };
    int found = 1, v;
    for (int i = 1; i < argc; i++)
        push(&s, atoi(argv[i]));
    v = peek(&s, &found);
    if (found)
        printf("%d on top\\n", v);
    while (found) {
        v = pop(&s, &found);
        if (found)
            printf("%d ", v);
    }
    return 0;
}
"""
CASE = "if (c == NULL) { *found = 0; return -1; }"


@pytest.mark.thorough
def test_what_was_repaired_stays_when_the_next_picture_is_right(
    play: Callable[..., Played], tmp_path: Path
) -> None:
    session = play(STACK, arguments=("3", "5"))
    out = tmp_path / "out.c"
    session("run\nrepair --no-question")
    repaired = session.last(results.Repaired)
    assert [(each.kind, each.after) for each in repaired.edits] == [("insert", CASE)]
    assert repaired.applied == "native"
    session(f"finish\nspec found\nrepair --no-question\nrewrite {out}")
    again = session.last(results.Repaired)
    assert (again.edits, again.cost, again.patch) == ((), 0, repaired.patch)
    assert "there is nothing more to repair" in session.texts()
    session("continue")
    assert session.output() == "5 on top\n5 3 "
    assert printed(sanitized(out), "7 8") == (0, "8 on top\n8 7 ")
    assert printed(sanitized(out)) == (0, "")
