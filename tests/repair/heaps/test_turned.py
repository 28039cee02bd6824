"""Repairs that differ only where a flag is not as it was are told apart, and no worse for that."""

from __future__ import annotations

from pathlib import Path

from playing import Play, program_of

from wolverine.core.graph import NodeId
from wolverine.core.patch import NO_EDITS, NewReturn, Repairs
from wolverine.core.trace import Problem
from wolverine.repair import search
from wolverine.repair.heaps.entries import cases
from wolverine.repair.menus.candidates import Menus

SHELF = """\
#include <stdlib.h>
#include <stdbool.h>
struct box { bool used; struct box *inside; };
struct box *tidy(struct box *b, int depth)
{
    if (b == NULL)
        return NULL;
    if (depth == 0) {
        b->used = false;
    } else {
        b->inside = tidy(b->inside, depth - 1);
    }
    if (ASKED) {
        free(b);
        return NULL;
    }
    return b;
}
struct box *put(struct box *inside)
{
    struct box *b = calloc(1, sizeof *b);
    b->inside = inside;
    return b;
}
int used(struct box *b)
{
    int n = 0;
    for (; b != NULL; b = b->inside) {
        if (b->used)
            n++;
    }
    return n;
}
int main(void)
{
    struct box *all = put(put(put(NULL)));
    all->inside->used = all->inside->inside->used = true;
    all = tidy(all, 2);
    return used(all);
}
"""
FAULTY, MEANT = "b->inside == NULL", "!b->used && b->inside == NULL"


def _problem(folder: Path) -> Problem:
    """The innermost box goes; the one around it is used, and stays."""
    play = Play(program_of(SHELF.replace("ASKED", MEANT), folder))
    play.enter_function("tidy")
    play.to(1 + SHELF[: SHELF.index("return used(all)")].count("\n"), "main")
    play.spec()
    return Problem(program_of(SHELF.replace("ASKED", FAULTY), folder), (play.trace(),))


def test_repairs_that_differ_where_a_flag_is_turned_are_told_apart(tmp_path: Path) -> None:
    answer = search(_problem(tmp_path))
    assert isinstance(answer, Repairs)
    found = {isinstance(each.patch.edits[0].replacement, NewReturn): each for each in answer.candidates}
    asking, leaving = found[False], found[True]  # b is kept where it is not used any more, either
    assert asking.behaviour == 1
    assert leaving.behaviour == 2
    # Nothing tells whether flags may be so together: nothing speaks against it.
    assert (leaving.changed, leaving.broken) == (asking.changed, asking.broken)
    assert leaving.against - leaving.score == asking.against - asking.score


def test_flags_are_turned_in_what_was_given(tmp_path: Path) -> None:
    problem = _problem(tmp_path)
    [trace] = problem.traces
    tried = cases(problem.program, trace, Menus(problem.program), NO_EDITS, {"tidy"})
    turned = [case for case in tried if case.turned]
    given = {place: value for place, value in trace.start.cells.items() if isinstance(place.object, NodeId)}
    assert len(turned) == sum(node.state == "live" for node in trace.start.nodes.values())
    for case in turned:
        assert case.doubtful
        assert sum(case.heap.cells[place] != value for place, value in given.items()) == 1
