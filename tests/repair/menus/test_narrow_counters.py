"""Counters that C reckons with in a wider type: they are counted as C does it, so the text means the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import lvalue_text, text
from wolverine.core.parts import amount_added
from wolverine.core.patch import Edit, NewAssignment, Patch
from wolverine.frontend import check
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.source.counting import counts_down

TAKE = """\
enum left { NONE, SOME };
struct shelf { MEMBER };
static int take(struct shelf *s)
{
    int taken = s->left > 0;
    s->left--;
    return taken;
}
int main(void)
{
    struct shelf s = {0};
    return take(&s);
}
"""


STEPS = ("s->left - 1", "s->left + 1")


@pytest.mark.parametrize(
    "member",
    ["unsigned left : 15", "int left : 4", "short left", "unsigned char left", "enum left left", "long left"],
)
def test_one_less_and_one_more_are_written_as_they_are_meant(member: str, tmp_path: Path) -> None:
    program = program_of(TAKE.replace("MEMBER", member + ";"), tmp_path)
    menus, told = Menus(program), set()
    for location in (each for each in program.locations if each.function == "take"):
        menu = menus.menu(location.id)
        for choice in menu.choices if menu is not None else ():
            made = choice.replacement
            if not isinstance(made, NewAssignment) or lvalue_text(made.target) != "s->left":
                continue
            if (written := text(made.value)) in STEPS:
                check(program, Patch((Edit(location.id, made),)))
                told.add(written)
                assert counts_down(made.target, made.value) == (written == STEPS[0])
                assert amount_added(made.target, made.value) is not None
    assert told == {*STEPS}
