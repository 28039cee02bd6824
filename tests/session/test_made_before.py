"""What one call shows may have been done by an earlier one: where the execution under repair begins."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from thorough import MUCH

from wolverine.session import results

WORDS = """\
#include <stdio.h>
#include <stdlib.h>
struct word { int id, count; struct word *next; };
static struct word *head;
static void note(int id)
{
    struct word *w, *before = NULL;
    for (w = head; w != NULL; w = w->next) {
        if (w->id == id)
            break;
        before = w;
    }
    if (w == NULL) {
        w = malloc(sizeof *w);
        w->id = id;
        w->count = 1;
        w->next = head;
        head = w;
        return;
    }
    w->count++;
    if (before != NULL) {
        w->next = head;
        before->next = w->next;
        head = w;
    }
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        note(atoi(argv[i]));
    for (struct word *w = head; w != NULL; w = w->next)
        printf("%d:%d ", w->id, w->count);
    return 0;
}
"""

TERMS = """\
#include <stdio.h>
#include <stdlib.h>
struct term { char op; int value; struct term *left, *right; };
static struct term *number(int value)
{
    struct term *t = malloc(sizeof *t);
    t->op = 0;
    t->value = value;
    t->left = NULL;
    return t;
}
static struct term *sum(struct term *left, struct term *right)
{
    struct term *t = malloc(sizeof *t);
    t->op = '+';
    t->value = 0;
    t->left = left;
    t->right = right;
    return t;
}
static int value(struct term *t)
{
    if (t->left == NULL && t->right == NULL)
        return t->value;
    return value(t->left) + value(t->right);
}
int main(void)
{
    printf("%d\\n", value(sum(sum(number(1), number(2)), number(3))));
    return 0;
}
"""


@pytest.mark.thorough
def test_a_loop_that_ends_at_null_goes_round_what_was_made_before(
    play: Callable[..., Any], tmp_path: Path
) -> None:
    session = play(WORDS, arguments=["1", "2", "1", "3"], work=MUCH)
    session("run\nrepair --no-question --line 21-25")
    assert (
        "goes through is as it was when note began: the execution under repair begins in main"
        in session.texts()
    )
    session(f"rewrite {tmp_path / 'out.c'}")
    text = (tmp_path / "out.c").read_text()
    assert text.index("before->next = w->next;") < text.index("w->next = head;", text.index("w->count++;"))


def test_in_a_recursion_what_nothing_had_set_comes_before_the_crash(play: Callable[..., Any]) -> None:
    session = play(TERMS)
    session("run\nrepair --no-question --function number")
    assert "t->right = NULL;" in session.last(results.Repaired).patch
