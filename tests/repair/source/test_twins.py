"""Functions that are another one with names exchanged, but for one statement."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.patch import Edit, Patch
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.wording import describe
from wolverine.repair.ranking.score import Scores
from wolverine.repair.source.twins import Twins

BOXES = """\
#include <stdlib.h>
struct box { struct box *up, *down; int height, width; };
void measure(struct box *b) { b->height = 1 + (b->up ? b->up->height : 0) + (b->down ? b->down->height : 0); }
void above(struct box *base, struct box *fresh) {
    fresh->up = base->up;
    fresh->down = base;
    base->up = fresh;
    measure(base);
    measure(fresh);
    fresh->width = base->width;
}
void below(struct box *top, struct box *added) {
    added->down = top->down;
    added->up = top;
    top->down = added;
    measure(top);
    measure(added);
    added->width = top->width;
}
int main(void) { struct box a = {0}, b = {0}, c = {0}; above(&a, &b); below(&a, &c); return c.width; }
"""


def inserted(source: str, words: str, folder: Path) -> float:
    """How far that statement is where it is nearest in `below`."""
    program = program_of(source, folder)
    menus, scores = Menus(program, calls=True), Scores(program)
    gaps = [each.id for each in program.locations if each.kind == "gap" and each.function == "below"]
    patches = [
        Patch((Edit(gap, choice.replacement),))
        for gap in gaps
        if (menu := menus.menu(gap)) is not None
        for choice in menu.choices
    ]
    return min(scores.patch(each) for each in patches if words in describe(program, each))


@pytest.mark.parametrize("lacking", ["    measure(top);\n", "    added->width = top->width;\n"])
def test_what_a_function_lacks_that_is_another_one_up_to_its_names_is_near(
    lacking: str, tmp_path: Path
) -> None:
    source = BOXES.replace(lacking, "")
    words = lacking.strip(" ;\n")
    unlike = source.replace("base->up = fresh;", "base->up = NULL;")
    near = inserted(source, words, tmp_path)
    assert near < 1.0
    assert near < inserted(unlike, words, tmp_path) - 0.5


def test_a_call_is_lacking_only_where_the_rest_is_the_same(tmp_path: Path) -> None:
    lacking = Twins(program_of(BOXES.replace("    measure(top);\n", ""), tmp_path))
    assert lacking.lacks_a_call("below")
    assert not lacking.lacks_a_call("above")
    unlike = BOXES.replace("    measure(top);\n", "").replace("added->up = top;", "added->up = NULL;")
    assert not Twins(program_of(unlike, tmp_path)).lacks_a_call("below")
