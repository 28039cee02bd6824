"""A repair of a leak may come to a freed node that is used elsewhere: that is the next fault."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import Constant
from wolverine.core.patch import Edit, NewCall, NewValue, Patch
from wolverine.core.program import Program
from wolverine.core.types import INT
from wolverine.frontend import parse_expression
from wolverine.repair.heaps.next_fault import is_next_fault, is_next_fault_of_all
from wolverine.repair.menus.candidates import Menus

PACK = """\
#include <stdlib.h>
struct dog { int age; struct dog *next; };
static struct dog *led(struct dog *one, struct dog *other)
{
    if (other == NULL)
        one->next = other;
    return one;
}
static int oldest(struct dog *d)
{
    struct dog *next = d->next;
    free(d);
    return next == NULL ? d->age : oldest(next);
}
int main(void)
{
    return oldest(led(calloc(1, sizeof(struct dog)), calloc(1, sizeof(struct dog))));
}
"""
USED = 13  # the line at which a freed node is used


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    return program_of(PACK, tmp_path_factory.mktemp("pack"))


def _edits(program: Program) -> tuple[Edit, Edit]:
    """What links, and what frees."""
    [asked] = [each.id for each in program.locations if each.text == "other == NULL"]
    gap = next(each.id for each in program.locations if each.function == "led" and each.kind == "gap")
    other = parse_expression(program, "led", "other")
    return Edit(asked, NewValue(Constant(1, INT))), Edit(gap, NewCall("free", (other,)))


def test_it_is_used_in_a_function_that_is_not_repaired(program: Program) -> None:
    linking, freeing = _edits(program)
    assert is_next_fault(program, Patch((linking,)), USED)
    assert not is_next_fault(program, Patch((linking,)), 6)  # the function that is repaired
    assert not is_next_fault(program, Patch((freeing,)), USED)  # what it frees may be what is used


def test_of_many_repairs_none_frees(program: Program, tmp_path: Path) -> None:
    linking, freeing = _edits(program)
    menus = Menus(program, calls=True)
    masks = {}
    for edit in (linking, freeing):
        menu = menus.menu(edit.location)
        assert menu is not None
        masks[edit.location] = menu.all | menu.calls
    assert is_next_fault_of_all(program, menus, {linking.location: masks[linking.location]}, USED)
    assert not is_next_fault_of_all(program, menus, masks, USED)
