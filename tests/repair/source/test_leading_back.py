"""What is linked to a node that a statement beside links to it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import Expression, Load, Member
from wolverine.core.program import Assign, Gap
from wolverine.repair.menus.vocabulary import opposite_fields
from wolverine.repair.source.leading_back import leads_back

RING = """\
#include <stddef.h>
struct bead { struct bead *left, *right; int size; };
void thread(struct bead *one, struct bead *by)
{
    one->right = by;
    by->left->right = one;
    by->left = one;
    by->size = 0;
}
void other(struct bead *one, struct bead *by)
{
    one->left = by->left;
    one->left = by;
}
int main(void)
{
    struct bead b = {&b, &b, 0}, c = {NULL, NULL, 0};
    thread(&c, &b);
    other(&c, &b);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("line", "value", "expected"),
    [
        (5, "by->left", True),  # before by->left->right = one
        (5, "by", False),  # nothing links by to the right
        (7, "by->left", True),
        (8, "by->left", False),  # which has changed by then
    ],
)
def test_links_there_and_back(tmp_path: Path, line: int, value: str, expected: bool) -> None:
    program = program_of(RING, tmp_path)
    code = program.functions["thread"].code
    back, forth = (s for s in program.functions["other"].code if isinstance(s, Assign))
    assert isinstance(back.target, Member)
    values: dict[str, Expression] = {"by->left": back.value, "by": forth.value}
    assert isinstance(values["by"], Load)
    gap = next(
        at
        for at, step in enumerate(code)
        if isinstance(step, Gap) and program.location(step.location).line == line
    )
    found = leads_back(code, gap, back.target, values[value], opposite_fields(program))
    assert found == expected
