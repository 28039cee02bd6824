"""What the choices of a bench come to: all repairs, or those that a share of the work finds."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, program_of

from wolverine.repair.execution.work import Work
from wolverine.repair.explicit.bench import Bench, bench_of
from wolverine.repair.menus.candidates import Menus

TEXT = """\
#include <stdlib.h>
struct node { int key; struct node *next; };
struct node *head;
void push(int key) {
    struct node *n = malloc(sizeof *n);
    n->key = key;
    n->next = head;
    head = n;
}
int last(void) {
    struct node *n = head;
    while (n->next != NULL)
        n = n->next;
    return n->key;
}
int main(void) {
    int found = last();
    push(found);
    return 0;
}
"""


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    play = Play(program_of(TEXT, tmp_path))
    play.enter_function("last")
    play.crash()
    problem = play.problem()
    return bench_of(problem, Menus(problem.program, guarded=True))


def looked(bench: Bench, most: int | None) -> tuple[int, bool]:
    found, complete = bench.looked(Work(bench.problem.budget, lambda: False), 1, most)
    return len(found), complete


def test_a_share_of_the_work_may_not_find_all(bench: Bench) -> None:
    every, complete = looked(bench, None)
    assert complete
    assert every
    some, complete = looked(bench, 20)
    assert not complete
    assert some < every


def test_functions_that_are_left_out_are_not_edited(bench: Bench) -> None:
    program = bench.problem.program
    everywhere, within = bench, bench.within({"last"})
    for each, wanted in ((everywhere, {"last", "push", "main"}), (within, {"last"})):
        locations = (location for found in each.editable.values() for location in found.values())
        assert {program.location(location).function for location in locations} <= wanted
    assert looked(within, None)[0]
    assert looked(bench.within(()), None) == (0, True)


def test_functions_are_looked_at_one_by_one_the_small_ones_first(bench: Bench) -> None:
    location = bench.problem.program.location
    found = [
        {location(each).function for places in single.editable.values() for each in places.values()}
        for single in bench.singly({"main", "push", "last", "elsewhere"})
    ]
    assert all(len(each) == 1 for each in found)
    sizes = [len(bench.editable[name]) for each in found for name in each]
    assert sizes == sorted(sizes)
    assert set.union(*found) == {"main", "push", "last"} & bench.editable.keys()
