"""Comparisons of a loop's condition that no round changes, and elements that are asked for apart."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.patch import Edit, NewValue
from wolverine.core.program import Branch
from wolverine.frontend import parse_expression
from wolverine.repair.ranking.score import Scores
from wolverine.repair.source.invariant import asks_for_the_same, parts_elements

SHELF = """\
#include <string.h>
struct jar { int size; char label[8]; };
struct jar gone;
struct jar *shelf[16];
int places, moved;
void turn(void) { moved++; }
int look(const char *label, int from, int to)
{
    int at = from;
    while (shelf[at] != 0 && shelf[at] != &gone) {
        if (strcmp(shelf[at]->label, label) == 0)
            return at;
        at = (at + 1) % 16;
        turn();
    }
    return -1;
}
int seek(const char *label, int from, int to)
{
    int at = from;
    while (shelf[at] != 0 && shelf[at] != &gone) {
        if (strcmp(shelf[at]->label, label) == 0)
            return at;
        at = (at + 1) % 16;
    }
    return -1;
}
int main(void) { return look("plum", 3, 5) + seek("plum", 3, 5); }
"""


@pytest.mark.parametrize(
    ("function", "condition", "same"),
    [
        ("seek", "shelf[at] != 0 && *shelf != &gone", True),
        ("seek", "shelf[at] != 0 && shelf[from] != &gone", True),
        ("seek", "shelf[at] != 0 && (moved > 2 || shelf[at] != &gone)", True),
        ("look", "shelf[at] != 0 && (moved > 2 || shelf[at] != &gone)", False),  # `turn` may change it
        ("look", "shelf[at] != 0 && (to > 2 || shelf[at] != &gone)", True),
        ("seek", "shelf[at] != 0 && shelf[at + 1] != &gone", False),
        ("seek", "shelf[0] != 0 && shelf[at] != &gone", False),  # a test for null protects something
        ("seek", "shelf[at] != 0", False),
    ],
)
def test_a_loop_asks_each_time_for_what_no_round_changes(
    function: str, condition: str, same: bool, tmp_path: Path
) -> None:
    program = program_of(SHELF, tmp_path)
    code = program.functions[function].code
    index, asked = next((at, s.condition) for at, s in enumerate(code) if isinstance(s, Branch))
    new = parse_expression(program, function, condition)
    assert new is not None
    assert asks_for_the_same(code, index, asked, new) is same


@pytest.mark.parametrize(
    ("before", "after", "parted"),
    [
        ("shelf[at] != 0 && shelf[at] != &gone", "shelf[at] != 0 && shelf[at + 1] != &gone", True),
        ("shelf[at] == 0 || shelf[at] == &gone", "shelf[from] == 0 || shelf[at] == &gone", True),
        ("shelf[at] != 0 && shelf[at] != &gone", "shelf[from] != 0 && shelf[from] != &gone", False),
        ("shelf[at] != 0 && shelf[to] != &gone", "shelf[at] != 0 && shelf[from] != &gone", False),
        ("shelf[at] != 0 || shelf[at] != &gone", "shelf[at] != 0 || shelf[at + 1] != &gone", False),
    ],
)
def test_one_element_was_compared_with_two_values(
    before: str, after: str, parted: bool, tmp_path: Path
) -> None:
    program = program_of(SHELF, tmp_path)
    old, new = (parse_expression(program, "seek", each) for each in (before, after))
    assert old is not None
    assert new is not None
    assert parts_elements(old, new) is parted


@pytest.mark.parametrize("other", ["*shelf", "shelf[at + 1]", "shelf[places]"])
def test_that_a_loop_does_not_stop_there_is_nearer_than_another_element(other: str, tmp_path: Path) -> None:
    program = program_of(SHELF, tmp_path)
    branch = next(s for s in program.functions["seek"].code if isinstance(s, Branch))
    near, far = (
        parse_expression(program, "seek", each)
        for each in ("shelf[at] != 0", f"shelf[at] != 0 && {other} != &gone")
    )
    assert near is not None
    assert far is not None
    scores = Scores(program)
    distances = [scores.edit(Edit(branch.location, NewValue(each))) for each in (near, far)]
    assert distances[0] < distances[1]
