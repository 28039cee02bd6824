"""Numbers are not written as truth values."""

from __future__ import annotations

from pathlib import Path

from playing import program_of

from wolverine.core.expressions import text
from wolverine.core.patch import NewAssignment, NewValue
from wolverine.core.program import Assign
from wolverine.repair.menus.candidates import Menus

SOURCE = """\
#include <stdbool.h>
static bool put(int n)
{
    int at = n + 2;
    bool full = at > 3;
    if (full)
        return false;
    return true;
}
int main(void) { return put(1); }
"""


def test_a_number_is_not_false(tmp_path: Path) -> None:
    program = program_of(SOURCE, tmp_path)
    menus = Menus(program)
    found: dict[str, set[str]] = {}
    for step in program.functions["put"].code:
        if isinstance(step, Assign) and (menu := menus.menu(step.location)) is not None:
            made = (choice.replacement for choice in menu.choices)
            values = {text(each.value) for each in made if isinstance(each, NewAssignment | NewValue)}
            found[text(step.value)] = values
    assert "false" not in found["n + 2"] and "0" in found["n + 2"]
    assert "false" in found["at > 3"]
