"""Calls that are made for what they do, though every other call uses the number that they give back."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.patch import NewCall
from wolverine.repair.menus.candidates import Menus

LAMPS = """\
#include <stdlib.h>
struct lamp { int on; struct lamp *next; };
static struct lamp *row;
static int light(struct lamp *l) { l->on = 1; return row == l; }
static int lit(struct lamp *l) { return l->on; }
static struct lamp *other(struct lamp *l) { l->on = 0; return l->next; }
static int dusk(struct lamp *l)
{
    return light(l) + lit(l) + (other(l) != NULL);
}
static void night(struct lamp *l)
{
    row = l;
}
int main(void)
{
    struct lamp l = {0, NULL};
    night(&l);
    return dusk(&l);
}
"""


@pytest.mark.parametrize(("called", "offered"), [("light", True), ("lit", False), ("other", False)])
def test_what_writes_and_gives_back_a_number(called: str, offered: bool, tmp_path: Path) -> None:
    menus = Menus(program_of(LAMPS, tmp_path), calls=True)
    made = [
        choice.replacement
        for location in menus.indices("night")
        if (menu := menus.menu(location)) is not None
        for choice in menu.choices
    ]
    alone = [each for each in made if isinstance(each, NewCall) and each.target is None]
    assert any(each.function == called for each in alone) is offered
