"""A forgotten call, asserted in a later round of a loop: in the process, and in the source."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from lists_in_c import USED
from played_session import Played

from wolverine.session import results

LAST_USED = (
    """\
#include <stdio.h>
#include <stdlib.h>
"""
    + USED
    + """\
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
)


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
