"""Two statements that link two nodes to each other over one field."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import Constant
from wolverine.core.patch import Edit, NewAssignment, Patch
from wolverine.core.program import Assign
from wolverine.repair.ranking.mutual import mutual, parts_mutual

PUT = """\
struct node { struct node *next, *prev; };
static void put(struct node *n, struct node *at)
{
    FIRST
    SECOND
}
int main(void) { put(0, 0); return 0; }
"""


@pytest.mark.parametrize(
    ("first", "second", "found"),
    [
        ("n->next = at;", "at->next = n;", True),
        ("n->prev = at;", "at->next = n;", False),
        ("n->next = at->next;", "at->next = n;", False),
        ("n->next = at;", "n->next = at;", False),
    ],
)
def test_one_of_them_was_to_be_linked_elsewhere(first: str, second: str, found: bool, tmp_path: Path) -> None:
    program = program_of(PUT.replace("FIRST", first).replace("SECOND", second), tmp_path)
    code = program.functions["put"].code
    for index, step in enumerate(code):
        if isinstance(step, Assign):
            assert mutual(code, index) is found
            null = Constant(0, step.target.type)
            cut = Patch((Edit(step.location, NewAssignment(step.target, null)),))
            assert parts_mutual(program, cut) is found
