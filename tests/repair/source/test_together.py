"""Cells that are null together: the rules that inputs keep, and repairs that break them elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from playing import Play, program_of

from wolverine.core.graph import MemoryGraph, Place
from wolverine.core.patch import Patch, Repairs
from wolverine.core.trace import Problem
from wolverine.core.types import StructReference
from wolverine.repair import search
from wolverine.repair.heaps.entries import cases
from wolverine.repair.heaps.outcomes import Bench
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.source.together import Cell, Together, together
from wolverine.semantics.compiled import compile_program

DEQUE = """#include <stdlib.h>
struct node { int item; struct node *left, *right; };
struct deque { struct node *front, *back; int length; };
void push_front(struct deque *d, int item) {
    struct node *n = malloc(sizeof *n);
    n->item = item;
    n->left = NULL;
    n->right = d->front;
    if (d->front)
        d->front->left = n;
    if (!d->back)
        d->back = n;
    d->front = n;
    d->length++;
}
int pop_back(struct deque *d) {
    struct node *n = d->back;
    int item = n->item;
    d->back = n->left;
    if (d->back)
        d->back->right = NULL;
    free(n);
    d->length--;
    return item;
}
int main(void) {
    struct deque *d = malloc(sizeof *d);
    d->front = NULL;
    d->back = NULL;
    d->length = 0;
    push_front(d, 1);
    pop_back(d);
    return 0;
}
"""


def _play(folder: Path) -> Play:
    play = Play(program_of(DEQUE, folder))
    play.enter_function("pop_back")
    play.to(24)
    return play


def _heaps(problem: Problem) -> list[MemoryGraph]:
    found = cases(problem.program, problem.traces[0], Menus(problem.program), Patch(), {"pop_back"})
    return [case.heap for case in found if case.function == "pop_back"]


def test_ends_that_are_null_together_are_found_unless_the_assertion_parts_them(tmp_path: Path) -> None:
    play = _play(tmp_path)
    play.change("n1->front", "null")
    play.spec()
    problem = play.problem()
    layout = compile_program(problem.program).layout
    heaps = _heaps(problem)
    ends = ("deque", 0), ("deque", 8)  # front and back; a node has the same size
    assert ends in _cells(together(layout, heaps, problem.traces[0]))
    parted = _play(tmp_path)
    parted.spec()  # front leads to the freed node, back is null
    assert ends not in _cells(together(layout, heaps, parted.problem().traces[0]))


def _cells(rules: Iterable[Together]) -> set[tuple[Cell, Cell]]:
    return {(one, two) for one, two in rules}


def test_the_end_of_a_deque_is_cleared_only_where_it_becomes_empty(tmp_path: Path) -> None:
    play = _play(tmp_path)
    play.change("n1->front", "null")
    play.spec()
    problem = play.problem()
    found = search(problem)
    assert isinstance(found, Repairs)
    bench = Bench(problem.program, "pop_back")
    parted, heaps = 0, _heaps(problem)
    for heap in heaps:
        [header] = [n.id for n in heap.nodes.values() if n.type == StructReference("deque")]
        outcome = bench.outcome(heap, found.candidates[0].patch)
        assert outcome is not None
        if not outcome.crash:
            left = dict(outcome.cells)
            parted += (left[Place(header, 0)] is None) != (left[Place(header, 8)] is None)
    assert parted * 4 < len(heaps)  # where the last node leads on, too


LOCKERS = """#include <stdlib.h>
struct pupil { int age; struct pupil *next; };
struct hall { struct pupil *pupils, *locker[4]; int used; };
void takes(struct hall *h, int number) {
    struct pupil *p = calloc(1, sizeof *p);
    p->next = h->pupils;
    h->pupils = p;
    h->locker[number] = p;
    h->used++;
}
int main(void) {
    struct hall *h = calloc(1, sizeof *h);
    takes(h, 2);
    takes(h, 0);
    return h->used;
}
"""


def test_an_element_is_null_together_with_something_else_by_chance(tmp_path: Path) -> None:
    play = Play(program_of(LOCKERS, tmp_path))
    play.enter_function("takes")
    heaps = [play.graph]
    play.to(14, "main")
    play.spec()
    heaps.append(play.graph)
    layout = compile_program(play.program).layout
    pupils, used = ("hall", 0), ("hall", 40)
    assert _cells(together(layout, heaps, play.problem().traces[0])) == {(pupils, used)}
