"""What a condition decides that assigns instead of comparing is lost: `==` comes before a new `free`."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.errors import CommandError
from wolverine.session import results

# Cells of a sheet: a formula owns its text, a number owns nothing.
SHEET = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum what { FORMULA, NUMBER };
struct cell {
    struct cell *right;
    union { int number; char *formula; } is;
    enum what what;
};
static struct cell *row;
static void put(const char *s)
{
    struct cell *c = malloc(sizeof *c);
    if (s[0] == '=') {
        c->what = FORMULA;
        c->is.formula = malloc(strlen(s) + 1);
        strcpy(c->is.formula, s);
    } else {
        c->what = NUMBER;
        c->is.number = atoi(s);
    }
    c->right = row;
    row = c;
}
static void drop(struct cell *c)
{
    if (c->what = FORMULA)
        free(c->is.formula);
    free(c);
}
int main(void)
{
    struct cell *c;
    put("7"); put("=a+b"); put("12");
    while ((c = row) != NULL) {
        row = c->right;
        drop(c);
    }
    puts("done");
    return 0;
}
"""
STACK = """\
#include <stdio.h>
#include <stdlib.h>
struct item { int n; struct item *below; };
static struct item *top;
static void push(int n)
{
    struct item *p = malloc(sizeof *p);
    p->n = n;
    p->below = top;
    top = p;
}
static void drain(void)
{
    struct item *p = NULL;
    while (p = top)
        top = p->below;
}
int main(void)
{
    struct item *other = malloc(sizeof *other);
    push(1); push(2);
    drain();
    free(other);
    puts("done");
    return 0;
}
"""


def test_it_compares(play: Callable[..., Played]) -> None:
    session = play(SHEET, json=False)
    session("run; repair --no-question")
    repaired = session.last(results.Repaired)
    assert "-    if (c->what = FORMULA)\n+    if (c->what == FORMULA)" in repaired.patch


def test_what_is_assigned_and_meant_stays(play: Callable[..., Played]) -> None:
    """If nothing is taken from the stack nothing is lost, either."""
    session = play(STACK, json=False)
    session("run; repair --no-question")
    patch = session.last(results.Repaired).patch
    assert "free(p);" in patch and "p == top" not in patch


@pytest.mark.parametrize(("stored", "truth"), [("FORMULA", "false"), ("NUMBER", "true")])
def test_it_cannot_be_forced(play: Callable[..., Played], stored: str, truth: str) -> None:
    session = play(SHEET.replace("what = FORMULA)", f"what = {stored})"))
    session("break 27\nrun")
    with pytest.raises(CommandError, match=f"it stores {stored}, and is always {truth}; maybe == was meant"):
        session("enter")
