"""Whether a call found anything: who forgets to ask is reminded of what the others do."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import Binary, Constant, Load
from wolverine.core.patch import Edit, Guarded, NewCall, NewReturn
from wolverine.core.program import Assign, Gap
from wolverine.core.types import INT
from wolverine.repair.ranking.score import Scores
from wolverine.repair.source.asked import Asked

COUNTS = """\
#include <stdlib.h>
struct count { int of, times; struct count *next; };
static struct count *counts;
static struct count *find(int of)
{
    struct count *c = counts;
    while (c != NULL && c->of != of)
        c = c->next;
    return c;
}
static void count(int of)
{
    struct count *c = malloc(sizeof *c);
    c->of = of;
    c->times = 1;
    c->next = counts;
    counts = c;
}
static void again(int of)
{
    struct count *c = find(of);
    c->times++;
}
static int times(int of)
{
    struct count *c = find(of);
ASKED    return c->times;
}
int main(void)
{
    count(3);
    again(3);
    again(4);
    return times(3) + times(4);
}
"""


@pytest.mark.parametrize(
    ("asked", "nearer"), [("    if (c == NULL)\n        return 0;\n", True), ("", False)]
)
def test_what_others_ask_is_asked_rather(asked: str, nearer: bool, tmp_path: Path) -> None:
    program = program_of(COUNTS.replace("ASKED", asked), tmp_path)
    function = program.functions["again"]
    at, stored = max(
        (at, s) for at, s in enumerate(function.code) if isinstance(s, Assign) and s.location >= 0
    )
    found = next(
        s.target for s in function.code if isinstance(s, Assign) and s.target.type != stored.target.type
    )
    gap = next(i for i in range(at - 1, 0, -1) if isinstance(function.code[i], Gap))
    missing = Binary("==", Load(found), Constant(0, found.type), INT)
    leaving = Edit(function.code[gap].location, Guarded(missing, NewReturn()))
    assert Asked(program).leaves(function, gap, leaving.replacement) == nearer
    making = Edit(function.code[gap].location, NewCall("count", (Load(function.parameters[0]),)))
    scores = Scores(program)
    assert (scores.edit(leaving) < scores.edit(making)) == nearer
