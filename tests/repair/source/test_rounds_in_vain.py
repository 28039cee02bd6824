"""What each round of a loop sets in vain is set once behind it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import Load
from wolverine.core.patch import Edit, NewAssignment, Patch
from wolverine.frontend import parse_expression
from wolverine.repair.source.rounds_in_vain import sets_once

FOUND = """\
#include <stdlib.h>
struct bus { int line; struct bus *next; };
static struct bus *first, *found;
static void find(int line)
{
    struct bus *b;
    for (b = first; b != NULL; b = b->next) {
        if (b->line == line) {
            b->line = 0;
            LEFT
        }
    }
    first = NULL;
}
int main(void)
{
    find(5);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("left", "once"), [(";", True), ("continue;", True), ("break;", False), ("return;", False)]
)
def test_what_is_set_where_the_loop_is_left_is_set_once(left: str, once: bool, tmp_path: Path) -> None:
    program = program_of(FOUND.replace("LEFT", left), tmp_path)
    target, value = (parse_expression(program, "find", each) for each in ("found", "b"))
    assert isinstance(target, Load)
    within, behind = (
        next(each.id for each in program.locations if each.kind == "gap" and each.line == line)
        for line in (9, 13)
    )
    made = NewAssignment(target.place, value)
    one, other = (Patch((Edit(at, made),)) for at in (within, behind))
    assert sets_once(program, one, other) is once
