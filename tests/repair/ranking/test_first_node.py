"""Returns where a node has become the first one."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import variables
from wolverine.core.patch import Edit, NewReturn, Patch
from wolverine.core.program import Assign, Gap
from wolverine.repair.ranking.first_node import leaves_with_first

PUT = """\
struct node { int n; struct node *next; } *head, *last;
static void put(struct node *p)
{
    struct node *at;
    FIRST
    at = head;
    BEHIND
}
int main(void) { put(0); return 0; }
"""


@pytest.mark.parametrize(
    ("first", "behind", "leaves"),
    [
        ("if (head == NULL) { head = p; }", "at->next = p;", True),
        ("if (!head) { head = p; }", "p->next = at;", True),
        ("if (head) { p->n = 1; } else { head = p; }", "p->next = at;", True),
        ("if (head == NULL) { head = p; }", "last = p;", False),
        ("if (head == NULL) { head = p; }", "at->n = p->n;", False),
        ("if (p->n == 0) { head = p; }", "at->next = p;", False),
        ("if (head == NULL) { last = p; head = last; }", "at->next = p;", False),
    ],
)
def test_what_is_put_in_again_behind_that(first: str, behind: str, leaves: bool, tmp_path: Path) -> None:
    text = PUT.replace("FIRST", first).replace("BEHIND", behind).replace("NULL", "(struct node *)0")
    program = program_of(text, tmp_path)
    code = program.functions["put"].code
    setting = (
        at for at, step in enumerate(code) if isinstance(step, Assign) and variables(step.target) == {"head"}
    )
    gap = next(step for step in code[next(setting) :] if isinstance(step, Gap))
    assert leaves_with_first(program, Patch((Edit(gap.location, NewReturn()),))) is leaves
