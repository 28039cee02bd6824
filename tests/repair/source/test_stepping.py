"""Steps to what loops append in some rounds only."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import lvalue_text
from wolverine.repair.source.stepping import steps_unappended

COLLECT = """\
#include <stddef.h>
struct node { int v; struct node *next; };
struct node *make(int v);
struct node *collect(struct node *from, struct node *last)
{
    while (CONDITION) {
        BODY
        from = from->next;
    }
    return last;
}
int main(void) { return 0; }
"""


@pytest.mark.parametrize(
    ("condition", "body", "found"),
    [
        ("from", "if (from->v) last->next = make(1); last = last->next;", ["last->next"]),
        ("from", "last->next = make(1); last = last->next;", []),
        ("from", "if (from->v) { last->next = make(1); last = last->next; }", []),
        ("from && last", "if (from->v) last->next = make(1); last = last->next;", []),  # a walk
        ("from", "if (from->v) last->next = last->next->next; last = last->next;", []),
        ("from", "if (from->v) last->next = NULL; last = last->next;", []),
        (
            "from",
            "if (from->v) last->next = make(1); else last->next = make(2); last = last->next;",
            [],
        ),
    ],
)
def test_rounds_without_an_append_step_on_as_well(
    condition: str, body: str, found: list[str], tmp_path: Path
) -> None:
    text = COLLECT.replace("CONDITION", condition).replace("BODY", body)
    program = program_of(
        text.replace("struct node *make(int v);", "struct node *make(int v) { return NULL; }"), tmp_path
    )
    steps = steps_unappended(program.functions["collect"])
    assert [lvalue_text(each) for each in steps.values()] == found
