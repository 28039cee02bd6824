"""What is passed for two fields of one node alike stays so: `depth(n->one) > depth(n->two)`."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import best, crash, only, program_of, words

from wolverine.core.expressions import text
from wolverine.core.program import Assign
from wolverine.repair.source.balanced import balanced

HEAP = """\
#include <stdlib.h>
struct t { int depth, key; struct t *one, *two; };
static int depth(struct t *n)
{
    return n->depth;
}
static struct t *lean(struct t *n, struct t *m)
{
    if (m->key < n->key)
        return lean(m, n);
    n->two = m;
    if (depth(n->one) < depth(n->two)) {
        n->two = n->one;
        n->one = m;
    }
    n->depth = 1 + (n->two ? depth(n->two) : 0);
    return n;
}
int main(void)
{
    struct t *all = calloc(1, sizeof *all), *other = calloc(1, sizeof *other);
    all->depth = other->depth = 1;
    other->key = 2;
    all = lean(all, other);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("given", "beside", "alike"),
    [
        ("n->one", "n->two", True),
        ("n->one", "m->two", False),
        ("n", "n->two", False),
        ("n->one", "n->one", False),
    ],
)
def test_two_fields_of_one_node(given: str, beside: str, alike: bool, tmp_path: Path) -> None:
    program = program_of(HEAP.replace("n->one) < depth(n->two", f"{given}) < depth({beside}"), tmp_path)
    function = program.functions["lean"]
    indices = [
        index
        for index, step in enumerate(function.code)
        if isinstance(step, Assign) and text(step.value) == given and "depth" in _called(function, index)
    ]
    step = function.code[indices[0]]
    assert isinstance(step, Assign)
    assert balanced(function, indices[0], step.value) is alike


def _called(function: object, index: int) -> str:
    code = function.code  # type: ignore[attr-defined]
    return str(next((step.function for step in code[index:] if hasattr(step, "function")), ""))


def test_null_is_asked_for_rather_than_another_node_looked_at(tmp_path: Path) -> None:
    problem = only(crash(HEAP, "main", tmp_path), "depth", "lean")
    assert words(problem.program, best(problem)) == "if (n == NULL) return 0"
