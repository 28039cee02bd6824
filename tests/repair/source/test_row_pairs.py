"""Assignments in a row that belong together."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import lvalue_text, text
from wolverine.core.patch import Edit, NewAssignment, Several
from wolverine.core.program import Gap, Jump
from wolverine.repair.ranking.score import Scores
from wolverine.repair.source.rows import passed_over, rows

NODES = """\
#include <stddef.h>
struct node { int data; struct node *left, *right, *up; };
static void f(struct node *a, struct node *b)
{
    BODY
}
int main(void)
{
    struct node one = { 1, 0, 0, 0 };
    f(&one, &one);
    return 0;
}
"""
TOLD = {
    "a->left = b->left; a->left->up = a;": ["a->left = b->left; a->left->up = a"],
    "a->left = b->right; b->right = a;": ["a->left = b->right; b->right = a"],
    "a = a->left; b = b->left;": ["a = a->left; b = b->left"],
    "b->up = a->up; a->up = b;": ["b->up = a->up; a->up = b"],
    "a = a->left; b = b->right;": [],
    "a->data = 1; b->data = 2;": [],
    "a->left = b; if (b != NULL) a->left->up = a;": [],
}


@pytest.mark.parametrize("body", TOLD)
def test_the_second_one_goes_on_with_the_first_or_does_the_like(body: str, tmp_path: Path) -> None:
    found = [
        "; ".join(
            f"{lvalue_text(made.target)} = {text(made.value)}"
            for made in piece.block.statements
            if isinstance(made, NewAssignment)
        )
        for piece in rows(program_of(NODES.replace("BODY", body), tmp_path))
        if piece.function == "f"
    ]
    assert found == TOLD[body]


ROUNDS = """\
#include <stddef.h>
struct node { int data; struct node *left, *right, *up; };
static int f(struct node *a, struct node *b)
{
    int n = 0;
    while (a != NULL && b != NULL) {
        if (a->data == b->data) {
            if (a->up == b->up)
                continue;
            n++;
            REST
        } else {
            a = a->left;
        }
    }
    return n;
}
int main(void)
{
    struct node one = { 1, 0, 0, 0 };
    return f(&one, &one);
}
"""
RESTS = {
    "a = a->left; b = b->left;": True,
    "n += a->data; a = a->left; b = b->left; n--;": True,
    "if (n > 3) { a = a->left; b = b->left; }": False,
    "a = a->left; n++; b = b->left;": False,
}


@pytest.mark.parametrize(("rest", "both"), RESTS.items(), ids=RESTS)
def test_what_a_jump_passes_over_is_lacking_before_it(rest: str, both: bool, tmp_path: Path) -> None:
    """Then both cost less than the first one alone."""
    program = program_of(ROUNDS.replace("REST", rest), tmp_path)
    function = program.functions["f"]
    jump = next(at for at, s in enumerate(function.code) if isinstance(s, Jump) and s.location >= 0)
    steps = list(rows(program_of(ROUNDS.replace("REST", next(iter(RESTS))), tmp_path)))
    row = tuple(made for made in steps[0].block.statements if isinstance(made, NewAssignment))
    gap = function.code[jump - 1]
    assert isinstance(gap, Gap)
    assert passed_over(function, jump - 1, row) is both
    scores = Scores(program)
    assert (scores.edit(Edit(gap.location, Several(row))) < scores.edit(Edit(gap.location, row[0]))) is both
