"""Assignments in a row that belong together."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import lvalue_text, text
from wolverine.core.patch import NewAssignment
from wolverine.repair.source.rows import rows

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
