"""Repairs under which the execution crashes, or has no end, behind what was asserted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from playing import Play, crash, program_of

from wolverine.core.expressions import Constant
from wolverine.core.patch import NO_EDITS, Edit, NewValue, Patch, Repairs
from wolverine.core.program import Branch, Program
from wolverine.core.trace import Budget, Problem
from wolverine.core.types import INT
from wolverine.repair.engine.answer import search
from wolverine.repair.ranking.aftermath import ending_badly

WALK = """\
#include <stdlib.h>
struct cell { int left; struct cell *next; };
static struct cell *last(struct cell *at)
{
    while (at->next != NULL)
        at = at->next;
    while (at->left > 0)
        at->left = at->left - 1;
    return at;
}
int main(void)
{
    struct cell *one = calloc(1, sizeof *one);
    one->next = calloc(1, sizeof *one);
    one->next->left = 3;
    one->next->next = NULL;
    last(one)->left = last(NULL)->left;
    return 0;
}
"""


def _always(program: Program, condition: str, value: int) -> Patch:
    [location] = [
        step.location
        for step in program.functions["last"].code
        if isinstance(step, Branch) and program.location(step.location).text == condition
    ]
    return Patch((Edit(location, NewValue(Constant(value, INT))),))


def test_some_crash_or_have_no_end_where_others_come_to_it(tmp_path: Path) -> None:
    play = Play(program_of(WALK.replace("last(NULL)", "one"), tmp_path))
    play.enter_function("last")
    problem = play.problem()
    program, [trace] = problem.program, problem.traces
    beyond, short = (_always(program, "at->next != NULL", value) for value in (1, 0))
    for_ever = _always(program, "at->left > 0", 1)
    assert ending_badly(program, trace, [beyond, short, for_ever, NO_EDITS]) == [True, False, True, False]
    assert ending_badly(program, trace, [beyond, for_ever]) == [False, False]


def test_where_all_of_them_crash_it_is_another_fault(tmp_path: Path) -> None:
    problem = crash(WALK, "last", tmp_path)
    short = _always(problem.program, "at->next != NULL", 0)
    assert ending_badly(problem.program, problem.traces[0], [NO_EDITS, short]) == [False, False]


# What is split in two is split again, until there is nothing to split.
SPLIT = """\
#include <stdlib.h>
struct cell { int key; struct cell *next; };
static struct cell *split(struct cell *all)
{
    struct cell *near = all, *far = all;
    while (far != NULL && far->next != NULL) {
        near = near->next;
        far = far->next->next;
    }
    all = near->next;
    near->next = NULL;
    return all;
}
static int depth(struct cell *all)
{
    struct cell *rest;
    int here, there;
    if (all->next == NULL)
        return 0;
    rest = split(all);
    here = depth(all);
    there = depth(rest);
    return 1 + (here > there ? here : there);
}
int main(void)
{
    struct cell *all = NULL;
    int i;
    for (i = 0; i < 4; i++) {
        struct cell *cell = malloc(sizeof *cell);
        cell->key = i;
        cell->next = all;
        all = cell;
    }
    return depth(all);
}
"""


def test_what_recurses_for_ever_behind_what_was_asserted_comes_later(tmp_path: Path) -> None:
    """That one round is enough for four does not say that there is always one."""
    play = Play(program_of(SPLIT, tmp_path))
    play.enter_function("split")
    lines = SPLIT.split("\n")
    play.to(1 + lines.index("    while (far != NULL && far->next != NULL) {"))
    play.force(True)
    play.to(1 + lines.index("    while (far != NULL && far->next != NULL) {"))
    play.force(False)
    play.to(1 + lines.index("    return all;"))
    play.spec("near", "n4->next", "n3->next", "n2->next", "all")
    program, [trace] = play.program, play.problem().traces
    [condition] = [
        each.id for each in program.locations if each.kind == "condition" and "far->next" in each.text
    ]
    trace = replace(trace, steered=frozenset({condition}))
    found = search(Problem(program, (trace,), Budget(work=500_000)))
    assert isinstance(found, Repairs)
    first, *others = found.candidates
    bad = next(each for each in others if each.patch.edits[0].location == condition)
    assert ending_badly(program, trace, [first.patch, bad.patch]) == [False, True]
    assert bad.score < first.score
