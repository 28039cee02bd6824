"""A step that a loop makes twice in each round."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import Member
from wolverine.core.patch import Deletion, Edit, NewReturn, Patch
from wolverine.core.program import Assign
from wolverine.repair.ranking.score import Scores
from wolverine.repair.source.repeated import deletes_repeated, made_again, reckoned_again

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


TALLY = """\
#include <stdlib.h>
struct mark { int name, points; struct mark *next; };
static struct mark *first;
static void tally(struct mark *given, int more)
{
    struct mark *m = first;
    int found = 0;
    SUM
    first = m;
}
int main(void) { tally(NULL, 0); return 0; }
"""
SEARCH = (
    "while (m->next) { if (m->name == given->name) { m->points = m->points + more; break; } m = m->next; }"
)
SUMS = {
    "where it was found and behind": (
        SEARCH + " if (m->name == given->name) { m->points = m->points + more; free(given); }",
        [0],
    ),
    "behind only in other cases": (
        SEARCH + " if (m->name != given->name) m->points = m->points + more;",
        [],
    ),
    "another sum": (
        SEARCH + " if (m->name == given->name) m->points = m->points + found;",
        [],
    ),
    "what is tested changes": (
        "while (m->next) { if (m->points > more) { m->points = m->points - more; break; } m = m->next; }"
        " if (m->points > more) m->points = m->points - more;",
        [],
    ),
    "something is in between": (
        "m->points = m->points + more; m = m->next; m->points = m->points + more;",
        [],
    ),
    "round by round": ("while (m) { m->points = m->points + more; }", []),
    "counted": ("found = found + 1; found = found + 1;", []),
    "set": ("m->points = more; m->points = more;", []),
}


@pytest.mark.parametrize(("text", "wanted"), SUMS.values(), ids=SUMS)
def test_a_sum_is_made_again_where_the_same_test_leads(text: str, wanted: list[int], tmp_path: Path) -> None:
    program = program_of(TALLY.replace("SUM", text), tmp_path)
    function = program.functions["tally"]
    steps = [
        i
        for i, step in enumerate(function.code)
        if isinstance(step, Assign) and isinstance(step.target, Member)
    ]
    assert [number for number, index in enumerate(steps) if reckoned_again(function, index)] == wanted
    for number in wanted:
        gone = Edit(function.code[steps[number]].location, Deletion())
        other = Edit(function.code[steps[number + 1]].location, Deletion())
        scores = Scores(program)
        assert scores.edit(gone) < 1 < scores.edit(other)
