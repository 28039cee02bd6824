"""A step that a loop makes twice in each round."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.patch import Deletion, Edit, NewReturn, Patch
from wolverine.core.program import Assign
from wolverine.repair.source.repeated import deletes_repeated, made_again

TEXT = """\
struct node { int v; struct node *next; };
static int walk(struct node *head, int n)
{
    struct node *p = head;
    int i = 0;
    LOOP
    return n + i;
}
int main(void) { return walk(0, 0); }
"""

LOOPS = {
    "in the header of a for": ("for (; p; p = p->next) { n += p->v; p = p->next; }", 1),
    "in a while": ("while (p) { n += p->v; p = p->next; p = p->next; }", 1),
    "numbers": ("for (; i < n; i++) { n--; i++; }", 1),
    "once": ("while (p) { n += p->v; p = p->next; }", 0),
    "no loop": ("p = p->next; p = p->next;", 0),
    "another step": ("for (; p; p = p->next) { n += p->v; p = p->next->next; }", 0),
    "in some rounds": ("for (; p; p = p->next) { if (p->v) p = p->next; }", 0),
    "pairs": ("for (; p; p = p->next) { n += p->v - p->next->v; p = p->next; }", 0),
    "pairs with a test": ("for (; p && p->next; p = p->next) { n += p->v; p = p->next; }", 0),
    "something in between": ("while (p) { p = p->next; n += p->v; p = p->next; }", 0),
}


@pytest.mark.parametrize(("loop", "count"), LOOPS.values(), ids=LOOPS)
def test_a_step_is_made_again_right_behind(loop: str, count: int, tmp_path: Path) -> None:
    program = program_of(TEXT.replace("LOOP", loop), tmp_path)
    function = program.functions["walk"]
    steps = [i for i, step in enumerate(function.code) if isinstance(step, Assign)]
    again = [i for i in steps if made_again(function, i)]
    assert len(again) == count
    for index in steps:
        location = function.code[index].location
        assert deletes_repeated(program, Patch((Edit(location, Deletion()),))) is (index in again)
        assert not deletes_repeated(program, Patch((Edit(location, NewReturn(None)),)))
