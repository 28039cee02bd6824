"""What is set to 0, told, and set to nothing else, is rather counted than set to what is at hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import Load
from wolverine.core.patch import Edit, NewAssignment
from wolverine.core.program import Gap, Program
from wolverine.frontend import parse_expression
from wolverine.repair.ranking.score import Scores

TEXT = """\
#include <stdio.h>
#include <string.h>
struct room { int guests, beds, full; char name[8]; };
int empty(struct room *r, int bed)
{
    return r->beds > bed && strcmp(r->name, "none") != 0;
}
void enter(struct room *r, int bed)
{
    if (empty(r, bed) && !r->full)
        r->name[bed] = 'x';
}
int main(void)
{
    struct room r;
    r.guests = 0;
    r.beds = 4;
    r.full = 0;
    strcpy(r.name, "room");
    enter(&r, 1);
    printf("%d %d", r.guests, r.beds);
    return 0;
}
"""


def against(program: Program, function: str, target: str, value: str) -> float:
    """What speaks against an assignment in the first gap of a function."""
    place = parse_expression(program, function, target)
    assert isinstance(place, Load)
    made = NewAssignment(place.place, parse_expression(program, function, value))
    gap = next(step.location for step in program.functions[function].code if isinstance(step, Gap))
    return Scores(program).edit(Edit(gap, made))


@pytest.mark.parametrize("function", ["enter", "empty"])
def test_what_is_only_set_to_0_is_counted(function: str, tmp_path: Path) -> None:
    program = program_of(TEXT, tmp_path)
    counted = against(program, function, "r->guests", "r->guests + 1")
    assert counted < against(program, function, "r->guests", "bed")
    assert counted < against(program, function, "r->guests", "1")
    assert counted < against(program, function, "r->guests", "r->guests - 1")


@pytest.mark.parametrize("field", ["beds", "full"])  # it has another number, and this is only asked for
def test_what_has_a_number_is_not_counted_for_that(field: str, tmp_path: Path) -> None:
    program = program_of(TEXT, tmp_path)
    assert against(program, "enter", f"r->{field}", f"r->{field} + 1") > against(
        program, "enter", "r->guests", "r->guests + 1"
    )


def test_who_only_looks_counts_nothing(tmp_path: Path) -> None:
    program = program_of(TEXT, tmp_path)
    for field in ("guests", "beds"):
        made = f"r->{field}", f"r->{field} + 1"
        assert against(program, "enter", *made) < against(program, "empty", *made)
