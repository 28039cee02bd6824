"""A forgotten call, asserted in a later round of a loop: in the process, and in the source."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from played_session import Played

from wolverine.session import results

LAST_USED = """\
#include <stdio.h>
#include <stdlib.h>
struct item { int no; struct item *next, *prev; };
struct item *first, *last;
void detach(struct item *which)
{
    if (which->prev)
        which->prev->next = which->next;
    else
        first = which->next;
    if (which->next)
        which->next->prev = which->prev;
    else
        last = which->prev;
}
void attach(struct item *which)
{
    which->prev = last;
    which->next = NULL;
    if (last)
        last->next = which;
    else
        first = which;
    last = which;
}
void use(int no)
{
    struct item *n = first;
    while (n && n->no != no)
        n = n->next;
    if (!n) {
        n = malloc(sizeof *n);
        n->no = no;
    }
    attach(n);
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (argv[i][0] != '-')
            use(atoi(argv[i]));
    for (struct item *p = last; p; p = p->prev)
        printf("%d ", p->no);
    return 0;
}
"""


def test_behind_the_call_in_a_later_round(play: Callable[..., Played], tmp_path: Path) -> None:
    session = play(LAST_USED, arguments=("1", "2", "1"))
    out = tmp_path / "out.c"
    session("break use\nrun\ncontinue 2\nfinish")
    session("change first n2; change n2->prev null; change n2->next n1; change n1->next null\nspec")
    session(f"repair --no-question\nrewrite {out}")
    repaired = session.last(results.Repaired)
    assert [(edit.kind, "detach(n);" in edit.after) for edit in repaired.edits] == [("insert", True)]
    assert repaired.applied == "native"
    session("continue")
    assert session.output() == "1 2 "
    assert "detach(n);" in out.read_text()
