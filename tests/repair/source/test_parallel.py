"""What changes together in one node."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.program import Assign, Gap
from wolverine.frontend import parse_expression
from wolverine.repair.source.parallel import parallel

TREE = """\
struct tree { int key, value, size; struct tree *left, *right; };
void take_over(struct tree *t, struct tree *least)
{
    t->key = least->key;
    least->left = t->left;
}
int main(void) { struct tree a = {0}, b = {1}; take_over(&a, &b); return a.key; }
"""


@pytest.mark.parametrize(
    ("target", "value", "likely"),
    [
        ("t->value", "least->value", True),
        ("t->value", "least->size", False),
        ("least->value", "t->value", True),
        ("t->right", "least->right", True),
        ("t->key", "least->key", False),
    ],
)
def test_fields_are_copied_with_one_another(target: str, value: str, likely: bool, tmp_path: Path) -> None:
    program = program_of(TREE, tmp_path)
    code = program.functions["take_over"].code
    gap = next(i for i, s in enumerate(code) if isinstance(s, Gap) and isinstance(code[i - 1], Assign))
    place, held = (parse_expression(program, "take_over", each) for each in (target, value))
    assert (parallel(code, gap, place.place, held) < 0) is likely  # type: ignore[union-attr]
