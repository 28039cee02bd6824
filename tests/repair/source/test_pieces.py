"""Pieces of code under a test, and whether a gap is a place for one."""

from __future__ import annotations

from pathlib import Path

from playing import program_of

from wolverine.core.patch import Guarded
from wolverine.core.program import Gap
from wolverine.repair.menus.wording import replacement_text
from wolverine.repair.source.pieces import Pieces, pieces

STACK = """\
#include <stdlib.h>
struct cell { int v; struct cell *below; };
struct stack { struct cell *top; int size; };
int misses;
int peek(struct stack *s, int *found) {
    struct cell *c = s->top;
    if (c == NULL) {
        *found = 0;
        return -1;
    }
    *found = 1;
    return c->v;
}
int pop(struct stack *s, int *found) {
    struct cell *c = s->top;
    int v;
    *found = 1;
    v = c->v;
    s->top = c->below;
    s->size--;
    free(c);
    return v;
}
void shrink(struct stack *s) {
    if (s->size > 4) {
        struct cell *c = s->top;
        s->top = c->below;
        free(c);
    }
    if (s->top == NULL) {
        s->size = 0;
        misses++;
        return;
    }
    if (s->size < 0) { s->size = 0; misses++; } else s->size--;
    if (s->size == 7) misses++;
    if (s->size == 8) { s->size = peek(s, &misses); misses = 0; }
}
int main(void) {
    struct stack s = { NULL, 0 };
    int found;
    shrink(&s);
    return peek(&s, &found) + pop(&s, &found);
}
"""


def test_they_assign_and_free_and_return_and_do_more_than_one_of_these(tmp_path: Path) -> None:
    found = [
        (piece.function, replacement_text(Guarded(piece.condition, piece.block)))
        for piece in pieces(program_of(STACK, tmp_path))
    ]
    assert found == [
        ("peek", "if (c == NULL) { *found = 0; return -1 }"),
        ("shrink", "if (s->top == NULL) { s->size = 0; misses = misses + 1; return }"),
    ]


def test_one_is_missing_between_neighbours_like_its_own(tmp_path: Path) -> None:
    program = program_of(STACK, tmp_path)
    piece = next(iter(pieces(program)))
    made, where = Guarded(piece.condition, piece.block), Pieces(program)
    code = program.functions["pop"].code
    fitting = {
        program.location(step.location).line: where.fits("pop", at, made)
        for at, step in enumerate(code)
        if isinstance(step, Gap)
    }
    # Behind `c = s->top`, and in front of `*found = 1`: there it has both.
    assert fitting[16] == fitting[17] == 2
    assert {fitting[18], fitting[19], fitting[20]} == {0}
