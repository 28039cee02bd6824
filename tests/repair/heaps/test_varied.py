"""Which fresh heaps are tried: those on which the function does different things."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, crash, program_of, words

from wolverine.core.graph import MemoryGraph, NodeId, Pointer
from wolverine.core.patch import Repairs
from wolverine.core.program import Program
from wolverine.repair import search
from wolverine.repair.heaps.varied import varied
from wolverine.semantics.fresh import fresh_graphs

TAKE = """\
#include <stdlib.h>
struct node { int v; struct node *next; };
struct node *head;
void push(int v) {
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->next = head;
    head = n;
}
void take(int v) {
    struct node **at = &head;
    while (*at != NULL && (*at)->v != v)
        at = &(*at)->next;
    if (*at != NULL)
        *at = (*at)->next;
}
int main(void) {
    push(1); push(2); push(3);
    take(2);
    return 0;
}
"""


@pytest.fixture
def given(tmp_path: Path) -> tuple[Program, list[MemoryGraph]]:
    program = program_of(TAKE, tmp_path)
    play = Play(program)
    play.enter_function("take")
    assert play.begin is not None
    return program, fresh_graphs(program, play.begin, (("take", 0),), limit=200)


def taken(heap: MemoryGraph) -> object:
    """Which node of the list the function takes out, by number."""
    number = next(v for place, v in heap.cells.items() if getattr(place.object, "name", "") == "v")
    at, found = next(v for p, v in heap.cells.items() if getattr(p.object, "name", "") == "head"), 0
    while isinstance(at, Pointer):
        found += 1
        cells = {p.offset: v for p, v in heap.cells.items() if p.object == at.object}
        if cells[0] == number:
            return found
        at = cells[8]
    return None


def test_few_heaps_show_all_that_the_function_does(given: tuple[Program, list[MemoryGraph]]) -> None:
    program, heaps = given
    assert len(heaps) >= 20
    known = {(len(heap.nodes), taken(heap)) for heap in heaps}
    assert {(3, None), (3, 1), (3, 2), (3, 3)} <= known
    few = varied(program, "take", heaps, len(known) + 3, 1_000)
    assert {(len(heap.nodes), taken(heap)) for heap in few} >= {(3, None), (3, 1), (3, 2), (3, 3)}


def test_they_stay_in_order_and_all_are_kept_where_they_are_few(
    given: tuple[Program, list[MemoryGraph]],
) -> None:
    program, heaps = given
    all_of_them = varied(program, "take", heaps, len(heaps), 1_000)
    assert [heap for heap in all_of_them if heap.nodes] == [heap for heap in heaps if heap.nodes]
    assert sum(not heap.nodes for heap in all_of_them) == 1  # without nodes it does the same for every number
    few = varied(program, "take", heaps, 9, 1_000)
    places = [next(i for i, heap in enumerate(heaps) if heap is each) for each in few]
    assert len(few) <= 9 and places == sorted(places)


PARTS = """\
#include <stdlib.h>
struct node { int v; struct node *next; };
struct node *parts(struct node *list, int v) {
    struct node *less = NULL, *same = NULL, *last = NULL;
    while (list != NULL) {
        struct node *rest = list->next;
        if (less->v == v) {
            if (same == NULL)
                same = last = list;
            else {
                last->next = list;
                last = list;
            }
        } else {
            list->next = less;
            less = list;
        }
        list = rest;
    }
    return same != NULL ? same : less;
}
int main(void) {
    struct node *one = calloc(1, sizeof *one);
    one->v = 1;
    return parts(one, 1)->v;
}
"""


@pytest.mark.thorough
def test_heaps_are_chosen_by_what_repairs_do_where_the_program_crashes_on_all(tmp_path: Path) -> None:
    """Only under a repair it is seen that two equal values come to statements to which nothing else comes."""
    problem = crash(PARTS, "parts", tmp_path)
    program, start = problem.program, problem.traces[0].start
    heaps = fresh_graphs(program, start, (("parts", 0),), limit=96)
    condition = next(each.id for each in program.locations if each.text == "less->v == v")
    found = search(problem)
    assert isinstance(found, Repairs)
    right = next(c.patch for c in found.candidates if words(program, c) == "list->v == v")
    assert right.at(condition) is not None
    chosen = varied(program, "parts", heaps, 12, 1_000, [right])
    assert any(twice(heap) for heap in chosen)
    assert not any(twice(heap) for heap in varied(program, "parts", heaps, 12, 1_000))


def twice(heap: MemoryGraph) -> bool:
    """Whether the value that is looked for is in two nodes."""
    wanted = next(v for place, v in heap.cells.items() if getattr(place.object, "name", "") == "v")
    held = [v for p, v in heap.cells.items() if isinstance(p.object, NodeId) and p.offset == 0]
    return held.count(wanted) > 1


TURN = """\
#include <stdlib.h>
struct tree { int v; struct tree *less, *more; };
struct tree *turn(struct tree *t) {
    struct tree *up = t->less;
    t->less = up->more;
    up->more = t;
    return up;
}
int main(void) {
    struct tree *one = calloc(1, sizeof *one), *two = calloc(1, sizeof *two);
    one->v = 1;
    one->more = two;
    two->v = 2;
    return turn(one)->v;
}
"""


def test_other_structures_come_before_other_orders_of_numbers(tmp_path: Path) -> None:
    """What hangs on the other side of a node the program does not read, but a repair may."""
    problem = crash(TURN, "turn", tmp_path)
    heaps = fresh_graphs(problem.program, problem.traces[0].start, (("turn", 0),), limit=96)
    chosen = varied(problem.program, "turn", heaps, 24, 1_000)
    assert trees(chosen) == trees(heaps)


def trees(heaps: list[MemoryGraph]) -> set[object]:
    """How the trees of three nodes are linked."""
    three = (heap for heap in heaps if len(heap.nodes) == 3)
    return {frozenset((p, v) for p, v in heap.cells.items() if isinstance(v, Pointer)) for heap in three}
