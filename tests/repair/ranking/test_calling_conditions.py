"""Tests that are put in front of a condition that calls."""

from __future__ import annotations

from pathlib import Path

from playing import best, crash

from wolverine.core.patch import Edit, ShortCircuit
from wolverine.core.program import Before
from wolverine.frontend import parse_expression
from wolverine.repair.ranking.rank import scores_of

GATE = """\
#include <stdlib.h>
struct guest { int name; struct guest *next; };
static int called(int n) { return n + 1; }
static int turned_away(struct guest *g, int n)
{
    if (g->name != called(n))
        return 1;
    return 0;
}
static int enter(void)
{
    struct guest *g = calloc(1, sizeof *g);
    int away;
    g->name = 1;
    away = turned_away(g, 0) + turned_away(g->next, 0);
    free(g);
    return away;
}
int main(void) { return enter(); }
"""


def test_a_pointer_is_looked_at_before_the_condition_goes_through_it(tmp_path: Path) -> None:
    problem = crash(GATE, "enter", tmp_path)
    program = problem.program
    scores = scores_of(program, problem.traces[0])
    [slot] = [s.location for s in program.functions["turned_away"].code if isinstance(s, Before)]

    def distance(operator: str, test: str) -> float:
        assert operator in ("&&", "||")
        made = ShortCircuit(operator, parse_expression(program, "turned_away", test))
        return scores.edit(Edit(slot, made))

    assert distance("||", "g == NULL") < 1.5 < distance("||", "g != NULL")
    assert distance("&&", "g != NULL") < 1.5 < distance("&&", "g == NULL")
    assert distance("||", "g == NULL") < distance("||", "n == 0")
    made = best(problem).patch.edits[0].replacement
    assert isinstance(made, ShortCircuit)
