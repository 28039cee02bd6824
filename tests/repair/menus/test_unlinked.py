"""Links that a program goes through and never sets."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import Load
from wolverine.frontend import parse_expression
from wolverine.repair.menus.unlinked import forgets_link, unlinked

TEXT = """\
#include <stdlib.h>
#include <string.h>
struct node { struct node *next, *prev, *up; };
struct node *first;
void add(struct node *n)
{
    n->next = first;
    n->prev = NULL;
    MORE
    first = n;
}
void drop(struct node *n)
{
    n->prev->next = n->next;
    n->next->prev = n->prev;
    first = n->up;
}
int main(void) { add(first); drop(first); return 0; }
"""


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ("", {("node", "prev")}),  # up is not gone through
        ("if (first != NULL) first->prev = n;", set()),
        ("n->prev = n->up;", set()),
        ("{ struct node **at = &n->prev; *at = n; }", set()),
        ("memcpy(n, first, sizeof *n);", set()),
    ],
)
def test_what_is_only_set_to_null_is_unlinked(more: str, found: set[object], tmp_path: Path) -> None:
    assert unlinked(program_of(TEXT.replace("MORE", more), tmp_path)) == found


@pytest.mark.parametrize(("function", "forgets"), [("add", True), ("drop", False), ("main", False)])
def test_it_is_forgotten_where_other_links_are_set(function: str, forgets: bool, tmp_path: Path) -> None:
    program = program_of(TEXT.replace("MORE", ""), tmp_path)
    place = parse_expression(program, function, "first->prev")
    assert isinstance(place, Load)
    assert forgets_link(program, function, place.place, unlinked(program)) is forgets
