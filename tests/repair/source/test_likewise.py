"""Variables that stand for two arguments in the same way."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.repair.source.likewise import likewise

TEXT = """\
struct flock { int size; };
struct bird { struct flock *in; struct bird *next; };
static struct flock *flock_of(struct bird *b) { return b->in; }
static int meet(struct bird *a, struct bird *b, int n)
{
    BODY
    return n;
}
int main(void) { return meet(0, 0, 0); }
"""
PAIR = {frozenset({"x", "y"})}
ALIKE = {
    "the same field": "struct flock *x = a->in; struct flock *y = b->in; n = x == y;",
    "what the same function says": "struct flock *x, *y; x = flock_of(a); y = flock_of(b); n = x == y;",
    "exchanged later": "struct flock *x = a->in, *y = b->in, *t = x; x = y; y = t;",
    "numbers": "int x = a->in->size + n, y = b->in->size + n; n = x < y;",
}
OTHERS = {
    "of one argument": "struct flock *x = a->in, *y = a->in; n = x == y;",
    "of other fields": "struct flock *x = a->in, *y = b->next->in; n = x == y;",
    "the arguments themselves": "struct bird *x = a, *y = b; n = x == y;",
    "what goes on": "struct bird *x = a->next, *y = b->next; while (x && y) { x = x->next; y = y->next; }",
}


@pytest.mark.parametrize("name", ALIKE)
def test_what_stands_for_two_arguments_is_told(name: str, tmp_path: Path) -> None:
    assert likewise(program_of(TEXT.replace("BODY", ALIKE[name]), tmp_path).functions["meet"]) == PAIR


@pytest.mark.parametrize("name", OTHERS)
def test_other_variables_do_not(name: str, tmp_path: Path) -> None:
    assert not likewise(program_of(TEXT.replace("BODY", OTHERS[name]), tmp_path).functions["meet"])
