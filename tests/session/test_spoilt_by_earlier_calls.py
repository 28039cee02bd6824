"""A state that earlier calls have spoilt is repaired where they did, not mended in the call at hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from played_session import Played
from sanitized import plain, printed, sanitized

SHOP = """\
#include <stdio.h>
#include <stdlib.h>
struct customer { int number; struct customer *behind; };
struct till { struct customer *first, *last; int length; };
struct shop { int served; struct till till[2]; };
static void stand(struct till *t, struct customer *c)
{
    if (t->first == NULL)
        t->first = t->last = c;
    else {
        t->last->behind = c;
        t->last = c;
    }
    t->length++;
}
static void come(struct shop *s, int n)
{
    struct customer *c = calloc(1, sizeof *c);
    c->number = n;
    stand(&s->till[n % 2], c);
}
static struct customer *turn(struct till *t)
{
    struct customer *c = t->first;
    if (c != NULL) {
        t->first = c->behind;
        if (t->first == NULL)
            t->last = NULL;
        t->length--;
    }
    return c;
}
static void serve(struct shop *s, struct till *t)
{
    struct customer *c = turn(t);
    if (c != NULL) {
        s->served++;
        free(c);
    }
}
int main(int argc, char **argv)
{
    struct shop s = {0};
    for (int i = 1; i < argc; i++) {
        int n = atoi(argv[i]);
        if (n < 0)
            serve(&s, &s.till[-n % 2]);
        else
            come(&s, n);
    }
    for (int i = 0; i < 2; i++) {
        if (s.till[i].last != NULL)
            printf("last %d ", s.till[i].last->number);
        while (s.till[i].first != NULL) {
            printf("%d ", s.till[i].first->number);
            serve(&s, &s.till[i]);
        }
    }
    printf("%d\\n", s.served);
    return 0;
}
"""
MOVED_ON = "        t->last = c;\n"
CLEARED = "        if (t->first == NULL)\n            t->last = NULL;\n"
ARGUMENTS = ("1", "1 3", "1 3 5 7", "2 -2", "2 4 -2 6", "1 3 5 -1 7 9", "1 3 -1 -1 7 2 -1 -1 4")


@pytest.mark.thorough
def test_fewer_edits_from_further_out_are_better_and_a_second_repair_is_made_in_some_cases(
    play: Callable[..., Played], tmp_path: Path
) -> None:
    assert SHOP.count(MOVED_ON) == SHOP.count(CLEARED) == 1
    wrong = SHOP.replace(MOVED_ON, "").replace(CLEARED, "")
    session = play(wrong, arguments=("1", "3", "5", "2", "-2", "4"))
    session("break stand if c->number == 5\nrun\nfinish")
    session(
        "change n1->behind n2\nchange n2->behind n3\nchange s->till[1].last n3\nspec\nrepair --no-question"
    )
    assert "where the program does not: the execution under repair begins in main" in session.texts()
    session("delete\nbreak turn\ncontinue\nfinish\nchange s->till[0].last null\nspec\nrepair --no-question")
    session(f"rewrite {tmp_path / 'out.c'}")
    (tmp_path / "right.c").write_text(SHOP)
    right, mended = plain(tmp_path / "right.c"), sanitized(tmp_path / "out.c")
    for arguments in ARGUMENTS:
        assert printed(mended, arguments) == printed(right, arguments), arguments
