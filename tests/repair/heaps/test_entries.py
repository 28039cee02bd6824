"""Fresh heaps for functions that the trace calls."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playing import Play, crash, program_of, words

from wolverine.core.expressions import Dereference, Load, Member
from wolverine.core.graph import UNINITIALISED, NodeId, Place, Pointer, VariableId
from wolverine.core.patch import Edit, NewAssignment, Patch, Repairs
from wolverine.core.program import Assign
from wolverine.repair import search
from wolverine.repair.heaps import given
from wolverine.repair.heaps.entries import cases
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.ranking.question import question

QUEUE = """#include <stdlib.h>
struct item { int v; struct item *next; };
struct queue { struct item *front, *rear; };
void enqueue(struct queue *q, int v) {
    struct item *i = malloc(sizeof(struct item));
    i->v = v;
    i->next = NULL;
    if (q->rear == NULL) {
        q->front = i;
    } else {
        q->rear = i;
        q->rear->next = i;
    }
    q->rear = i;
}
int main(void) {
    struct queue q = { NULL, NULL };
    enqueue(&q, 1);
    enqueue(&q, 2);
    enqueue(&q, 3);
    return 0;
}
"""


def _asserted_in_main(folder: Path) -> Play:
    play = Play(program_of(QUEUE, folder))
    play.open()
    play.to(20)
    play.change("n1->next", "n2")
    play.change("n2->next", "null")
    play.spec()
    return play


def test_a_repair_asserted_in_main_is_tried_on_queues_of_other_lengths(tmp_path: Path) -> None:
    play = _asserted_in_main(tmp_path)
    problem = play.problem()
    found = cases(play.program, problem.traces[0], Menus(play.program), Patch(), {"enqueue"})
    assert {case.function for case in found} == {"enqueue", "main"}
    assert [case.function for case in found].index("main") == len(found) - 1
    assert len({len(case.heap.nodes) for case in found if case.function == "enqueue"}) > 3


def test_what_loses_items_of_longer_queues_is_not_the_first(tmp_path: Path) -> None:
    problem = _asserted_in_main(tmp_path).problem()
    repairs = search(problem)
    assert isinstance(repairs, Repairs)
    assert repairs.behaviours > 1
    best = repairs.candidates[0]
    assert best.lost_nodes == min(candidate.lost_nodes for candidate in repairs.candidates)
    assert best.lost_nodes < max(candidate.lost_nodes for candidate in repairs.candidates)
    asked = question(problem.program, problem.traces[0], repairs.candidates)
    assert asked is not None
    assert asked.function == "enqueue"


PUSHED = """#include <stdlib.h>
struct item { int v; struct item *next; };
struct item *first;
void push(int v) {
    struct item *i = malloc(sizeof(struct item));
    i->v = v;
    i->next = first;
    first = i;
}
"""
ENDLESS = (
    PUSHED
    + """\
int main(void) {
    int n = 1;
    push(1);
    while (n > 0) {
        push(n);
    }
    return 0;
}
"""
)


def test_of_entries_without_end_few_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play = Play(program_of(ENDLESS, tmp_path))
    play.open()
    play.to(13)
    play.spec()
    read = []
    real = given.graph_of
    monkeypatch.setattr(given, "graph_of", lambda *told: read.append(told) or real(*told))
    problem = play.problem()
    found = cases(play.program, problem.traces[0], Menus(play.program), Patch(), {"push"})
    assert any(case.function == "push" for case in found)
    assert 0 < len(read) < 1000


def test_of_each_function_the_first_entries_are_told(tmp_path: Path) -> None:
    text = """\
int count;
void more(void) { count = count + 1; }
void last(void) { count = 0; }
int main(void) {
    for (int i = 0; i < 9; i++)
        more();
    last();
    return 0;
}
"""
    play = Play(program_of(text, tmp_path))
    play.open()
    play.to(8, "main")
    trace, menus = play.trace(), Menus(play.program)
    told = [
        name for name, _, _ in given.entered(play.program, trace, menus, Patch(), ["more", "last"], most=2)
    ]
    assert told == ["more", "more", "last"]
    assert not list(given.entered(play.program, trace, menus, Patch(), []))


MOVING = (
    PUSHED
    + """\
