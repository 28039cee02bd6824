"""Marks for which a function asks, and which nothing sets."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.repair.source.marked import asked_in_vain

ROOMS = """\
#include <stddef.h>
struct room { int lit; struct room *door; };
static int lights(struct room *r)
{
    int found = 1;
    %s
    if (r->door != NULL && !r->door->lit)
        found += lights(r->door);
    return found;
}
int main(void)
{
    struct room hall = { 0, NULL };
    hall.lit = 0;
    return lights(&hall);
}
"""


@pytest.mark.parametrize(("statement", "vain"), [("", True), ("r->lit = 0;", True), ("r->lit = 1;", False)])
def test_a_mark_that_nothing_sets_is_asked_for_in_vain(tmp_path: Path, statement: str, vain: bool) -> None:
    program = program_of(ROOMS % statement, tmp_path)
    assert asked_in_vain(program, {"lights"}) is vain
    assert not asked_in_vain(program, {"main"})
