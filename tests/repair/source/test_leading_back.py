"""What is linked to a node that a statement beside links to it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import Expression, Load, Member
from wolverine.core.program import Assign, Gap
from wolverine.frontend import parse_expression
from wolverine.repair.menus.vocabulary import opposite_fields
from wolverine.repair.source.leading_back import leads_back, placed, tells_place

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


SEATS = """\
struct guest { int age, seat; };
struct guest *at[8];
int used;
void swap(int i, int j)
{
    struct guest *g = at[i];
    at[i] = at[j];
    at[j] = g;
    at[i]->seat = i;
    at[j]->seat = j;
    at[i]->age = 1;
}
void leave(struct guest *g)
{
    int i = g->seat;
    struct guest *last = at[--used];
    at[i] = last;
    last = g;
    g->age = 0;
}
int main(void)
{
    struct guest g = {30, 0};
    leave(&g);
    swap(0, 0);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("line", "target", "value", "told"),
    [
        (17, "last->seat", "i", True),
        (18, "last->seat", "i", True),
        (18, "last->seat", "used", False),
        (18, "last->age", "i", False),  # that is no place in an array
        (18, "g->seat", "i", False),  # nor is that the node that is stored
        (19, "last->seat", "i", False),  # which is another one by then
    ],
)
def test_nodes_are_told_their_places(tmp_path: Path, line: int, target: str, value: str, told: bool) -> None:
    program = program_of(SEATS, tmp_path)
    code = program.functions["leave"].code
    place, number = (parse_expression(program, "leave", each) for each in (target, value))
    assert isinstance(place, Load)
    assert number is not None
    gap = next(
        at
        for at, step in enumerate(code)
        if isinstance(step, Gap) and program.location(step.location).line == line
    )
    assert {name for _, name in placed(program)} == {"seat"}
    assert tells_place(code, gap, place.place, number, placed(program)) is told
