"""An argument of a macro is another one wherever it stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.patch import Edit
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.wording import replacement_text
from wolverine.repair.ranking.score import Scores

HEIGHTS = """\
struct tree { int height; struct tree *low, *high; };
#define HEIGHT(t) ((t) ? (t)->height : -1)
static int last(int n) { return n; }
void measure(struct tree *t, int n) {
    t->height = HEIGHT(t->low) + 1;
    if (HEIGHT(t->low) > n)
        n = 0;
    last(HEIGHT(t->low));
}
int main(void) { return 0; }
"""
BOTH, FIRST = "t->high ? t->high->height : -1", "t->high ? t->low->height : -1"


@pytest.mark.parametrize(("line", "form"), [(5, "t->height = ({}) + 1"), (6, "({}) > n"), (8, "{}")])
def test_it_is_one_change(line: int, form: str, tmp_path: Path) -> None:
    program = program_of(HEIGHTS, tmp_path)
    menus, scores = Menus(program), Scores(program)
    found = {}
    for location in menus.indices("measure"):
        where, menu = program.location(location), menus.menu(location)
        if where.line == line and where.kind != "gap" and menu is not None:
            for choice in menu.choices:
                edit = Edit(location, choice.replacement)
                found[replacement_text(choice.replacement)] = scores.edit(edit)
    both, first = found[form.format(BOTH)], found[form.format(FIRST)]
    assert both <= 1.0 < first
