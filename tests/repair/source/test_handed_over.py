"""What calls ask of their arguments, in the words of whoever calls."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import text
from wolverine.core.program import Branch
from wolverine.repair.source.handed_over import handed_over

TEXT = """#include <stdlib.h>
struct node { int key; struct node *next; };
int depth;
static int ends(const char *word, int left, struct node *n, int spent)
{
    if (*word == '\\0' || left <= 0)
        return 1;
    spent = spent - 1;
    if (spent == 0 || left > spent)
        return 2;
    return n->next != NULL;
}
static int walk(const char *name, struct node *n, int k)
{
    int r = ends(name + 1, k - 1, n, k);
    MORE
    if (r)
        return 1;
    return 0;
}
int main(void)
{
    return walk("ab", NULL, 2);
}
"""
OF_NODE = ["n->next != NULL", "n->next == NULL"]
OF_NUMBER = ["k - 1 <= 0", "k - 1 > 0"]
OF_WORD = ["name[1] == '\\0'", "name[1] != '\\0'"]


@pytest.mark.parametrize(
    ("more", "asked"),
    [
        ("", [*OF_WORD, *OF_NUMBER, *OF_NODE]),
        ("k = 7;", [*OF_WORD, *OF_NODE]),
        ("n = n->next;", [*OF_WORD, *OF_NUMBER]),
    ],
)
def test_they_are_asked_of_what_was_given(more: str, asked: list[str], tmp_path: Path) -> None:
    """Not of a parameter that is set, nor of an argument that is another by then."""
    program = program_of(TEXT.replace("MORE", more), tmp_path)
    walk = program.functions["walk"]
    index = next(n for n, step in enumerate(walk.code) if isinstance(step, Branch))
    assert [text(each) for each in handed_over(program, walk, index)] == asked


def test_nothing_was_asked_in_front_of_the_call(tmp_path: Path) -> None:
    program = program_of(TEXT.replace("MORE", ""), tmp_path)
    assert handed_over(program, program.functions["walk"], 1) == []
