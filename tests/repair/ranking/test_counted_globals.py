"""A global that the program only counts is rather counted on than set; a call that finds a place stays."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import Load, lvalue_text
from wolverine.core.patch import Edit, NewAssignment
from wolverine.core.program import Assign, Gap, Program
from wolverine.frontend import parse_expression
from wolverine.repair.ranking.score import Scores

TEXT = """\
#include <stdlib.h>
struct visit { int level, place; struct visit *outer, *beside; };
struct visit *top;
struct visit *seen[8];
int level, serial, width, mark;
int row[8], *at = row, *other = row;
int slot(int place) { return place % 8; }
void look(int *at) { *at = *at + 1; }
void enter(int place)
{
    struct visit *v = malloc(sizeof(struct visit));
    v->level = level;
    v->place = place;
    v->outer = top;
    v->beside = NULL;
    top = v;
    level++;
    serial++;
    width++;
    mark++;
    look(&mark);
    at++;
}
void leave(void)
{
    struct visit *v = top;
    seen[slot(v->place)] = v->beside;
    seen[v->place] = v->beside;
    top = v->outer;
    free(v);
}
int main(void)
{
    serial = 100;
    enter(3);
    width = top->place;
    leave();
    return 0;
}
"""


def against(program: Program, target: str, value: str) -> float:
    """What speaks against an assignment in front of the last statement of `leave`."""
    place = parse_expression(program, "leave", target)
    assert isinstance(place, Load)
    made = NewAssignment(place.place, parse_expression(program, "leave", value))
    gap = [step.location for step in program.functions["leave"].code if isinstance(step, Gap)][-2]
    return Scores(program).edit(Edit(gap, made))


@pytest.mark.parametrize("value", ["1", "7", "top->level", "top->place"])
def test_who_counts_a_number_counts_on(value: str, tmp_path: Path) -> None:
    program = program_of(TEXT, tmp_path)
    down = against(program, "level", "level - 1")
    assert down + 0.25 < against(program, "level", value)
    for other in ("width", "mark"):  # it takes other values, or another function may set it
        assert against(program, other, value) < against(program, "level", value)


def test_a_count_may_begin_again(tmp_path: Path) -> None:
    program = program_of(TEXT, tmp_path)
    fresh = against(program, "width", "0")
    assert against(program, "level", "0") == fresh
    assert against(program, "serial", "0") == fresh
    assert against(program, "serial", "100") < against(program, "level", "100")


def test_a_pointer_that_steps_on_counts_nothing(tmp_path: Path) -> None:
    program = program_of(TEXT, tmp_path)
    assert against(program, "at", "other") == against(program, "other", "at")


def test_a_call_that_finds_the_place_is_no_call_in_vain(tmp_path: Path) -> None:
    program = program_of(TEXT, tmp_path)
    scores = Scores(program)
    value = parse_expression(program, "leave", "top->outer")
    costs = [
        scores.edit(Edit(step.location, NewAssignment(step.target, value)))
        for step in program.functions["leave"].code
        if isinstance(step, Assign) and lvalue_text(step.target).startswith("seen[")
    ]
    assert len(costs) == 2
    assert costs[0] == costs[1]
