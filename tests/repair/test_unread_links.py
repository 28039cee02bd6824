"""Links that nobody follows: that they lead to a freed node is no harm."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import best, crash, program_of, words

from wolverine.repair.execution.accepted import choices_of
from wolverine.repair.heaps.entries import cases
from wolverine.repair.heaps.outcomes import Bench
from wolverine.repair.heaps.runs import Runs
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.ranking.twofold import over_one_link
from wolverine.repair.source.unread import unread

RING = """\
#include <stdlib.h>
struct node { int key; struct node *parent, *child, *sibling; };
struct heap { struct node *first; };
static struct node *made(int key)
{
    struct node *n = malloc(sizeof *n);
    n->key = key;
    n->parent = n->child = NULL;
    n->sibling = n;
    return n;
}
static void drop(struct heap *h)
{
    struct node *gone = h->first, *last = gone, *below;
    while (last->sibling != gone)
        last = last->sibling;
    free(gone);
    below = h->first->child;
    h->first = below;
}
int main(void)
{
    struct heap *h = malloc(sizeof *h);
    h->first = made(1);
    h->first->child = made(2);
    h->first->child->parent = h->first;
    h->first->child->sibling = made(3);
    h->first->child->sibling->sibling = h->first->child;
    h->first->child->sibling->parent = h->first;
    drop(h);
    return 0;
}
"""
PARENT, CHILD, SIBLING = 8, 16, 24


def test_what_is_only_set_is_not_read(tmp_path: Path) -> None:
    assert unread(program_of(RING, tmp_path)) == {PARENT}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("int main(void)\n{", "int main(void)\n{\n    struct node *up = made(0)->parent;"),
        ("int main(void)\n{", "int main(void)\n{\n    struct node **at = &made(0)->parent;"),
        ("int main(void)\n{", "struct node **next(struct node **row) { return row + 1; }\nint main(void)\n{"),
        ("struct heap {", "struct row { struct node *all[3]; };\nstruct heap {"),
    ],
)
def test_what_may_be_read_at_its_offset_counts(old: str, new: str, tmp_path: Path) -> None:
    assert not unread(program_of(RING.replace(old, new), tmp_path))


def test_the_free_goes_behind_the_use_over_the_same_link(tmp_path: Path) -> None:
    problem = crash(RING, "drop", tmp_path, strict=True)
    [trace] = problem.traces
    assert over_one_link(problem.program, trace, 2)
    tried = cases(problem.program, trace, Menus(problem.program), problem.accepted, {"drop"})
    heaps = [case.heap for case in tried if case.function == "drop"]
    assert any(heap is trace.start for heap in heaps)  # rings are made by nobody but the program
    links = {
        value
        for heap in heaps
        for place, value in heap.cells.items()
        if place.object in heap.nodes and heap.nodes[place.object].size > SIBLING and place.offset == SIBLING
    }
    assert None not in links
    found = best(problem)
    assert "free(gone)" in words(problem.program, found)
    menus = Menus(problem.program)
    masks = choices_of(found.patch, menus)
    assert masks is not None
    indices = menus.indices("drop")
    editable = {"drop": {indices[location]: location for location in masks}}
    runs = Runs(problem.program, menus, editable, "drop", 1_000, tolerating=True)
    runs.seat(trace.start, trace)
    assert [ended.broken for ended in runs.run(masks)] == [0]
    glance = Bench(problem.program, "drop").glance(trace.start, found.patch)
    assert glance is not None
    assert not glance.fails
