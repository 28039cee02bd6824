"""What is done instead of statements that are passed over in a special case."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import crash, program_of

from wolverine.core.expressions import Load
from wolverine.core.program import Gap
from wolverine.frontend import emit, parse_expression
from wolverine.repair import search
from wolverine.repair.menus.skips import skips

PUT = """\
#include <stdlib.h>
struct leaf { int key; struct leaf *low, *high; };
struct plant { struct leaf *top; int leaves; };
static void put(struct plant *p, int key)
{
    struct leaf *above = NULL, *at = p->top;
    struct leaf *made;
    while (at != NULL) {
        above = at;
        at = key < at->key ? at->low : at->high;
    }
    made = calloc(1, sizeof *made);
    made->key = key;
    ARMS
    p->leaves++;
}
int main(void)
{
    struct plant p = {NULL, 0};
    put(&p, 3);
    put(&p, 2);
    return p.leaves;
}
"""
LOW_OR_HIGH = "if (key < above->key)\n        above->low = made;\n    else\n        above->high = made;"


def test_what_both_arms_store_is_stored_where_there_is_nothing_yet(tmp_path: Path) -> None:
    problem = crash(PUT.replace("ARMS", LOW_OR_HIGH), "put", tmp_path)
    repaired = emit(problem.program, search(problem).candidates[0].patch)[0].decode()  # type: ignore[arg-type]
    arms = repaired.partition("made->key = key;")[2].partition("p->leaves++;")[0]
    assert " ".join(arms.replace("NULL", "0").split()).startswith("if (above == 0) p->top = made; else {")


@pytest.mark.parametrize(
    ("arms", "stored"),
    [
        (LOW_OR_HIGH, True),
        ("if (key < above->key)\n        above->low = made;\n    else\n        above->high = at;", False),
        ("while (key < above->key)\n        above->low = made;", False),
    ],
)
def test_it_is_one_value(arms: str, stored: bool, tmp_path: Path) -> None:
    program = program_of(PUT.replace("ARMS", arms), tmp_path)
    put, line = program.functions["put"], PUT.partition("ARMS")[0].count("\n") + 1
    index = next(
        at
        for at, step in enumerate(put.code)
        if type(step) is Gap and program.location(step.location).line == line
    )
    top = parse_expression(program, "put", "p->top")
    assert isinstance(top, Load)
    made = skips(program, put, index, {"p", "made", "above", "at", "key"}, [top.place])
    assert any(each.instead is not None for each in made) is stored
