"""Calls whose result nobody needs, as it is what was passed: `hold(o);` beside `return hold(o);`."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.patch import NewCall
from wolverine.repair.menus.candidates import Menus

HELD = """\
struct thing { int held; struct thing *other; };
struct thing *hold(struct thing *o) { if (o) o->held++; return o; }
struct thing *pass(struct thing *o) { o->held++; o = o->other; return o; }
struct thing *keep(struct thing *o, struct thing *n)
{
    o->other = n;
    return hold(pass(o));
}
int main(void) { struct thing t = { 1, 0 }; return keep(&t, &t)->held; }
"""


@pytest.mark.parametrize(("called", "offered"), [("hold", True), ("pass", False)])
def test_what_hands_back_its_argument_may_be_called_by_itself(
    called: str, offered: bool, tmp_path: Path
) -> None:
    menus = Menus(program_of(HELD, tmp_path), calls=True)
    made = [
        choice.replacement
        for location in menus.indices("keep")
        if (menu := menus.menu(location)) is not None
        for choice in menu.choices
    ]
    alone = [each for each in made if isinstance(each, NewCall) and each.target is None]
    assert any(each.function == called for each in alone) == offered
