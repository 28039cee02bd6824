"""Repairs under which the execution comes later, or never, to where a picture was right."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playing import Play, program_of, unseen

from wolverine.core.expressions import Binary, Constant, Expression
from wolverine.core.graph import Uninitialised
from wolverine.core.patch import Candidate, Deletion, Edit, NewValue, Patch, Replacement
from wolverine.core.program import Assign, Branch
from wolverine.core.trace import Assertion, End, Problem, Trace
from wolverine.core.types import INT
from wolverine.repair.engine.approved import _comes_to_approved

PURSE = """\
#include <stdlib.h>
struct coin { int value; struct coin *next; };
struct purse { int coins; struct coin *top, *bottom; };
void put(struct purse *p, int value)
{
    struct coin *c = malloc(sizeof *c);
    c->value = value;
    c->next = p->top;
    if (p->top == NULL)
        p->bottom = c;
    p->top = c;
    p->coins++;
}
void take(struct purse *p)
{
    struct coin *c = p->top;
    if (c->next != NULL) {
        p->top = c->next;
    }
    free(c);
    p->coins--;
}
int main(void)
{
    int moves[5] = {5, 0, 7, 8, 0}, k;
    struct purse *p = calloc(1, sizeof *p);
    for (k = 0; k < 5; k++) {
        if (moves[k] > 0)
            put(p, moves[k]);
        else if (p->coins > 0)
            take(p);
        p->coins += 0;
    }
    return p->coins;
}
"""


def emptied(tmp_path: Path) -> Problem:
    """The purse as the only coin is taken was right, and is not when that is done."""
    play = Play(program_of(PURSE, tmp_path))
    play.to(26, "main")
    play.open()
    play.to(16, "take")
    graph = play.graph
    cells = {place: held for place, held in graph.cells.items() if not isinstance(held, Uninitialised)}
    states = {number: node.state for number, node in graph.nodes.items()}
    picture = Assertion(play.position(), cells, states)
    way = End(play.position())
    play.to(31, "main")
    play.change("n1->top", "null")
    play.change("n1->bottom", "null")
    play.spec()
    problem = unseen(play.problem())
    [trace] = problem.traces
    approved = Trace(trace.start, trace.start_stack, (way,), pictured=(picture,))
    return replace(problem, traces=(replace(trace, approved=approved),))


def condition(problem: Problem, line: int) -> tuple[int, Expression]:
    """The location of a condition in `main`, and what it asks."""
    for step in problem.program.functions["main"].code:
        if isinstance(step, Branch) and problem.program.location(step.location).line == line:
            return step.location, step.condition
    raise AssertionError(f"there is no condition at line {line}")


def candidate(location: int, replacement: Replacement) -> Candidate:
    return Candidate(Patch((Edit(location, replacement),)), 1, 1.0, 0, 0, 1)


@pytest.mark.parametrize(("least", "comes"), [(1, True), (5, False), (9, False)])
def test_who_makes_the_call_in_another_round_makes_another_call(
    least: int, comes: bool, tmp_path: Path
) -> None:
    problem = emptied(tmp_path)
    at, asked = condition(problem, 28)
    assert isinstance(asked, Binary)
    made = replace(asked, right=Constant(least, INT))
    assert _comes_to_approved(problem, candidate(at, NewValue(made))) is comes


def test_what_comes_behind_the_picture_is_no_concern_of_it(tmp_path: Path) -> None:
    problem = emptied(tmp_path)
    [at] = [
        step.location
        for step in problem.program.functions["take"].code
        if isinstance(step, Assign) and problem.program.location(step.location).line == 21
    ]
    assert _comes_to_approved(problem, candidate(at, Deletion()))
