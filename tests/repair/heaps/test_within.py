"""Numbers that the callers of a function keep below others."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, program_of

from wolverine.core.graph import Place, Pointer
from wolverine.repair.heaps.ensured import as_called
from wolverine.repair.heaps.within import Bound, brought_within, keeps_within, within
from wolverine.semantics.fresh import fresh_graphs

CARDS = """\
#include <stdio.h>
#include <stdlib.h>
struct card { int rank; struct card *under; };
struct deck { struct card *top; int left; };
int players;
static void drop(struct deck *d, int at)
{
    struct card **link = &d->top, *gone;
    while (at-- > 0)
        link = &(*link)->under;
    gone = *link;
    *link = gone->under;
    d->left--;
    free(gone);
}
static void add(struct deck *d, int rank)
{
    struct card *c = malloc(sizeof *c);
    c->rank = rank;
    c->under = d->top;
    d->top = c;
    d->left++;
}
static int turn(int player) { return player + 1; }
static int played(struct deck *d, int at)
{
    if (at < 0)
        return 0;
    if (at >= d->left)
        return 0;
    drop(d, at);
    return 1;
}
int main(void)
{
    struct deck all = {NULL, 0};
    int least = 2;
    add(&all, 1);
    add(&all, 2);
    add(&all, 3);
    if (all.left > 1 && all.top != NULL)
        drop(&all, 1);
    if (players >= least)
        turn(least);
    return played(&all, 0);
}
"""
AT, LEFT = 1, 8
FEWER = {Bound(AT, True, 0, LEFT), Bound(AT, False, 0, LEFT)}


def test_what_each_call_stands_behind_holds_in_the_function(tmp_path: Path) -> None:
    program = program_of(CARDS, tmp_path)
    assert within(program, "drop") == FEWER
    assert within(program, "turn") == {Bound(0, False, name="players")}
    assert within(program, "played") == within(program, "add") == frozenset()


@pytest.mark.parametrize(
    ("there", "instead", "wanted"),
    [
        ("at >= d->left", "at > d->left", {Bound(AT, False, 0, LEFT)}),
        ("at >= d->left", "!(d->left > at)", FEWER),
        ("at >= d->left", "at >= d->left && d->top", set()),  # one of the two was false
        ("at >= d->left", "at >= d->top->rank", set()),  # of no field of what is passed
        ("drop(d, at)", "d = d; drop(d, at)", set()),  # what comes between may have changed it
        ("all.left > 1", "all.left > 0", {Bound(AT, False, 0, LEFT)}),
        ("all.left > 1", "all.left >= 0", set()),
        ("drop(&all, 1)", "(drop(&all, 1), drop(&all, 0))", set()),
        # a call that only looks at something has not
        ("drop(&all, 1)", 'drop(&all, (atoi("x"), 1))', FEWER),
        ("drop(&all, 1)", 'drop(&all, (puts("x"), 1))', set()),
    ],
)
def test_one_call_that_does_not_is_enough(
    there: str, instead: str, wanted: set[Bound], tmp_path: Path
) -> None:
    assert CARDS.count(there) == 1
    assert within(program_of(CARDS.replace(there, instead), tmp_path), "drop") == wanted


def test_no_test_is_found_where_nothing_leads(tmp_path: Path) -> None:
    """A loop behind a `return` goes round, and nothing comes before it."""
    dead = CARDS.replace("    drop(d, at);", "    return 1;\n    while (at < d->left) ;\n    drop(d, at);")
    assert within(program_of(dead, tmp_path), "drop") <= FEWER


def test_heaps_have_as_many_nodes_as_are_gone_by(tmp_path: Path) -> None:
    program = program_of(CARDS, tmp_path)
    play = Play(program)
    play.enter_function("drop")
    assert play.begin is not None
    heaps = fresh_graphs(program, play.begin, (("drop", 0),), limit=60)
    kept = as_called(program, "drop", heaps)
    assert 4 <= len(kept) < len(heaps)
    for heap in kept:
        given = {getattr(p.object, "name", ""): v for p, v in heap.cells.items() if p.offset == 0}
        assert isinstance(given["d"], Pointer)
        at, left = given["at"], heap.cells[Place(given["d"].object, given["d"].offset + LEFT)]
        assert isinstance(at, int) and isinstance(left, int) and at < left


def test_numbers_are_brought_within_where_few_heaps_keep_them(tmp_path: Path) -> None:
    program = program_of(CARDS, tmp_path)
    play = Play(program)
    play.enter_function("drop")
    assert play.begin is not None
    heaps = fresh_graphs(program, play.begin, (("drop", 0),), limit=60)
    bounds = within(program, "drop")
    beyond = [heap for heap in heaps if not keeps_within(program, "drop", heap, bounds)]
    brought = [heap for each in beyond if (heap := brought_within(program, "drop", each, bounds)) is not None]
    assert len(brought) >= 4
    assert all(keeps_within(program, "drop", heap, bounds) for heap in brought)
    assert all(keeps_within(program, "drop", heap, bounds) for heap in as_called(program, "drop", beyond))
