"""Bit fields in a session: drawn, corrected, asserted, repaired."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.errors import CommandError
from wolverine.session import results

SOURCE = """\
#include <stdlib.h>
enum kind { LEAF, INNER };
struct tree { int key; unsigned red : 1; enum kind kind : 2; int balance : 3; unsigned refs : 26; struct tree *l, *r; };
static struct tree *make(int key)
{
    struct tree *t = malloc(sizeof *t);
    t->key = key;
    t->red = 1;
    t->kind = INNER;
    t->balance = 0;
    t->refs = 1;
    t->l = t->r = NULL;
    return t;
}
static struct tree *turn(struct tree *t)
{
    struct tree *up = t->r;
    t->r = up->l;
    up->l = t;
    up->red = t->refs;
    t->red = 1;
    return up;
}
int main(void)
{
    struct tree *t = make(1);
    t->r = make(2);
    t->red = 0;
    t = turn(t);
    t->refs++;
    return 0;
}
"""  # noqa: E501


def test_bit_fields_are_drawn_corrected_and_repaired(play: Callable[..., Played]) -> None:
    played = play(SOURCE)
    played("break 7; run")
    fresh = played.fields("n1")
    assert fresh["red"] == fresh["refs"] == {"uninitialised": True}
    played("next; next")
    assert played.fields("n1")["red"] == 1  # as the process shows, also where it looks as filled
    played("delete; break 27; run; next; next")
    assert played.fields("n2").items() >= {"red": 1, "balance": 0, "refs": 1}.items()
    played("change t->balance -4; change t->refs 70000")
    assert played.fields("n1").items() >= {"red": 0, "balance": -4, "refs": 70000}.items()
    with pytest.raises(CommandError, match=r"int of 3 bits \(-4 to 3\)"):
        played("change t->balance 4")
    played("undo; undo")
    assert played.fields("n1").items() >= {"red": 0, "balance": 0, "refs": 1}.items()
    played("break 22; continue; change up->red 0; change t->red 1; spec; repair --no-question")
    repaired = played.last(results.Repaired)
    assert [(edit.line, edit.after) for edit in repaired.edits] == [(20, "up->red = t->red")]
    played("finish; next; next")
    assert played.fields("n2").items() >= {"red": 0, "refs": 2, "balance": 0}.items()
