"""Loops that take away in each round from what their condition asks for."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import lvalue_text
from wolverine.core.patch import Edit, NewJump
from wolverine.core.program import Assign, Gap
from wolverine.repair.ranking.score import Scores
from wolverine.repair.source.worked_off import leaves_work

OVEN = """\
struct loaf { int rest; struct loaf *next; };
struct loaf *oven, *rack;
static struct loaf *take(void) { struct loaf *p = oven; oven = p->next; return p; }
static void put(struct loaf **where, struct loaf *p) { p->next = *where; *where = p; }
void bake(struct loaf **at)
{
    struct loaf *p;
    LOOP
}
int main(void) { bake(&oven); return 0; }
"""


@pytest.mark.parametrize(
    ("loop", "left"),
    [
        ("while (oven) { p = take(); if (p->rest > 0) { p->rest--; } put(&rack, p); }", True),
        ("while (*at) { p = *at; *at = p->next; if (p->rest > 0) { p->rest--; } put(&rack, p); }", True),
        # it looks for something
        ("for (p = oven; p; p = p->next) { if (p->rest > 0) { p->rest--; } put(&rack, p); }", False),
        ("p = oven; while (p) { if (p->rest > 0) { p->rest--; } p = p->next; }", False),
        # or it takes away the one that it has looked for
        ("while (*at) { p = *at; if (p->rest > 0) { *at = p->next; p->rest--; } at = &p->next; }", False),
    ],
)
def test_what_a_break_leaves_behind(loop: str, left: bool, tmp_path: Path) -> None:
    program = program_of(OVEN.replace("LOOP", loop), tmp_path)
    code = program.functions["bake"].code
    scores = Scores(program)
    [index] = [
        at
        for at, step in enumerate(code)
        if isinstance(step, Gap) and step.leaves >= 0 and at > 0
        if isinstance(before := code[at - 1], Assign) and lvalue_text(before.target) == "p->rest"
    ]
    assert leaves_work(code, index) is left
    location = code[index].location
    out, on = (scores.edit(Edit(location, NewJump(each))) for each in ("break", "continue"))
    assert (on < out) is left
