"""Pointers to ends: what inputs tell of them, and what pictures refute."""

from __future__ import annotations

from pathlib import Path

from playing import Play, program_of

from wolverine.core.graph import Place
from wolverine.core.patch import Patch
from wolverine.core.trace import Trace
from wolverine.repair.heaps.ends import End, ends, passed
from wolverine.repair.heaps.entries import cases
from wolverine.repair.menus.candidates import Menus
from wolverine.semantics.address import POINTER, node_address
from wolverine.semantics.compiled import compile_program

LIST = """#include <stdlib.h>
struct node { int item; struct node *next; };
struct list { struct node *head, *tail; };
void append(struct list *l, int item) {
    struct node *n = malloc(sizeof *n);
    n->item = item;
    n->next = NULL;
    if (l->head == NULL)
        l->head = n;
    else
        l->tail->next = n;
    l->tail = n;
}
void last(struct list *l, int item) {
    struct node *n = malloc(sizeof *n);
    n->item = item;
    n->next = NULL;
    l->tail->next = n;
    l->tail = n;
}
int main(void) {
    struct list *l = malloc(sizeof *l);
    l->head = NULL;
    l->tail = NULL;
    append(l, 1);
    append(l, 2);
    last(l, 3);
    return 0;
}
"""
TAIL = End(("list", 8), 8)
BEHIND = End(("list", 8), link=8, head=("list", 0))


def _play(folder: Path) -> Play:
    play = Play(program_of(LIST, folder))
    play.enter_function("last")
    play.to(LIST[: LIST.index("int main")].count("\n"))
    return play


def _ends(play: Play, trace: Trace) -> frozenset[End]:
    found = cases(play.program, trace, Menus(play.program), Patch(), {"last"})
    heaps = [case.heap for case in found if case.function == "last"]
    return ends(compile_program(play.program).layout, heaps, trace)


def test_the_tail_is_an_end_and_the_head_is_none(tmp_path: Path) -> None:
    play = _play(tmp_path)
    play.change("n1->tail", "n4")
    play.spec()
    assert _ends(play, play.problem().traces[0]) == {TAIL, BEHIND}


def test_what_is_asserted_refutes_it(tmp_path: Path) -> None:
    play = _play(tmp_path)
    play.change("n1->tail", "n2")
    play.spec()
    assert not {TAIL, BEHIND} & _ends(play, play.problem().traces[0])


def test_it_is_passed_where_the_tail_leads_on() -> None:
    """Objects: 1 is the list; 2 and 3 are nodes, of which the first leads to the other."""
    nodes = {2: [(8, POINTER, node_address(3))], 3: [(8, POINTER, 0)]}
    for tail, wrong in ((2, True), (3, False)):
        cells = {1: [(8, POINTER, node_address(tail))], **nodes}
        assert passed([TAIL], cells, {1, 2, 3}, {1: "list", 2: "node", 3: "node"}) is wrong
    assert not passed([TAIL], {1: [(8, POINTER, 0)], **nodes}, {1, 2, 3}, {1: "list"})


def test_it_is_passed_where_the_tail_is_none_of_the_list() -> None:
    """Objects: 1 is the list; of the nodes the last one is none of it."""
    nodes = {2: [(8, POINTER, node_address(3))], 3: [(8, POINTER, 0)], 4: [(8, POINTER, 0)]}
    structs = {1: "list", **dict.fromkeys(nodes, "node")}
    for head, tail, wrong in ((2, 4, True), (2, 3, False), (2, 2, True), (3, 3, False), (0, 4, False)):
        first = node_address(head) if head else 0
        cells = {1: [(0, POINTER, first), (8, POINTER, node_address(tail))], **nodes}
        assert passed([BEHIND], cells, {1, *nodes}, structs) is wrong


def test_it_is_passed_where_the_first_leads_back_into_the_middle() -> None:
    """Objects: 1 is the list; 2, 3 and 4 are its nodes, of which the first leads back to another one."""
    rule = End(("list", 0), link=8, over=16)
    for last, wrong in ((3, True), (4, False)):
        nodes = {
            2: [(8, POINTER, node_address(3)), (16, POINTER, node_address(last))],
            3: [(8, POINTER, node_address(4))],
            4: [(8, POINTER, 0)],
        }
        cells = {1: [(0, POINTER, node_address(2))], **nodes}
        structs = {1: "list", **dict.fromkeys(nodes, "node")}
        assert passed([rule], cells, {1, *nodes}, structs) is wrong


def test_what_is_asserted_last_includes_its_picture(tmp_path: Path) -> None:
    play = _play(tmp_path)
    play.change("n1->tail", "n4")
    play.spec()
    trace = play.problem().traces[0]
    assert trace.outcome is not None
    assert Place(next(iter(trace.start.nodes)), 0) in trace.outcome.cells


CALLER = """#include <stdlib.h>
struct node { int item; struct node *next; };
struct node *spare;
struct node *put(struct node *front, int item) {
    struct node *n = malloc(sizeof *n);
    n->item = item;
    n->next = NULL;
    if (front != NULL)
        front->next = n;
    return n;
}
void set(struct node **end, int item) {
    *end = put(*end, item);
}
int main(void) {
    struct node *front;
    spare = put(NULL, 1);
    put(spare, 2);
    front = put(put(NULL, 3), 4);
    CALLED
    return 0;
}
"""


def test_a_callers_pointer_counts_where_the_function_can_set_it(tmp_path: Path) -> None:
    for called, name, expected in (("front = put(front, 5);", "put", 0), ("set(&front, 5);", "set", 1)):
        play = Play(program_of(CALLER.replace("CALLED", called), tmp_path))
        line = CALLER[: CALLER.index("CALLED")].count("\n") + 1
        play.to(line, "main")
        play.enter_function(name)
        play.to(line + 1, "main")
        play.spec()
        trace = play.problem().traces[0]
        found = ends(compile_program(play.program).layout, [trace.start], trace)
        assert len([rule for rule in found if isinstance(rule.cell[0], int)]) == expected


CHAINED = """#include <stdlib.h>
struct node { int item; struct node *next, *other; };
struct list { struct node *head; };
struct node *made(int item) {
    struct node *n = malloc(sizeof *n);
    n->item = item;
    n->next = NULL;
    n->other = NULL;
    return n;
}
void put(struct list *l, struct node *n) {
    n->next = l->head;
    l->head = n;
}
int main(void) {
    struct list *l = malloc(sizeof *l);
    struct node *n;
    l->head = NULL;
    put(l, made(1));
    put(l, made(2));
    n = made(3);
    n->other = l->LED;
    put(l, n);
    return 0;
}
"""


def test_no_end_is_where_no_other_node_leads_over_the_link(tmp_path: Path) -> None:
    for led, expected in (("head", 1), ("head->next", 0)):
        play = Play(program_of(CHAINED.replace("LED", led), tmp_path))
        line = CHAINED[: CHAINED.index("put(l, n)")].count("\n") + 1
        play.to(line, "main")
        play.enter_function("put")
        play.to(line + 1, "main")
        trace = play.problem().traces[0]
        found = ends(compile_program(play.program).layout, [trace.start], trace)
        assert len([each for each in found if each.link == 16 and each.over < 0]) == expected