void renumber(int old, int new) {
    for (struct item *i = first; i != NULL; i = i->next)
        if (i->v == old && old < new)
            i->v = new;
}
int main(void) {
    push(7);
    push(5);
    push(3);
    renumber(7, 8);
    return 0;
}
"""
)


def test_two_numbers_are_other_ones_at_once(tmp_path: Path) -> None:
    """To change the first or the last but one node, the other number has to fit."""
    play = Play(program_of(MOVING, tmp_path))
    play.enter_function("renumber")
    play.to(14)
    play.spec()
    [trace] = play.problem().traces
    found = cases(play.program, trace, Menus(play.program), Patch(), {"renumber"})
    given = {
        tuple(case.heap.cells[Place(each.id, 0)] for each in case.heap.frames[0].variables[:2])
        for case in found
    }
    assert {(3, 5), (5, 7)} <= given


DIVIDED = """\
#include <stdio.h>
#include <stdlib.h>
struct block { int full; int sum; struct block *part[4]; };
static struct block *block_new(int full)
{
    struct block *b = calloc(1, sizeof *b);
    b->full = full;
    return b;
}
static void divide(struct block *over, int at)
{
    struct block *first = over->part[at];
    struct block *second = block_new(first->full);
    second->sum = first->sum / 2;
    first->sum -= second->sum;
    over->part[at + 1] = second;
    over->sum = first->sum + second->sum;
}
static struct block *whole;
static void add(int number)
{
    if (whole == NULL)
        whole = block_new(1);
    if (whole->full && whole->sum > 8) {
        struct block *over = block_new(0);
        whole = over;
        divide(over, 0);
    }
    whole->sum += number;
}
int main(void)
{
    for (int i = 4; i < 7; i++)
        add(i);
    printf("%d %d\\n", whole->sum, whole->part[0]->sum);
    free(whole->part[0]);
    free(whole->part[1]);
    free(whole);
    return 0;
}
"""


def test_an_empty_node_on_which_it_crashes_anyway_is_no_input(tmp_path: Path) -> None:
    problem = crash(DIVIDED, "add", tmp_path)
    [trace] = problem.traces
    found = cases(problem.program, trace, Menus(problem.program), Patch(), {"add", "block_new", "divide"})
    assert {case.function for case in found} == {"add", "block_new"}


COUNTED = """#include <stdlib.h>
struct item { int v; struct item *next; };
struct queue { struct item *front, *rear; };
struct queue q;
void enqueue(int v) {
    struct item *i = malloc(sizeof(struct item));
    i->v = v;
    i->next = NULL;
    if (q.rear == NULL)
        q.front = i;
    else
        q.front->next = i;
    q.rear = i;
}
int count(void) {
    int n = 0;
    for (struct item *i = q.front; i != NULL; i = i->next)
        n++;
    return n;
}
int main(void) {
    enqueue(1);
    enqueue(2);
    enqueue(3);
    return count();
}
"""


def test_what_is_given_is_told_by_what_was_accepted(tmp_path: Path) -> None:
    """Another edit beside it may well be wrong: here the rear stays where the front is."""
    program = program_of(COUNTED, tmp_path)
    play = Play(program)
    play.open()
    play.to(25)
    play.change("n2->next", "n3")
    play.change("n1->next", "n2")
    play.spec("n1->next", "n2->next")
    [trace] = play.problem().traces
    appended, moved = [s for s in program.functions["enqueue"].code if isinstance(s, Assign)][-2:]
    rear, link = moved.target, appended.target
    assert isinstance(rear, Member) and isinstance(link, Member)
    right = replace(link, base=Dereference(Load(rear), link.base.type))
    accepted = Edit(appended.location, NewAssignment(right, appended.value))
    other = Edit(moved.location, NewAssignment(rear, Load(replace(rear, name="front", offset=0))))
    found = cases(program, trace, Menus(program), Patch((accepted, other)), {"count"}, (), Patch((accepted,)))
    longer = 0
    for case in found:
        cells = case.heap.cells
        value = cells[Place(VariableId(-1, "", "q"), 8)]
        if isinstance(value, Pointer) and case.function == "count":
            assert cells[Place(value.object, 8)] is None
            longer += cells[Place(VariableId(-1, "", "q"), 0)] != value
    assert longer


HEADED = """#include <stdlib.h>
struct item { int v; int seen; struct item *next; };
void mark(struct item *head) {
    struct item *best = head->next;
    for (struct item *i = best->next; i != NULL; i = i->next)
        if (i->v > best->v)
            best = i;
    best->seen = 1;
}
int main(void) {
    struct item *head = malloc(sizeof *head);
    head->next = NULL;
    mark(head);
    return 0;
}
"""


def test_what_the_node_in_front_of_a_list_never_holds_is_not_to_be_used(tmp_path: Path) -> None:
    problem = crash(HEADED, "mark", tmp_path)
    found = cases(problem.program, problem.traces[0], Menus(problem.program), Patch(), {"mark"})
    held = {case.heap.cells.get(Place(NodeId(1), 0)) for case in found}
    assert UNINITIALISED in held and any(isinstance(each, int) for each in held)
    repairs = search(problem)
    assert isinstance(repairs, Repairs)
    told = {words(problem.program, each): each for each in repairs.candidates}
    headed = told["head"]
    assert "an uninitialised value is used at line 6" in headed.crash_reason
    assert repairs.candidates[0].crashes == 0
    assert headed.against > repairs.candidates[0].against


def test_what_the_program_itself_uses_is_set_elsewhere(tmp_path: Path) -> None:
    counted = HEADED.replace("best->seen = 1;", "best->seen = 1;\n    head->v = head->v + 1;")
    problem = crash(counted, "mark", tmp_path)
    found = cases(problem.program, problem.traces[0], Menus(problem.program), Patch(), {"mark"})
    assert UNINITIALISED not in {case.heap.cells.get(Place(NodeId(1), 0)) for case in found}
